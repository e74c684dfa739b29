import { describe, expect, test } from "vitest";
import { findProgram, withServers } from "../live/languages.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "graceMs": 20000 }\n`,
	"src/shop.ts": `/** Sells. */
export class Shop {
	judge(entry: string): boolean;
	judge(entry: number): boolean;
	judge(entry: unknown): boolean {
		return this.total() === entry;
	}

	/** The sum. */
	total(): number {
		return 1;
	}
}

export function unused(n: number): number {
	return n > 0 ? unused(n - 1) : 0;
}

export const { left, right } = { left: 1, right: 2 };
`,
	"src/app.ts": `import { Shop } from "./shop.ts";\n\nexport const total: number = new Shop().total();\n`,
};

test("replace_symbol writes the declaration, answers with the diff and the check, and undo takes it back", () =>
	withWorkspace(PROJECT, async (ws) => {
		const good = await ws.cli(["replace_symbol", "src/shop.ts", "Shop.total", "total(): number { return 2; }"]);
		expect(good.stdout).toContain("replaced: method Shop.total\n1 file: src/shop.ts\n");
		expect(good.stdout).toContain("-\ttotal(): number {\n-\t\treturn 1;\n-\t}\n+\ttotal(): number { return 2; }\n");
		expect(good.stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(good.code).toBe(0);
		const next = ws.read("src/shop.ts");
		expect(next).toContain("\t/** The sum. */\n\ttotal(): number { return 2; }\n}");
		// Its errors in another file are reported.
		const bad = await ws.cli(["replace_symbol", "src/shop.ts", "total", `total(): string { return ""; }`, "--json"]);
		expect(bad.code).toBe(1);
		const { check, undo, symbol, kind, written } = JSON.parse(bad.stdout);
		expect({ undo, symbol, kind, written }).toEqual({
			undo: "u2",
			symbol: "Shop.total",
			kind: "method",
			written: ["src/shop.ts"],
		});
		const broken = check.files.find(({ path }: { path: string }) => path === "src/app.ts");
		expect(broken.diagnostics[0]).toMatchObject({ code: "2322", new: true });
		expect((await ws.cli(["undo"])).code).toBe(0);
		expect(ws.read("src/shop.ts")).toBe(next);
	}));

test("changes of a symbol are refused, with nothing written, if they are not exact", () =>
	withWorkspace(PROJECT, async (ws) => {
		for (const [words, message] of [
			[
				["replace_symbol", "src/shop.ts", "total", "total(): number { return (; }"],
				"src/shop.ts would not parse any more with this in place of Shop.total on line 10: there is a syntax error on line 10,",
			],
			[
				["insert_after", "src/shop.ts", "judge", "total2() {"],
				"with this after Shop.judge on line 5: there is a syntax error",
			],
			[["replace_symbol", "src/shop.ts", "total", " \n"], "There is no code to write."],
			[["replace_symbol", "src/shop.ts", "judge", "judge() {}"], "judge[0] (line 3), judge[1] (line 4), judge[2]"],
			[["replace_symbol", "src/shop.ts", "judge[3]", "judge() {}"], "judge has 3 declarations"],
			[["delete_symbol", "src/shop.ts", "left"], "left on line 19 is declared together with others in one statement."],
			[["replace_symbol", "src/shop.ts", "left", "left = 3"], "left on line 19 is declared together with others"],
			[["delete_symbol", "src/shop.ts", "absent"], "This file does not declare absent."],
			[
				["delete_symbol", "src/shop.ts", "Shop"],
				"Shop is not deleted: 2 places refer to it: src/app.ts:1, src/app.ts:3.",
			],
			[["delete_symbol", "src/shop.ts", "total"], "2 places refer to it: src/app.ts:3, src/shop.ts:6."],
			[["insert_before", "src/none.ts", "total", "const a = 1;"], "LSP_FILE_NOT_FOUND"],
		] as const) {
			const { code, stderr } = await ws.cli(words);
			expect(stderr, words.join(" ")).toContain(message);
			expect(code).toBe(2);
		}
		for (const file of ["src/shop.ts", "src/app.ts"]) expect(ws.read(file)).toBe(PROJECT[file]);
	}));

test("delete_symbol deletes a symbol that only refers to itself; overloads are named by their index; line ends stay", () =>
	withWorkspace({ ...PROJECT, "src/shop.ts": String(PROJECT["src/shop.ts"]).replace(/\n/g, "\r\n") }, async (ws) => {
		const dry = await ws.cli(["delete_symbol", "src/shop.ts", "unused", "--dry_run"]);
		expect(dry.stdout).toContain("would be deleted: function unused");
		expect(dry.stdout).toContain("Nothing was written.");
		expect((await ws.cli(["delete_symbol", "src/shop.ts", "unused"])).code).toBe(0);
		expect((await ws.cli(["replace_symbol", "src/shop.ts", "judge[1]", "judge(entry: boolean): boolean;"])).code).toBe(
			0,
		);
		const after = await ws.cli(["insert_after", "src/shop.ts", "Shop.total", "size() {\n    return 1;\n}"]);
		expect(after.code).toBe(0);
		const text = ws.read("src/shop.ts");
		expect(text).not.toMatch(/(?<!\r)\n|\r(?!\n)/);
		expect(text.replace(/\r\n/g, "\n")).toBe(
			String(PROJECT["src/shop.ts"])
				.replace("judge(entry: number)", "judge(entry: boolean)")
				.replace("\t\treturn 1;\n\t}\n", "\t\treturn 1;\n\t}\n\n\tsize() {\n\t\treturn 1;\n\t}\n")
				.replace(/export function unused[\s\S]*?\n\}\n\n/, ""),
		);
	}));

