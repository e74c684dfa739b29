import { expect, test } from "vitest";
import { findProgram, withServers } from "../live/languages.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts":
		"export function greet(name: string): string {\n\treturn name;\n}\nexport function hello(): void {}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
	"src/other.ts": `import { greet } from "./greet.ts";\n\nexport const welcome = greet("me");\n`,
	"src/deep/more.ts": `export { greet } from "../greet.ts";\n`,
};

test("rename writes every file, answers with the diff and the check, and exits with 0 if nothing is broken", () =>
	withWorkspace(PROJECT, async (ws) => {
		const { code, stdout } = await ws.cli(["rename", "src/greet.ts", "greet", "salute"]);
		expect(stdout).toContain("renamed greet → salute · 6 places in 4 files\n");
		expect(stdout).toContain("-export function greet(name: string): string {\n+export function salute(name: string)");
		expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(code).toBe(0);
		expect(ws.read("src/app.ts")).toBe(`import { salute } from "./greet.ts";\n\nexport const loud = salute("you");\n`);
		expect(ws.read("src/deep/more.ts")).toBe(`export { salute as greet } from "../greet.ts";\n`);
		// The server's next answer is about the new texts.
		expect((await ws.cli(["references", "src/greet.ts", "salute"])).stdout).toContain("src/other.ts");
	}));

test("rename exits with 1 and names its new errors; --json has the files, the diff, the call that undoes it and the check", () =>
	withWorkspace(PROJECT, async (ws) => {
		const { code, stdout } = await ws.cli(["rename", "src/greet.ts", "greet", "welcome", "--json"]);
		expect(code).toBe(1);
		const { written, diff, undo, check } = JSON.parse(stdout);
		expect(written).toEqual(["src/app.ts", "src/deep/more.ts", "src/greet.ts", "src/other.ts"]);
		expect(diff).toContain("+++ b/src/app.ts");
		expect(undo).toBe("u1");
		const broken = check.files.find(({ path }: { path: string }) => path === "src/other.ts");
		expect(broken.diagnostics[0]).toMatchObject({ code: "2440", new: true });
		expect(JSON.parse(stdout)).not.toHaveProperty("planned");
	}));

test("rename --dry-run shows everything and writes nothing; excluded files stay and are named", () =>
	withWorkspace(PROJECT, async (ws) => {
		const { code, stdout } = await ws.cli(["rename", "src/greet.ts", "greet", "salute", "--dry-run"]);
		expect(code).toBe(0);
		expect(stdout).toContain("would be renamed greet → salute · 6 places in 4 files");
		expect(stdout).toContain("Nothing was written.");
		for (const file of ["src/greet.ts", "src/app.ts"]) expect(ws.read(file)).toBe(PROJECT[file]);
		for (const glob of ["**/more.ts", "src/deep", "more.ts", "*.nothing"]) {
			const shown = await ws.cli(["rename", "src/greet.ts", "greet", "salute", "--dry-run", "--exclude", glob]);
			expect(shown.stdout.includes("Excluded: src/deep/more.ts."), glob).toBe(glob !== "*.nothing");
		}
	}));

test.each([
	["no identifier", "two words", "is no identifier"],
	["a keyword", "class", "is a keyword"],
	["the old name", "greet", "is its name already"],
	["a name that exists in the same scope", "hello", "hello is declared already, on line 4 of src/greet.ts."],
])("rename refuses %s with exit code 2", (_, name, message) =>
	withWorkspace(PROJECT, async (ws) => {
		const { code, stderr } = await ws.cli(["rename", "src/greet.ts", "greet", name]);
		expect(stderr).toContain("LSP_EDIT_REFUSED");
		expect(stderr).toContain(message);
		expect(code).toBe(2);
		expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
	}),
);

test("rename refuses a word for which the server would rename a name elsewhere", () =>
	withWorkspace(PROJECT, async (ws) => {
		const { code, stderr } = await ws.cli(["rename", "src/app.ts", "1:import", "salute"]);
		expect(stderr).toContain("import is no name; the server would rename greet at 1:10.\nNothing was written.");
		expect(code).toBe(2);
		expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]);
		// A position is not a word: a declaration may be given by its start.
		const at = ["rename", "src/greet.ts", "--line", "1", "--column", "8", "--new_name", "salute", "--dry-run"];
		expect((await ws.cli(at)).stdout).toContain("would be renamed greet → salute");
	}));

