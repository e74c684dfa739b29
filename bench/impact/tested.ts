import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Build } from "../../src/operations/build.ts";
import type { Extent } from "../changes/stage.ts";
import { type Figure, wrongAnswers } from "../figures.ts";
import { spreadOf } from "../statistics.ts";
import { Random } from "../truth/random.ts";
import { seedFault } from "./faults.ts";
import type { TestedPackage } from "./tested-packages.ts";
import { complaintsOf, withTested } from "./tested-stage.ts";

/**
 * Changes one operator or constant of a real package at a time, until enough changes have failed its whole suite. `test
 * --impacted` must fail with each of them.
 */
export function tested(subject: TestedPackage, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withTested(subject, async ({ root, daemon, run }) => {
		const suite = async () => (await run(subject.suite)).code;
		const compiles = async () => (await complaintsOf(subject, run)) <= before;
		const before = await complaintsOf(subject, run);
		const ask = (input: object) => daemon.call<Build>("test", { cwd: root, trust: true, input });
		const whole = testsIn(await ask({}));
		log(`${subject.name}: ${whole} tests`);
		const { recorded, ms } = await ask({ record: true });
		log(`  recorded ${JSON.stringify(recorded)} in ${Math.round(ms / 1000)} s`);
		const random = new Random(seed);
		const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(subject.isSource).sort();
		const shares: number[] = [];
		let [failing, missed, harmless, uncompiled] = [0, 0, 0, 0];
		const seen = new Set<string>();
		for (let tries = 0; failing < each && tries < each * 20 && !isOver(); tries++) {
			const file = random.pick(files) ?? "";
			const path = join(root, file);
			const text = readFileSync(path, "utf8");
			const fault = seedFault(text, random);
			if (!fault || seen.has(`${file}:${fault.line} ${fault.is}`)) continue;
			seen.add(`${file}:${fault.line} ${fault.is}`);
			writeFileSync(path, fault.text);
			let ours: Build;
			try {
				// A suite also fails where nothing compiles, without a test of the fault.
				if (!(await compiles())) {
					uncompiled++;
					continue;
				}
				if ((await suite()) === 0) {
					harmless++;
					continue;
				}
				ours = await ask({ impacted: true });
			} finally {
				writeFileSync(path, text);
			}
			failing++;
			const ran = subject.testsRun ? subject.testsRun((await run(wordsOf(ours))).stdout) : testsIn(ours);
			const share = ours.impacted?.files === undefined ? 1 : Math.min(ran / whole, 1);
			shares.push(share);
			const isMissed = ours.outcome !== "failed";
			if (isMissed) missed++;
			const how = isMissed ? `MISSED (${ours.outcome}, ${ours.command})` : "failed";
			log(`  ${file}:${fault.line} ${fault.was} -> ${fault.is}: ${how}, ${Math.round(share * 100)} % of the tests`);
		}
		log(
			`  ${failing} faults that fail the suite, ${harmless} that do not, ${uncompiled} that do not compile, ${missed} missed`,
		);
		return [
			wrongAnswers(`${subject.name}: faults that fail the whole suite but not test --impacted`, missed, failing),
			{ what: `${subject.name}: share of the tests that were run`, unit: "", ours: spreadOf(shares) },
		];
	});
}

function wordsOf({ command }: Build): [program: string, ...args: string[]] {
	const [program = "", ...args] = command.split(" ");
	return [program, ...args];
}

function testsIn({ counts }: Build): number {
	return counts ? counts.passed + counts.failed : 0;
}
