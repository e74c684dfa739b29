import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { isThere, withServers } from "../live/languages.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/base.ts": "export const base = 3;\n",
	"src/sum.ts":
		'import { base } from "./base.ts";\n\nexport function sum(a: number): number {\n\tconst twice = a * 2;\n\treturn twice + base;\n}\n\nexport const other = sum(1);\n',
	"src/app.ts": 'import { sum } from "./sum.ts";\nexport const x = sum(2);\n',
};
const project5 = (packages: object = {}): Files => ({
	...PROJECT,
	"package.json": JSON.stringify({
		name: "sample",
		type: "module",
		devDependencies: { typescript: "5.9.3", ...packages },
	}),
});

const isAsGiven = (ws: Workspace, files: Files) =>
	Object.entries(files).every(([file, text]) => ws.read(file) === text) &&
	readdirSync(ws.path("src")).length === Object.keys(files).filter((file) => file.startsWith("src/")).length;

test("TypeScript 5.9 extracts a constant under the given name, and inlines it again", () =>
	withWorkspace(project5(), async (ws) => {
		const several = await ws.cli(["extract", "src/sum.ts", "a * 2"]);
		expect(several.stderr).toContain("several ways to extract this: \"Extract to inner function in function 'sum'\"");
		expect(several.stderr).toContain("Give `as`");
		const taken = await ws.cli(["extract", "src/sum.ts", "a * 2", "--as", "constant", "--name", "base"]);
		expect(taken.stderr).toContain("base stands in src/sum.ts already");
		const none = await ws.cli(["extract", "src/sum.ts", "import"]);
		expect(none.stderr).toContain("LSP_EDIT_REFUSED: typescript-language-server can extract nothing here: ");
		expect([several.code, taken.code, none.code]).toEqual([2, 2, 2]);
		const dry = await ws.cli(["extract", "src/sum.ts", "a * 2", "--as", "module scope", "--dry-run"]);
		expect(dry.stdout).toContain("would be extracted newFunction: Extract to function in module scope\n");
		expect(isAsGiven(ws, project5())).toBe(true);
		const words = ["extract", "src/sum.ts", "a * 2", "--as", "constant", "--name", "double"];
		const { code, stdout } = await ws.cli(words);
		expect(stdout).toContain("extracted double: Extract to constant in enclosing scope\n1 file: src/sum.ts\n");
		expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(code).toBe(0);
		expect(ws.read("src/sum.ts")).toContain("\tconst double = a * 2;\n\tconst twice = double;\n");
		const inlined = await ws.cli(["inline", "src/sum.ts", "4:double"]);
		expect(inlined.stdout).toContain("inlined 4:double: Inline variable\n");
		expect(ws.read("src/sum.ts")).toBe(PROJECT["src/sum.ts"]);
	}));

describe.each([
	["typescript-language-server", {}],
	["vtsls", { "@vtsls/language-server": "0.3.0" }],
])("the refactoring of %s", (server, packages) => {
	const missing = server === "vtsls" && !isThere("vtsls") ? ": vtsls is not installed" : "";
	test.skipIf(missing !== "")(`moves a symbol to a new file and to another one, with the imports${missing}`, () => {
		const files = project5(packages);
		return withWorkspace(files, async (ws) => {
			const options = { env: { ...withServers(ws.env), PI_LSP_SANDBOX: "off", PI_LSP_TRUST: "1" } };
			const { code, stdout } = await ws.cli(["move_symbol", "src/sum.ts", "sum", "src/deep/new.ts"], options);
			expect(stdout).toContain("moved sum → src/deep/new.ts\n3 files: src/app.ts, src/deep/new.ts, src/sum.ts\n");
			expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
			expect(code).toBe(0);
			expect(ws.read("src/app.ts")).toContain('import { sum } from "./deep/new.ts";');
			expect(ws.read("src/deep/new.ts")).toContain('import { base } from "../base.ts";');
			expect((await ws.cli(["undo"], options)).code).toBe(0);
			for (const [file, text] of Object.entries(files)) expect(ws.read(file)).toBe(text);
			expect(existsSync(ws.path("src/deep/new.ts"))).toBe(false);
			const joined = await ws.cli(["move_symbol", "src/sum.ts", "sum", "src/base.ts"], options);
			expect(joined.code).toBe(0);
			expect(ws.read("src/base.ts")).toContain(
				"export const base = 3;\nexport function sum(a: number): number {\n\tconst",
			);
			const own = await ws.cli(["move_symbol", "src/sum.ts", "other", "src/sum.ts"], options);
			expect(own.stderr).toContain("other stands in src/sum.ts already.");
			const outside = await ws.cli(["move_symbol", "src/sum.ts", "other", "../other.ts"], options);
			expect(outside.stderr).toContain("is outside of");
			expect([own.code, outside.code]).toEqual([2, 2]);
		});
	});
});

test("TypeScript 7 refuses all three by a sentence, and does not list them as supported", () =>
	withWorkspace(PROJECT, async (ws) => {
		for (const [words, sentence] of [
			[["extract", "src/sum.ts", "a * 2"], "typescript cannot extract anything."],
			[["inline", "src/sum.ts", "4:twice"], "typescript cannot inline anything."],
			[["move_symbol", "src/sum.ts", "sum", "src/new.ts"], "typescript cannot move a symbol to another file."],
		] as const) {
			const { code, stderr } = await ws.cli(words);
			expect(stderr).toContain(`LSP_UNSUPPORTED_REQUEST: ${sentence}\nNothing was written.`);
			expect(code).toBe(2);
		}
		const { stdout } = await ws.cli(["capabilities", "src/sum.ts"]);
		expect(stdout).toMatch(/does not support: .*move_symbol, extract, inline/);
		expect(isAsGiven(ws, PROJECT)).toBe(true);
	}));