const other: Readonly<
	Record<string, { program: string; file: string; text: string; symbol: string; code: string; is: string }>
> = {
	gopls: {
		program: "gopls",
		file: "a.go",
		text: "package a\n\n// T is one.\ntype T struct{}\n\n// F does.\nfunc (t *T) F() int { return 1 }\n",
		symbol: "T.F",
		code: "func (t *T) F() int {\n    return 2\n}",
		is: "package a\n\n// T is one.\ntype T struct{}\n\n// F does.\nfunc (t *T) F() int {\n    return 2\n}\n",
	},
	pyright: {
		program: "pyright-langserver",
		file: "a.py",
		text: "class A:\n    @property\n    def f(self) -> int: return 1\n",
		symbol: "A.f",
		code: "def f(self) -> int:\n\treturn 2",
		is: "class A:\n    @property\n    def f(self) -> int:\n        return 2\n",
	},
};

test.each(Object.entries(other))(
	"replace_symbol with %s",
	async (_, { program, file, text, symbol, code, is }) => {
		if (!findProgram(program)) return;
		const manifest = { "go.mod": "module a\n\ngo 1.22\n", "pyproject.toml": "[project]\nname = 'x'\n" };
		await withWorkspace({ ...manifest, [file]: text }, async (ws) => {
			const { stdout } = await ws.cli(["replace_symbol", file, symbol, code], { env: withServers(ws.env) });
			expect(ws.read(file), stdout).toBe(is);
		});
	},
	60_000,
);

test.skipIf(!findProgram("clangd"))(
	"delete_symbol takes the prototype of a function of C along, and is refused while something calls it",
	() => {
		const header = "/** Sums. */\nint sum(int a, int b);\nint other(void);\nint twice(int x);\n";
		const sum = "/* Sums. */\nint sum(int a, int b) {\n  return a + b;\n}\n\n";
		const other = "int other(void) { return 1; }\n\n";
		const twice = "int twice(int x) { return 2 * x; }\n\nint user(void) { return twice(1); }\n";
		const unit = (...parts: readonly string[]) => `#include "a.h"\n\n${parts.join("")}`;
		return withWorkspace({ "a.h": header, "a.c": unit(other, sum, twice) }, async (ws) => {
			const env = withServers(ws.env);
			const used = await ws.cli(["delete_symbol", "a.c", "twice"], { env });
			expect(used.stderr).toContain("twice is not deleted: one place refers to it: a.c:12.");
			expect(used.code).toBe(2);
			expect((await ws.cli(["delete_symbol", "a.c", "sum"], { env })).stdout).toContain("2 files: a.c, a.h\n");
			expect(ws.read("a.c")).toBe(unit(other, twice));
			expect(ws.read("a.h")).toBe("int other(void);\nint twice(int x);\n");
		});
	},
	60_000,
);

describe.skipIf(!findProgram("clangd"))("delete_symbol of a method of C++ takes declaration and definition", () => {
	const header = (put: string) => `#pragma once\nclass Till {\n public:\n${put}  int sum() const;\n};\n`;
	const source = (put: string) => `#include "till.h"\n\n${put}int Till::sum() const { return 1; }\n`;
	const files = {
		"compile_flags.txt": "-xc++\n",
		"till.h": header("  /// Puts.\n  void put(int amount);\n"),
		"till.cc": source("void Till::put(int amount) { (void)amount; }\n\n"),
	};

	test.each([
		["till.h", "put"],
		["till.h", "Till.put"],
		["till.cc", "put"],
		["till.cc", "Till::put"],
		["till.cc", "3:put"],
	])(
		"named in %s as %s",
		(file, symbol) =>
			withWorkspace(files, async (ws) => {
				const { stdout, stderr } = await ws.cli(["delete_symbol", file, symbol], { env: withServers(ws.env) });
				expect(stdout, stderr).toContain("2 files: till.cc, till.h\n");
				expect(ws.read("till.h")).toBe(header(""));
				expect(ws.read("till.cc")).toBe(source(""));
			}),
		60_000,
	);
});

test("a server reports without a grammar whether the new text parses, before it is written", () => {
	const found = [{ name: "name", kind: 12, range: range(1, 0, 10), selectionRange: range(1, 0, 4) }];
	const items = [{ range: range(1, 0, 4), severity: 1, message: "Unexpected token." }];
	const script = {
		on: [
			{ method: "textDocument/documentSymbol", do: [{ reply: found }] },
			{ method: "textDocument/diagnostic", nth: 2, do: [{ reply: { kind: "full", items } }] },
		],
	};
	return withFakeServer(script, async ({ ws }) => {
		const refused = await ws.cli(["replace_symbol", "a.zzz", "name", "other ("]);
		expect(refused.stderr).toContain(
			"a.zzz would not parse any more with this in place of name on line 2: Unexpected token.",
		);
		expect(refused.code).toBe(2);
		expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		const written = await ws.cli(["replace_symbol", "a.zzz", "name", "other()"]);
		expect(written.stdout).toContain("replaced: function name");
		expect(ws.read("a.zzz")).toBe("/// WRONG\nother()\n");
	});
});

function range(line: number, start: number, end: number) {
	return { start: { line, character: start }, end: { line, character: end } };
}