test("rename refuses keywords and symbols of a library, with the server's message, and unknown symbols", () =>
	withWorkspace({ ...PROJECT, "src/lib.ts": "export const all = [1].map(String);\n" }, async (ws) => {
		const library = await ws.cli(["rename", "src/lib.ts", "1:map", "salute"]);
		expect(library.stderr).toContain("map cannot be renamed");
		expect(library.code).toBe(2);
		expect((await ws.cli(["rename", "src/lib.ts", "1:export", "salute"])).code).toBe(2);
		const absent = await ws.cli(["rename", "src/lib.ts", "absent", "salute"]);
		expect(absent.stderr).toContain("LSP_SYMBOL_NOT_FOUND");
		expect(absent.code).toBe(2);
	}));

/** A server that answers a rename of `name` in a.zzz with this. */
function answering(reply: unknown) {
	return {
		capabilities: { renameProvider: true, documentSymbolProvider: false },
		on: [{ method: "textDocument/rename", do: [{ reply }] }],
	};
}

test.each([
	["null", () => null, "found nothing to rename"],
	["no edits", () => ({ changes: {} }), "found nothing to rename"],
	["overlapping edits", (uri: string) => ({ changes: { [uri]: [edit(0, 4), edit(2, 6)] } }), "two edits of it overlap"],
	["edits at lines that are not there", (uri: string) => ({ changes: { [uri]: [edit(0, 4, 70)] } }), "it has 3"],
	["a file outside", () => ({ changes: { "file:///etc/hostname": [edit(0, 1)] } }), "outside of"],
	["something else", () => ({ changes: [1] }), "could not be read"],
])("rename with a server that answers %s is refused, and nothing is written", (_, reply, message) =>
	withFakeServer(
		(root) => answering(reply(`file://${root}/a.zzz`)),
		async ({ ws }) => {
			const { code, stderr } = await ws.cli(["rename", "a.zzz", "2:name", "other"]);
			expect(stderr).toContain(message);
			expect(code).toBe(2);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		},
	),
);

test("rename with a server that answers with a whole file writes that file", () =>
	withFakeServer(
		(root) => {
			const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
			return answering({ changes: { [`file://${root}/a.zzz`]: [{ range, newText: "/// WRONG\nother(other)\n" }] } });
		},
		async ({ ws }) => {
			await ws.cli(["rename", "a.zzz", "2:name", "other"]);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nother(other)\n");
		},
	));

test.each([
	[
		"in time, and exits with 3 if they are not",
		{ never: true },
		3,
		"a.zzz: not checked in time (not proven within 50 ms)",
	],
	["and exits with 0 if only earlier errors remain", { default: true }, 0, "nothing new is wrong"],
] as const)("rename waits until the written files are proven %s", (_, after, expected, words) =>
	withFakeServer(
		(root) => {
			const { capabilities, on } = answering({ changes: { [`file://${root}/a.zzz`]: [edit(0, 4)] } });
			const proof = "textDocument/diagnostic";
			const before = { method: proof, nth: 1, do: [{ default: true }] } as const;
			return { capabilities, on: [...on, before, { method: proof, do: [after] }] };
		},
		async ({ ws }) => {
			ws.write(".pi-lsp.json", JSON.stringify({ warmMs: expected === 3 ? 50 : 60_000 }));
			const { code, stdout } = await ws.cli(["rename", "a.zzz", "2:name", "other"]);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nother(name)\n");
			expect(stdout).toContain(words);
			expect(stdout).toContain("undo: u1");
			expect(code).toBe(expected);
		},
	),
);

function edit(start: number, end: number, line = 1) {
	return { range: { start: { line, character: start }, end: { line, character: end } }, newText: "other" };
}

test("no error of an old header is reported by clangd after a rename to a name of the same length", async () => {
	if (!findProgram("clangd")) return;
	const files = {
		"compile_flags.txt": "-I.\n",
		"a.h": "int f(int a);\n",
		"a.c": '#include "a.h"\nint f(int a) { return a; }\n',
		"b.c": '#include "a.h"\nint main(void) { return f(1); }\n',
	};
	await withWorkspace(files, async (ws) => {
		for (const [from, to] of ["fg", "gh", "hi"] as const) {
			const { code, stdout } = await ws.cli(["rename", "a.c", String(from), String(to)], { env: withServers(ws.env) });
			expect(stdout).toContain("3 places in 3 files");
			expect(stdout).toContain("Checked: nothing new is wrong.");
			expect(code).toBe(0);
		}
	});
});
