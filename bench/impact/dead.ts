import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Written } from "../../src/contract/planned.ts";
import { carryOut } from "../../src/faces/carry-out.ts";
import type { UnusedReport } from "../../src/operations/unused.ts";
import type { Files } from "../../test/support/workspace.ts";
import type { Extent } from "../changes/stage.ts";
import { counted, type Figure, wrongAnswers } from "../figures.ts";
import { Random } from "../truth/random.ts";
import { withDeadSymbols } from "./dead-seeds.ts";
import type { TestedPackage } from "./tested-packages.ts";
import { complaintsOf, type TestedStage, withTested } from "./tested-stage.ts";

/** The share of the seeded symbols that must be called certain. */
const leastFound = 0.9;

/**
 * Deletes what `unused` calls certain in a real package, one symbol after the other, and runs the compiler and the suite.
 * Then dead symbols are added to the package's files.
 */
export function deadCode(subject: TestedPackage, { each, seed, log }: Extent): Promise<Figure[]> {
	return withTested(subject, async (stage) => {
		const { root } = stage;
		const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(subject.isSource).sort();
		const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
		const write = (files: Files) => {
			for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
		};
		const certain = await certainIn(stage);
		log(`${subject.name}: ${paths.length} files, ${certain.length} symbols are certain`);
		const before = await complaintsOf(subject, stage.run);
		let wrong = 0;
		for (const { file, symbol, line } of certain) {
			const failed = (await deleteSymbol(stage, file, symbol)) ?? (await failureOf(subject, stage, before));
			if (failed !== undefined) wrong++;
			log(`  ${file}:${line} ${symbol}: ${failed ?? "may go"}`);
			write(sources);
		}
		const { files, dead } = withDeadSymbols(sources, each, new Random(seed));
		write(files);
		const failed = await failureOf(subject, stage, before);
		if (failed !== undefined) throw new Error(`${subject.name}: with dead symbols ${failed}`);
		const found = await certainIn(stage);
		const missed = dead.filter(
			({ file, name }) => !found.some((other) => other.file === file && other.symbol.split(/[.:]/).at(-1) === name),
		);
		for (const { file, name, form } of missed) log(`  not certain: ${file} ${name} (${form})`);
		const limit = Math.floor(dead.length * (1 - leastFound));
		return [
			wrongAnswers(
				`${subject.name}: certain symbols without which the compiler or a test fails`,
				wrong,
				certain.length,
			),
			counted(`${subject.name}: seeded dead symbols not called certain`, missed.length, dead.length, {
				text: `${limit} of ${dead.length}`,
				limit,
			}),
		];
	});
}

async function certainIn({ root, daemon }: TestedStage): Promise<UnusedReport["unused"]> {
	const input = { certainty: "certain", limit: 1000 };
	return (await daemon.call<UnusedReport>("unused", { cwd: root, input })).unused;
}

/** The reason of a failure; undefined after a deletion. */
async function deleteSymbol({ root, daemon }: TestedStage, file: string, symbol: string): Promise<string | undefined> {
	const about = { cwd: root };
	try {
		const answer = await daemon.call<unknown>("delete_symbol", { ...about, input: { file, symbol } });
		const { written } = (await carryOut(answer, (plan) => daemon.call("commit", { ...about, plan }))) as Written;
		return written.length > 0 ? undefined : "nothing was written";
	} catch (thrown) {
		return `not deleted: ${(thrown as Error).message}`;
	}
}

async function failureOf(subject: TestedPackage, stage: TestedStage, before: number): Promise<string | undefined> {
	if ((await complaintsOf(subject, stage.run)) > before) return "the compiler complains";
	return (await stage.run(subject.suite)).code === 0 ? undefined : "the suite fails";
}
