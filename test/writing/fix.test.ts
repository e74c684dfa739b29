import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isThere, withServers } from "../live/languages.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { versions } from "./typescript-versions.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\nexport const late = 1;\n",
	"src/app.ts": 'export const loud = greet("you");\nexport const twice = late + greet("me").length;\n',
	"src/sum.ts": "export function sum(a: number): number {\n\treturn a * 2 + 1;\n}\n",
	"src/other.ts": 'import { late, greet } from "./greet.ts";\nexport const x=greet("a");\n',
};

test.each(versions)("%s: an error is fixed by its line, by its code, and all of one kind in a file", (_, more) =>
	withWorkspace({ ...PROJECT, ...more }, async (ws) => {
		const one = await ws.cli(["fix", "src/app.ts:2", "--dry-run"]);
		expect(one.stdout).toContain('would be fixed 1 diagnostic: Add import from "./greet.ts"\n');
		expect(one.stdout).toContain('+import { late } from "./greet.ts";\n');
		expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]);
		const none = await ws.cli(["fix", "src/app.ts", "--code", "1005"]);
		expect(none.stderr).toContain("src/app.ts has no such error.\n`pi-lsp check` says what is wrong.\n");
		expect(none.code).toBe(2);
		const { code, stdout } = await ws.cli(["fix", "src/app.ts", "--code", "2304", "--all"]);
		expect(stdout).toContain("fixed 2 diagnostics: ");
		expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(code).toBe(0);
		expect(ws.read("src/app.ts")).toContain('import { greet, late } from "./greet.ts";\n');
		expect((await ws.cli(["check", "src/app.ts"])).code).toBe(0);
	}),
);

test("All errors of one kind below a directory are fixed in one change, and those of another kind stay", () =>
	withWorkspace(
		{
			...PROJECT,
			"src/deep/more.ts": 'export const more = greet("more");\nexport const wrong: number = "text";\n',
		},
		async (ws) => {
			const { code, stdout } = await ws.cli(["fix", "src", "--code", "2304", "--all"]);
			expect(stdout).toContain("fixed 3 diagnostics: ");
			expect(stdout).toContain("2 files: src/app.ts, src/deep/more.ts\n");
			expect(stdout).toContain("Checked: nothing new is wrong; 1 error from before is still there.\nundo: u1");
			expect(code).toBe(0);
			expect((await ws.cli(["undo", "--list"])).stdout).toBe("u1  fix 3 diagnostics in src · 2 files\n");
			const none = await ws.cli(["fix", "src", "--code", "2304", "--all"]);
			expect(none.stderr).toContain("No file below src has such an error.\n`pi-lsp check` says what is wrong.\n");
			expect(none.code).toBe(2);
			// The errors are back.
			expect((await ws.cli(["undo"])).code).toBe(1);
			expect(ws.read("src/deep/more.ts")).not.toContain("import");
		},
	));

test.each(versions)("%s: imports are organized, a file formatted, and actions applied by title", (_, more) =>
	withWorkspace({ ...PROJECT, ...more }, async (ws) => {
		const organized = await ws.cli(["organize_imports", "src/other.ts"]);
		expect(organized.stdout).toContain("imports organized in src/other.ts\n");
		// TypeScript 5.9 only sorts them.
		expect(ws.read("src/other.ts")).toMatch(/import \{ greet(?:, late)? \} from/);
		expect(organized.code).toBe(0);
		const formatted = await ws.cli(["format", "src/other.ts", "--line", "2"]);
		expect(formatted.stdout).toContain("+export const x = greet");
		expect(formatted.code).toBe(0);
		expect((await ws.cli(["format", "src/other.ts"])).stdout).toBe("There is nothing to change.\n");
		const applied = await ws.cli(["apply_code_action", "src/app.ts", "import from", "--line", "1"]);
		expect(applied.stdout).toContain('applied "Add import from "./greet.ts""\n');
		const absent = await ws.cli(["apply_code_action", "src/app.ts", "Polish it", "--line", "2"]);
		expect(absent.stderr).toContain('has no action "Polish it" here');
		expect(absent.code).toBe(2);
	}),
);

test("TypeScript 5.9 refactors without a command, so without trust, and creates no file before it is written", () =>
	withWorkspace({ ...PROJECT, ...versions[1]![1] }, async (ws) => {
		const words = "apply_code_action src/sum.ts constant --line 2 --column 9 --end-column 14 --kind refactor.extract";
		const { code, stdout } = await ws.cli(words.split(" "));
		expect(stdout).toContain("+\tconst newLocal = a * 2;\n");
		expect(code).toBe(0);
		const trusted = { env: { ...ws.env, PI_LSP_TRUST: "1" } };
		const move = ["apply_code_action", "src/greet.ts", "to a new file", "--line", "1", "--dry-run"];
		const moved = await ws.cli(move, trusted);
		expect(moved.stdout).toContain("+++ b/src/greet.1.ts\n");
		expect(readdirSync(ws.path("src")).sort()).toEqual(["app.ts", "greet.ts", "other.ts", "sum.ts"]);
	}));

