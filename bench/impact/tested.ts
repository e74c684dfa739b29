import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Build } from "../../src/operations/build.ts";
import { withServers } from "../../test/live/languages.ts";
import { runCommand } from "../../test/support/run-command.ts";
import { withWorkspace } from "../../test/support/workspace.ts";
import type { Extent } from "../changes/stage.ts";
import { withDaemon } from "../daemon.ts";
import { type Figure, wrongAnswers } from "../figures.ts";
import { toolchains } from "../languages/projects.ts";
import { spreadOf } from "../statistics.ts";
import { Random } from "../truth/random.ts";
import { seedFault } from "./faults.ts";
import type { TestedPackage } from "./tested-packages.ts";

/** Of a suite, in milliseconds. */
const longestMs = 600_000;

/**
 * One operator or constant of a real package is changed, until enough changes have failed its whole suite. `test --impacted`
 * must fail with each of them.
 */
export function tested(subject: TestedPackage, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withWorkspace({}, async (fresh) => {
		const { root } = fresh;
		cpSync(subject.directory(), root, { recursive: true });
		const home = process.env.HOME ?? "";
		const own = { ...toolchains(), HOME: home, CI: "true", CARGO_HOME: process.env.CARGO_HOME ?? join(home, ".cargo") };
		const ws = { ...fresh, env: { ...withServers(fresh.env), ...own, PI_LSP_TRUST: "1" } };
		const git = (...args: string[]) =>
			execFileSync("git", ["-c", "user.email=a@example.org", "-c", "user.name=A", ...args], { cwd: root, env: ws.env });
		writeFileSync(
			join(root, ".gitignore"),
			"node_modules\ntarget\nCargo.lock\n__pycache__\n.pytest_cache\n.hypothesis\n",
		);
		git("init", "-q", ".");
		git("add", "-A");
		git("commit", "-q", "-m", "first");
		subject.link?.(root);
		const [program, ...args] = subject.suite;
		const suite = async () => (await runCommand(program, args, { cwd: root, env: ws.env, timeoutMs: longestMs })).code;
		if ((await suite()) !== 0) throw new Error(`${subject.name}: the suite fails without a fault`);
		return withDaemon(ws, async (daemon) => {
			const ask = (input: object) => daemon.call<Build>("test", { cwd: root, trust: true, input });
			const whole = testsIn(await ask({}));
			log(`${subject.name}: ${whole} tests`);
			const random = new Random(seed);
			const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(subject.isSource).sort();
			const shares: number[] = [];
			let [failing, missed, harmless] = [0, 0, 0];
			const seen = new Set<string>();
			for (let tries = 0; failing < each && tries < each * 20 && !isOver(); tries++) {
				const file = random.pick(files) ?? "";
				const path = join(root, file);
				const text = readFileSync(path, "utf8");
				const fault = seedFault(text, random);
				if (!fault || seen.has(`${file}:${fault.line} ${fault.is}`)) continue;
				seen.add(`${file}:${fault.line} ${fault.is}`);
				writeFileSync(path, fault.text);
				try {
					if ((await suite()) === 0) {
						harmless++;
						continue;
					}
					failing++;
					const ours = await ask({ impacted: true });
					const share = Math.min(testsIn(ours) / whole, 1);
					shares.push(ours.impacted?.files === undefined ? 1 : share);
					const isMissed = ours.outcome !== "failed";
					if (isMissed) missed++;
					const how = isMissed ? `MISSED (${ours.outcome}, ${ours.command})` : "failed";
					log(`  ${file}:${fault.line} ${fault.was} -> ${fault.is}: ${how}, ${Math.round(share * 100)} % of the tests`);
				} finally {
					writeFileSync(path, text);
				}
			}
			log(`  ${failing} faults that fail the suite, ${harmless} that do not, ${missed} missed`);
			return [
				wrongAnswers(`${subject.name}: faults that fail the whole suite and not test --impacted`, missed, failing),
				{ what: `${subject.name}: share of the tests that were run`, unit: "", ours: spreadOf(shares) },
			];
		});
	});
}

function testsIn({ counts }: Build): number {
	return counts ? counts.passed + counts.failed + counts.skipped : 0;
}
