import { expect, test } from "vitest";
import { declarationLine } from "../../src/diagnostics/explain/declaration-line.ts";
import { calleeAt, calleeBefore } from "../../src/diagnostics/explain/named-in-error.ts";
import { withProject } from "./project.ts";

test.each([
	["export async function f(a: number, b = [1]): Promise<void> {", "f(a: number, b = [1]): Promise<void>"],
	["export function f(o: {\n\ta: number;\n}): { b: string } {\n\treturn 1;", "f(o: { a: number; }): { b: string }"],
	[
		"export interface User {\n\tname: string;\n\tage: number;\n}\nmore",
		"interface User { name: string; age: number; }",
	],
	["    def f(self, a: int = 1) -> str:\n        return 1", "f(self, a: int = 1) -> str"],
	["func (s *Shop) Total(rate float64) float64 {\n", "(s *Shop) Total(rate float64) float64"],
	["pub(crate) fn area(w: u32) -> u32 {", "area(w: u32) -> u32"],
	["const total = (n: number) => n;", "total"],
])("a declaration is one line: %j", (text, line) => {
	expect(declarationLine(text.split("\n"), { line: 0 })).toBe(line);
});

test("the function that an error is about is found by the brackets around its position, or at the position", () => {
	const lines = ["shop.total(1,", "  [other(2)], { a: f(3) },", '  "x");', "if (true) {}", "greet<number>(1);"];
	const before = (line: number, column: number) => calleeBefore(lines, { line, column });
	expect(before(1, 12)).toEqual({ line: 1, column: 6 });
	expect(before(3, 3)).toEqual({ line: 1, column: 6 });
	expect(before(2, 10)).toEqual({ line: 2, column: 4 });
	expect(before(2, 4)).toBeUndefined();
	expect(before(1, 1)).toBeUndefined();
	expect(before(5, 15)).toEqual({ line: 5, column: 1 });
	expect(calleeAt(lines, { line: 1, column: 1 })).toEqual({ line: 1, column: 6 });
	expect(calleeAt(lines, { line: 3, column: 3 })).toBeUndefined();
});

const files = {
	"src/words.ts": [
		"export interface Word {",
		"\ttext: string;",
		"}",
		"export function greet(n: number, by: string): string {",
		"\treturn by + n;",
		"}",
		"",
	].join("\n"),
	"src/a.ts": "export {};\n",
};
const broken = [
	'import { greet, type Word } from "./words.ts";',
	'export const one = greet("x", "y");',
	"export const two = greet(1);",
	"export const word: Word = {};",
	"export const plain: number = true;",
	"",
].join("\n");

test("an error about a call or a type gives its declaration and location, after the block and each once", () =>
	withProject(files, async (project) => {
		await project.editAlone("src/a.ts", "export {};\n\n");
		const { files: found } = await project.editAlone("src/a.ts", broken);
		const declared = found[0]?.diagnostics.map((each) => each.declared);
		const greet = { text: "greet(n: number, by: string): string", path: "src/words.ts", line: 4 };
		const word = { text: "interface Word { text: string; }", path: "src/words.ts", line: 1 };
		expect(declared).toEqual([greet, greet, word, undefined]);
		project.ws.write(".pi-lsp.json", '{"declarations":false}');
		const { files: without } = await project.editAlone("src/a.ts", `${broken}\n`);
		expect(without[0]?.diagnostics.some((each) => each.declared)).toBe(false);
		const { files: checked } = await project.check(["src/a.ts"]);
		expect(checked[0]?.diagnostics.length).toBe(4);
		expect(checked[0]?.diagnostics.some((each) => each.declared)).toBe(false);
	}));