const GO =
	"package ex\n\nfunc Sum(a int) int {\n\ttwice := a * 2\n\treturn twice + 1\n}\n\nfunc Other() int {\n\treturn Sum(3)\n}\n";
const go = isThere("gopls") ? "" : ": gopls is not installed";
test.skipIf(go !== "")(`gopls extracts, inlines and moves to a new file of the package${go}`, () =>
	withWorkspace({ "go.mod": "module ex\n\ngo 1.22\n", "a.go": GO }, async (ws) => {
		const options = { env: { ...withServers(ws.env), PI_LSP_TRUST: "1" } };
		const { code, stdout } = await ws.cli(["extract", "a.go", "a * 2", "--name", "double"], options);
		expect(stdout).toContain("extracted double: Extract variable\n");
		expect(code).toBe(0);
		expect(ws.read("a.go")).toContain("\tdouble := a * 2\n\ttwice := double\n");
		await ws.cli(["undo"], options);
		expect((await ws.cli(["inline", "a.go", "9:Sum", "--dry-run"], options)).stdout).toContain("+\ttwice := 3 * 2\n");
		const elsewhere = await ws.cli(["move_symbol", "a.go", "Sum", "lib/sum.go"], options);
		expect(elsewhere.stderr).toContain("gopls moves a symbol only to a new file of the same directory.");
		const moved = await ws.cli(["move_symbol", "a.go", "Sum", "add.go"], options);
		expect(moved.stdout).toContain("moved Sum → add.go\n2 files: a.go, add.go\n");
		expect(moved.code).toBe(0);
		expect(ws.read("add.go")).toBe(`package ex\n\n${GO.slice(GO.indexOf("func Sum"), GO.indexOf("\nfunc Other"))}`);
	}),
);

const rust = isThere("rust-analyzer") && isThere("cargo") ? "" : ": rust-analyzer or cargo is not installed";
test.skipIf(rust !== "")(`rust-analyzer extracts and inlines, and moves no symbol${rust}`, { timeout: 180_000 }, () =>
	withWorkspace(
		{
			"Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\nedition = "2021"\n',
			"src/lib.rs": "pub fn sum(a: i32) -> i32 {\n    let twice = a * 2;\n    twice + 1\n}\n",
		},
		async (ws) => {
			const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
			const options = { env: { ...withServers(ws.env), RUSTUP_HOME, PI_LSP_TRUST: "1" } };
			const words = ["extract", "src/lib.rs", "a * 2", "--as", "variable", "--name", "double", "--dry-run"];
			// The server may still be reading the standard library.
			const look = async () => {
				const { code, stdout, stderr } = await ws.cli(words, options);
				return code === 0 ? met(stdout) : notYet(stderr);
			};
			const extracted = await until("it extracts", look, { timeoutMs: 150_000 });
			expect(extracted).toContain("+    let double = a * 2;\n+    let twice = double;\n");
			const inlined = await ws.cli(["inline", "src/lib.rs", "2:twice", "--dry-run"], options);
			expect(inlined.stdout).toContain("+    (a * 2) + 1\n");
			const moved = await ws.cli(["move_symbol", "src/lib.rs", "sum"], options);
			expect(moved.stderr).toContain("rust-analyzer cannot move a symbol to another file.");
		},
	),
);

const clangd = isThere("clangd") ? "" : ": clangd is not installed";
test.skipIf(clangd !== "")(`clangd extracts by a command, which needs trust${clangd}`, () =>
	withWorkspace(
		{
			"compile_flags.txt": "-std=c++17\n",
			"a.cpp": "int sum(int a) {\n  int twice = a * 2;\n  return twice + 1;\n}\n",
		},
		async (ws) => {
			const options = { env: withServers(ws.env) };
			const words = ["extract", "a.cpp", "a * 2", "--name", "doubled"];
			expect((await ws.cli(words, options)).stderr).toContain("LSP_SERVER_UNTRUSTED");
			const { code } = await ws.cli(words, { env: { ...options.env, PI_LSP_TRUST: "1" } });
			expect(code).toBe(0);
			expect(ws.read("a.cpp")).toContain("  auto doubled = a * 2;\n  int twice = doubled;\n");
		},
	),
);

const extracting = (edit: unknown) => ({
	capabilities: { codeActionProvider: { resolveProvider: true } },
	on: [
		{ method: "textDocument/codeAction", do: [{ reply: [{ title: "Extract it", kind: "refactor.extract" }] }] },
		{ method: "codeAction/resolve", do: [{ reply: edit }] },
	],
});
const edit = (start: number, end: number) => ({
	range: { start: { line: 1, character: start }, end: { line: 1, character: end } },
	newText: "other",
});

test.each([
	["null", () => null, 'has no edit for "Extract it"'],
	["no edit", () => ({ title: "Extract it" }), 'has no edit for "Extract it"'],
	["something that is no edit", () => ({ title: "Extract it", edit: { changes: [1] } }), "could not be read"],
	[
		"overlapping edits",
		(uri: string) => ({ title: "Extract it", edit: { changes: { [uri]: [edit(0, 4), edit(2, 6)] } } }),
		"two edits of it overlap",
	],
])("nothing is written of a server that answers an extraction with %s", (_, reply, message) =>
	withFakeServer(
		(root) => extracting(reply(`file://${root}/a.zzz`)),
		async ({ ws }) => {
			const { code, stderr } = await ws.cli(["extract", "a.zzz", "--line", "2"]);
			expect(stderr).toContain(message);
			expect(code).toBe(2);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		},
	),
);
