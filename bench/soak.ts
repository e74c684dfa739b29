import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../test/support/repository.ts";
import { type Figure, isMet } from "./figures.ts";
import { load } from "./load.ts";
import { mcpSoak } from "./mcp/soak.ts";
import { keep, machine, plainTable, runMain, tableOf } from "./report.ts";
import { endurance, full, shortened } from "./soak/endurance.ts";
import { fairness } from "./soak/fairness.ts";
import { idle } from "./soak/idle.ts";
import { inWorld } from "./soak/in-world.ts";
import { drawSamples } from "./soak/picture.ts";

type Log = (line: string) => void;

const print = (text: string) => void process.stdout.write(`${text}\n`);

const tests: Readonly<Record<string, (short: boolean, log: Log) => Promise<Figure[]>>> = {
	L1: async (_, log) => (await load.run(log)).map((figure) => ({ ...figure, what: `L1: ${figure.what}` })),
	L3: (short, log) => inWorld((world) => fairness(world, short ? 4 : 25, log)),
	L5: (short, log) =>
		inWorld(async (world) => {
			const { figures, samples } = await endurance(world, short ? shortened : full, log);
			const title = "The daemon with a heap of 128 MB";
			if (!short) writeFileSync(join(REPOSITORY, "bench/soak.svg"), drawSamples(title, samples));
			return figures;
		}),
	MCP: (short, log) => inWorld((world) => mcpSoak(world, short ? 5 : 60, log)),
	L7: (short, log) =>
		inWorld((world) => idle(world, short ? { seconds: 10, factor: 4320 } : { seconds: 60, factor: 1440 }, log)),
};

/** Runs the named tests, without a name all of them; exit code 1 when a bar is not met. */
async function main(args: readonly string[]): Promise<void> {
	const short = args.includes("--short");
	const names = args.filter((arg) => arg !== "--short");
	const unknown = names.filter((name) => !Object.hasOwn(tests, name));
	if (unknown.length > 0) throw new Error(`no test ${unknown.join(", ")}; there are ${Object.keys(tests).join(", ")}`);
	print(machine());
	const figures: Figure[] = [];
	for (const [name, run] of Object.entries(tests))
		if (names.length === 0 || names.includes(name)) figures.push(...(await run(short, (line) => print(`  ${line}`))));
	print(plainTable(tableOf(figures)));
	// A partial run could not be compared with later ones.
	if (!short && names.length === 0) keep("soak", figures);
	if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1;
}

await runMain(main);
