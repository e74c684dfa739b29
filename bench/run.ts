import process from "node:process";
import { isThere } from "../test/live/languages.ts";
import { alternate } from "./alternate.ts";
import { changes } from "./changes.ts";
import { cold } from "./cold.ts";
import { type Benchmark, isMet } from "./figures.ts";
import { gate } from "./gate.ts";
import { gopls } from "./gopls.ts";
import { growth } from "./growth.ts";
import { hook } from "./hook.ts";
import { hostile } from "./hostile.ts";
import { hosts } from "./hosts.ts";
import { impact, testImpact, unused } from "./impact.ts";
import { impactTimes } from "./impact-times.ts";
import { languages } from "./languages/bench.ts";
import { latency } from "./latency.ts";
import { load } from "./load.ts";
import { mcpLoad } from "./mcp/load.ts";
import { nudges } from "./nudges.ts";
import { preflight } from "./preflight.ts";
import { previews } from "./previews.ts";
import { pyright } from "./pyright.ts";
import { questions } from "./questions.ts";
import { keep, machine, plainTable, runMain, tableOf } from "./report.ts";
import { sandbox } from "./sandbox.ts";
import { second } from "./second.ts";
import { series } from "./series.ts";
import { isSizeWord, size } from "./size.ts";
import { start } from "./start.ts";
import { tokens } from "./tokens.ts";
import { truth } from "./truth.ts";
import { typescript5 } from "./typescript5.ts";
import { warm } from "./warm.ts";
import { watch } from "./watch.ts";

const benchmarks: readonly Benchmark[] = [
	warm,
	hook,
	hosts,
	cold,
	second,
	start,
	truth,
	typescript5,
	pyright,
	gopls,
	alternate,
	series,
	watch,
	load,
	mcpLoad,
	latency,
	questions,
	tokens,
	growth,
	size,
	hostile,
	sandbox,
	languages,
	preflight,
	nudges,
	...previews,
	changes,
	impact,
	impactTimes,
	gate,
	testImpact,
	unused,
];

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Runs the named benchmarks, without a name all of them; exit code 1 when a bar is not met. */
async function main(names: readonly string[]): Promise<void> {
	const isKnown = (name: string) => benchmarks.some((benchmark) => benchmark.name === name);
	const unknown = names.filter((name) => !isKnown(name) && !(names.includes(size.name) && isSizeWord(name)));
	if (unknown.length > 0)
		throw new Error(`no benchmark ${unknown.join(", ")}; there are ${benchmarks.map(({ name }) => name).join(", ")}`);
	print(machine());
	for (const { name, program, run } of benchmarks) {
		if (names.length > 0 && !names.includes(name)) continue;
		print(`\n${name}`);
		if (program !== undefined && !isThere(program)) {
			print(`  left out: ${program} is not installed (node scripts/install-servers.mjs)`);
			continue;
		}
		const figures = await run((line) => print(`  ${line}`));
		keep(name, figures);
		print(plainTable(tableOf(figures)));
		if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1;
	}
}

await runMain(main);
