import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ceilingLine, makeCorpus } from "../corpus.ts";
import { tscOracle } from "../oracle.ts";
import { cached } from "../registries.ts";
import { BareSide } from "./bare-side.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { typescriptRules } from "./seeds.ts";

const hub = "src/part-00/module-000.ts";
const summary = "export function summarise0(";
const line = ceilingLine("10");

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({ file: hub, oldText: "export function score0(", newText: `export function score0Other${n}(` }),
};

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({ file: hub, oldText: summary, newText: `// Note ${n}.\n${summary}` }),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({ file: hub, oldText: line, newText: ceilingLine(`${n + 10}`) }),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({ file: hub, oldText: line, newText: ceilingLine(`"text ${n}"`) }),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({ file: hub, oldText: summary, newText: `export const added${n} = ${n};\n\n${summary}` }),
	},
	renamed,
];

function isSource(path: string): boolean {
	return path.startsWith("src/") && path.endsWith(".ts");
}

/** A generated TypeScript project; hundreds of ten thousand modules import the first one. */
export function generated(modules: number): LargeProject {
	return {
		name: `generated${modules}`,
		title: `${modules.toLocaleString("en")} generated files`,
		directory: () =>
			cached(`generated-${modules}-1`, (into) => {
				for (const [file, text] of Object.entries(makeCorpus(modules).files)) {
					mkdirSync(dirname(join(into, file)), { recursive: true });
					writeFileSync(join(into, file), text);
				}
			}),
		hub,
		edits,
		breaking: renamed,
		breakingSymbol: "score0",
		questions: { file: "src/contract.ts", before: "export function ", symbols: ["describeContract"] },
		isSource,
		startBare: (ws, root) => BareSide.start(ws, root),
		judge: async (_, root) => (await tscOracle("typescript", root, [["--noEmit"]], isSource)()).errors,
		comparesCodes: true,
		seeds: typescriptRules,
	};
}
