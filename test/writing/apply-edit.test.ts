import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { replacePiece, replaceText } from "../../src/planning/find-text.ts";
import { replaceAll } from "../../src/planning/text-edits.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const TEXT = 'export const a: number = 1;\nexport function f(): string {\n\tconst x = "x";\n\treturn x;\n}\n';
const PROJECT = { ...TYPESCRIPT_PROJECT, "src/a.ts": TEXT.replace(/\n/g, "\r\n"), "notes.txt": "one\ntwo\n" };

test("apply_edit writes a text that occurs once, with the check, and exits with 1 if there are errors", () =>
	withWorkspace(PROJECT, async (ws) => {
		const good = await ws.cli(["apply_edit", "src/a.ts", 'const x = "x";\n  return x;', 'const x = "y";\nreturn x;']);
		expect(good.stdout).toContain("changed: src/a.ts\n1 file: src/a.ts\nThe text differs in white space");
		expect(good.stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(good.code).toBe(0);
		expect(ws.read("src/a.ts")).toBe(PROJECT["src/a.ts"].replace('"x"', '"y"').replace("\treturn", "\treturn"));
		const range = ["--line", "1", "--column", "26", "--end_line", "1", "--end_column", "27"];
		const bad = await ws.cli(["apply_edit", "src/a.ts", ...range, "--new_text", '"one"']);
		expect(bad.stdout).toContain("ts2322");
		expect(bad.code).toBe(1);
		expect((await ws.cli(["undo"])).code).toBe(0);
		// No server judges this file.
		const plain = await ws.cli(["apply_edit", "notes.txt", "two", "three"]);
		expect(ws.read("notes.txt")).toBe("one\nthree\n");
		expect(plain.stdout).toContain("Nothing judges these files.");
		expect(plain.code).toBe(0);
	}));

test("apply_edit reports other files that it breaks if no server has run before it", () =>
	withWorkspace(
		{ ...TYPESCRIPT_PROJECT, "src/a.ts": TEXT, "src/b.ts": 'import { f } from "./a.ts";\nexport const b = f();\n' },
		async (ws) => {
			const { code, stdout } = await ws.cli(["apply_edit", "src/a.ts", "function f()", "function f(n: number)"]);
			expect(stdout).toContain('<diagnostics file="src/b.ts">');
			expect(code).toBe(1);
		},
	));

test("apply_edit is refused, with nothing written, for another content, another position or another file", () =>
	withWorkspace(PROJECT, async (ws) => {
		const hash = createHash("sha256").update(ws.read("notes.txt")).digest("hex");
		for (const [words, message] of [
			[
				["notes.txt", "two", "x", "--hash", hash.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
				"LSP_FILE_CHANGED",
			],
			[["notes.txt", "two", "x", "--hash", "short"], "LSP_INVALID_INPUT"],
			[["notes.txt", "absent", "x"], "the text does not occur in it"],
			[["src/a.ts", "x", "y"], "the text occurs 5 times, on lines 1, 2, 3, 4"],
			[["notes.txt", "two", "x", "--line", "1"], "Give either the text that is replaced, or its place."],
			[["notes.txt", "--new_text", "x", "--line", "9"], "Line 9 is past the end: the file has 3 lines."],
			[["none.txt", "two", "x"], "LSP_FILE_NOT_FOUND"],
			[["../outside.txt", "two", "x"], "LSP_OUTSIDE_WORKSPACE"],
		] as const) {
			const { code, stderr } = await ws.cli(["apply_edit", ...words]);
			expect(stderr, words.join(" ")).toContain(message);
			expect(code).toBe(2);
		}
		expect(ws.read("notes.txt")).toBe("one\ntwo\n");
		expect((await ws.cli(["apply_edit", "notes.txt", "two", "x", "--hash", hash.slice(0, 8)])).code).toBe(0);
	}));

describe("the position of a text", () => {
	const replaced = (text: string, old: string, next: string) => replaceAll(text, [replaceText(text, old, next, "a")]);

	test("is exact if possible, else that of the only lines that differ in white space alone", () => {
		expect(replaced("a = b\na  =  b\n", "a = b", "c")).toBe("c\na  =  b\n");
		expect(replaced("if x:\n        a  = 1\n", "\n  a = 1\n", "  a = 2\n  b = 3\n")).toBe(
			"if x:\n        a = 2\n        b = 3\n",
		);
		expect(() => replaced("  a\n    a\n", "\ta\n", "b")).toThrow("stand in 2 places, on lines 1, 2");
		expect(() => replaced("a b\n", "ab", "c")).toThrow("does not occur");
		expect(() => replaced("a\n", "", "c")).toThrow("is empty");
		expect(() => replaced("a\n", " \n", "c")).toThrow("does not occur");
	});

	test("by its lines and columns may be empty, or end with its line, and must exist", () => {
		const piece = (range: Parameters<typeof replacePiece>[1]) =>
			replaceAll("ab\ncd\n", [replacePiece("ab\ncd\n", range, "x")]);
		expect(piece({ line: 2 })).toBe("ab\nxcd\n");
		expect(piece({ line: 1, column: 2, endLine: 2 })).toBe("ax\n");
		expect(piece({ line: 1, column: 2, endLine: 1, endColumn: 3 })).toBe("ax\ncd\n");
		expect(() => piece({ line: 1, column: 4 })).toThrow("Column 4 is past the end");
		expect(() => piece({ line: 2, column: 1, endLine: 1, endColumn: 1 })).toThrow("ends before it begins");
	});
});