const go = isThere("gopls") ? "" : ": gopls is not installed";
test.skipIf(go !== "")(`gopls organizes imports, formats and fills a struct${go}`, () =>
	withWorkspace(
		{
			"go.mod": "module ex\n\ngo 1.22\n",
			"a.go":
				'package ex\n\nimport (\n\t"os"\n\t"fmt"\n)\n\ntype P struct{ A, B int }\n\nfunc F() P { fmt.Println( 1 ); return P{} }\n',
		},
		async (ws) => {
			const options = { env: withServers(ws.env) };
			const { code, stdout } = await ws.cli(["organize_imports", "a.go"], options);
			expect(stdout).toContain('-\t"os"\n');
			expect(code).toBe(0);
			expect((await ws.cli(["format", "a.go"], options)).stdout).toContain("fmt.Println(1)");
			const line = String(
				ws
					.read("a.go")
					.split("\n")
					.findIndex((each) => each.includes("P{}")) + 1,
			);
			const column = String((ws.read("a.go").split("\n")[Number(line) - 1] ?? "").indexOf("P{}") + 3);
			const filled = await ws.cli(["apply_code_action", "a.go", "Fill P", "--line", line, "--column", column], options);
			expect(filled.stdout).toMatch(/\+\s+A: 0,/);
		},
	),
);

const ruff = ["ruff", "pyright-langserver"].every(isThere) ? "" : ": ruff or pyright is not installed";
test.skipIf(ruff !== "")(`the linter of a Python project fixes and formats it${ruff}`, () =>
	withWorkspace(
		{ "ruff.toml": "", "pyrightconfig.json": "{}", "a.py": "import os\n\n\ndef f(a: int) -> int:\n    return   a\n" },
		async (ws) => {
			const options = { env: withServers(ws.env) };
			expect((await ws.cli(["fix", "a.py:1"], options)).stdout).toContain("Remove unused import: `os`");
			expect(ws.read("a.py")).not.toContain("import os");
			await ws.cli(["format", "a.py"], options);
			expect(ws.read("a.py")).toContain("    return a\n");
		},
	),
);

test.each(versions)(
	"%s: --all reports its fixes and how many errors are left, hints among them, and a clean file as clean",
	(_, more) =>
		withWorkspace(
			{
				...PROJECT,
				...more,
				"src/app.ts": `import { sep } from "node:path";\nexport const n: number = "text";\n${PROJECT["src/app.ts"]}`,
			},
			async (ws) => {
				const { code, stdout } = await ws.cli(["fix", "src/app.ts", "--all"]);
				expect(stdout).toMatch(
					/^fixed \d diagnostics: Add import from "\.\/greet\.ts"[^\n]* · \d left\n1 file: src\/app\.ts\n/,
				);
				expect(stdout).toContain("Checked: nothing new is wrong; ");
				expect(code).toBe(0);
				const clean = await ws.cli(["fix", "src/greet.ts", "--all"]);
				expect(clean.stderr).toContain("src/greet.ts has no such error.\n");
				expect(clean.code).toBe(2);
			},
		),
);

/** A server that answers code actions and formatting of a.zzz with this. */
function acting(actions: readonly unknown[], edits: unknown = null) {
	return {
		capabilities: { codeActionProvider: { resolveProvider: true }, documentFormattingProvider: true },
		on: [
			{ method: "textDocument/codeAction", do: [{ reply: actions }] },
			{ method: "codeAction/resolve", do: [{ reply: { title: "late", edit: { changes: [1] } } }] },
			{ method: "textDocument/formatting", do: [{ reply: edits }] },
		],
	};
}

test.each([
	["an edit that cannot be read", ["apply_code_action", "a.zzz", "late"], [{ title: "late" }], "could not be read"],
	["a disabled one", ["apply_code_action", "a.zzz", "off"], [{ title: "off", disabled: { reason: "no" } }], "here: no"],
	["several", ["apply_code_action", "a.zzz", "o"], [{ title: "one" }, { title: "two" }], 'means several: "one", "two"'],
	[
		"two fixes",
		["fix", "a.zzz:1"],
		[
			{ title: "one", kind: "quickfix" },
			{ title: "two", kind: "quickfix" },
		],
		'"one"',
	],
	["none", ["fix", "a.zzz"], [], "has no fix that it prefers"],
	["none for all", ["fix", "a.zzz", "--all"], [], "has no fix that it prefers"],
])("nothing is applied of a server whose actions are %s", (_, words, actions, message) =>
	withFakeServer(acting(actions), async ({ ws }) => {
		const { code, stderr } = await ws.cli(words);
		expect(stderr).toContain(message);
		expect(code).toBe(2);
		expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
	}),
);

test("an action that the server calls impossible is counted, and shown with its reason once its kind is requested", () => {
	const actions = [
		{ title: "Extract constant", kind: "refactor.extract", disabled: { reason: "no expression" } },
		{ title: "Inline", kind: "refactor.inline" },
	];
	return withFakeServer(acting(actions), async ({ ws }) => {
		const all = await ws.cli(["code_actions", "a.zzz:2:1"]);
		expect(all.stdout).toContain("Inline [refactor.inline]\n1 more are not possible here; ask for a kind");
		const extract = await ws.cli(["code_actions", "a.zzz:2:1", "--kind", "refactor"]);
		expect(extract.stdout).toContain("Extract constant [refactor.extract], not here: no expression");
	});
});
