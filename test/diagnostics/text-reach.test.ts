import { expect, test } from "vitest";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { reach } from "../../src/diagnostics/reach.ts";
import { type Files, withWorkspace } from "../support/workspace.ts";
import { type Declared, shape } from "./shapes.ts";

const origin =
	"export interface A {\n\tx: number;\n}\nexport interface B {}\nexport const make = (): A => ({ x: 1 });\n";
const declared: readonly Declared[] = [
	["A", "interface", 0, 2],
	["A.x", "property", 1, 1],
	["B", "interface", 3, 3],
	["make", "constant", 4, 4],
];

/** The files that may see a change of `A` of `src/a.ts`, with the declarations of each. */
async function reached(files: Readonly<Record<string, readonly [text: string, ...declared: Declared[]]>>) {
	const texts: Files = Object.fromEntries(Object.entries(files).map(([name, [text]]) => [`src/${name}`, text]));
	return withWorkspace({ "src/a.ts": origin, ...texts }, async (ws) => {
		const found: string[] = [];
		await reach(shape(ws.path("src/a.ts"), origin, declared), ["A"], {
			graph: new ImportGraph(ws.root),
			watched: false,
			look: async (path) => {
				const [text = "", ...own] = files[path.slice(ws.path("src").length + 1)] ?? [];
				return shape(path, text, own);
			},
			found: (path) => void found.push(path.slice(ws.path("src").length + 1)),
		});
		return found.sort();
	});
}

test("importers that mention the name, or one whose type follows from it; no others", async () => {
	const found = await reached({
		"named.ts": ['import type { A } from "./a.ts";\nexport const a: A = { x: 1 };\n', ["a", "constant", 1, 1]],
		"through.ts": ['import { make } from "./a.ts";\nmake().x.toFixed();\n'],
		"other.ts": ['import type { B } from "./a.ts";\nexport const b: B = {};\n', ["b", "constant", 1, 1]],
		"stranger.ts": ["export const A = 1;\n", ["A", "constant", 0, 0]],
	});
	expect(found).toEqual(["named.ts", "through.ts"]);
});

test("those that see it through what an importer declares, and not those of one that keeps it to itself", async () => {
	const found = await reached({
		"shows.ts": ['import { make } from "./a.ts";\nexport const shown = make();\n', ["shown", "constant", 1, 1]],
		"far.ts": ['import { shown } from "./shows.ts";\nshown.x.toFixed();\n'],
		"says.ts": [
			'import { make } from "./a.ts";\nexport function said(): number {\n\treturn make().x;\n}\n',
			["said", "function", 1, 3],
		],
		"apart.ts": ['import { said } from "./says.ts";\nsaid().toFixed();\n'],
	});
	expect(found).toEqual(["far.ts", "says.ts", "shows.ts"]);
});

test("those that know it under another name", async () => {
	const found = await reached({
		"alias.ts": [
			'import type { A as Area } from "./a.ts";\nexport const made = (): Area => ({ x: 1 });\n',
			["made", "constant", 1, 1],
		],
		"list.ts": ['export { make as create } from "./a.ts";\n'],
		"all.ts": ['import { made } from "./alias.ts";\nmade().x.toFixed();\n'],
		"created.ts": ['import { create } from "./list.ts";\ncreate().x.toFixed();\n'],
		"default.ts": ['import { make } from "./a.ts";\nexport default make();\n'],
		"any.ts": ['import whatever from "./default.ts";\nwhatever.x.toFixed();\n'],
	});
	expect(found).toEqual(["alias.ts", "all.ts", "any.ts", "created.ts", "default.ts", "list.ts"]);
});
