import { createHash } from "node:crypto";
import { readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "graceMs": 20000, "coldMs": 60000, "warmMs": 60000 }`,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\nexport const old: number = 'x';\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
	"src/more.ts": `export { greet as welcome } from "./greet.ts";\n`,
	"src/far.ts": `import { welcome } from "./more.ts";\n\nwelcome("far");\n`,
};

const ON_5: Files = {
	"package.json": JSON.stringify({ name: "sample", type: "module", devDependencies: { typescript: "5.9.3" } }),
};

const EDITS: Readonly<Record<string, string>> = {
	"its own body breaks": PROJECT["src/greet.ts"]!.replace("return name", "return nam"),
	"its users break": PROJECT["src/greet.ts"]!.replace("name: string", "name: number"),
	"an export goes": PROJECT["src/greet.ts"]!.replace("function greet", "function greeting"),
	"an old error goes": PROJECT["src/greet.ts"]!.replace("'x'", "1"),
	"nothing changes for anybody": PROJECT["src/greet.ts"]!.replace("return name", "return name + name"),
};

const content = async (ws: Workspace, file: string, text: string, more: readonly string[] = []) => {
	const at = join(ws.base, "new text");
	ws.write("../new text", text);
	return ws.cli(["preview", file, "--content", at, ...more]);
};

/** The texts of all blocks. */
const blocks = (text: string) => text.match(/<diagnostics.*?<\/diagnostics>/gs) ?? [];

describe("a preview", () => {
	test.each([
		["TypeScript 7", {}],
		["TypeScript 5.9", ON_5],
	])("reports the result of a check after the edit is written, and writes nothing (%s)", (_, more) =>
		withWorkspace({ ...PROJECT, ...more }, async (ws) => {
			for (const [what, text] of Object.entries(EDITS)) {
				const before = ws.read("src/greet.ts");
				const previewed = await content(ws, "src/greet.ts", text, ["--json"]);
				const shown = await content(ws, "src/greet.ts", text);
				expect(ws.read("src/greet.ts"), what).toBe(before);
				// Diagnostics of the tree on disk have nothing of the edit.
				const now = await ws.cli(["check", "src/greet.ts", "src/app.ts", "src/far.ts", "--json"]);
				const errors = JSON.parse(now.stdout).files.flatMap(
					({ diagnostics }: { diagnostics: object[] }) => diagnostics,
				);
				expect(errors, what).toMatchObject([{ line: 4, code: "2322" }]);
				ws.write("src/greet.ts", text);
				const written = await ws.cli(["check", "src/greet.ts", "--scope", "affected", "--json"]);
				ws.write("src/greet.ts", before);
				await ws.cli(["check", "src/greet.ts", "--scope", "affected"]);
				const expected = found(written.stdout);
				expect(found(previewed.stdout), what).toEqual(expected);
				const { new: caused, fixed, netDelta } = JSON.parse(previewed.stdout);
				expect(netDelta, what).toBe(caused - fixed);
				expect(previewed.code, what).toBe(caused > 0 ? 1 : 0);
				expect(JSON.parse(previewed.stdout).judged["src/greet.ts"], what).toBe(sha256(text));
				expect(blocks(shown.stdout).length > 0, what).toBe(expected.length > 0);
				expect(shown.stdout, what).toContain("Nothing was written.");
			}
		}),
	);

	test("finds the users of a file before any other query in a larger tree", () => {
		const fillers = Array.from({ length: 400 }, (_, index) => [
			`src/filler-${index}.ts`,
			`${index === 0 ? "" : `import { value${index - 1} } from "./filler-${index - 1}.ts";\n`}export const value${index} = ${index === 0 ? "1" : `value${index - 1} + 1`};\n`,
		]);
		return withWorkspace({ ...PROJECT, ...Object.fromEntries(fillers) }, async (ws) => {
			const first = await content(ws, "src/greet.ts", EDITS["its users break"]!, ["--json"]);
			expect(JSON.parse(first.stdout).new).toBe(3);
		});
	});

	test("judges a patch of several files, a new one among them, and refuses one that does not fit", () =>
		withWorkspace(PROJECT, async (ws) => {
			const patch = [
				...["--- /dev/null", "+++ b/src/new.ts", "@@ -0,0 +1,1 @@", "+export const fresh: number = 1;"],
				...["--- a/src/app.ts", "+++ b/src/app.ts", "@@ -1,1 +1,2 @@", ' import { greet } from "./greet.ts";'],
				...['+export const twice: string = (await import("./new.ts")).fresh;', ""],
			].join("\n");
			ws.write("../edit.diff", patch);
			const { code, stdout } = await ws.cli(["preview", "--patch", join(ws.base, "edit.diff")]);
			expect(stdout).toContain("ERROR [2:14] Type 'number' is not assignable to type 'string'. (ts2322)");
			expect(blocks(stdout)).toHaveLength(1);
			expect(code).toBe(1);
			expect(readdirSync(ws.path("src")).sort()).toEqual(["app.ts", "far.ts", "greet.ts", "more.ts"]);
			ws.write(
				"../edit.diff",
				patch.replace(' import { greet } from "./greet.ts";', ' import { great } from "./greet.ts";'),
			);
			const refused = await ws.cli(["preview", "--patch", join(ws.base, "edit.diff")]);
			expect(refused.stderr).toContain("src/app.ts cannot be changed: the diff does not fit its text");
			expect(refused.code).toBe(2);
		}));

	test("takes several parts of a text, by their texts and positions, and a text of a hundred thousand characters", () =>
		withWorkspace(PROJECT, async (ws) => {
			const parts = [
				{ line: 4, column: 28, end_line: 4, end_column: 31, new_text: "1" },
				{ old_text: "return name", new_text: "return nam" },
			];
			const edit = ["preview", "src/greet.ts", ...parts.flatMap((each) => ["--edits", JSON.stringify(each)]), "--json"];
			const { code, stdout } = await ws.cli(edit);
			expect(JSON.parse(stdout)).toMatchObject({ new: 1, fixed: 1, netDelta: 0 });
			expect(JSON.parse(stdout).judged["src/greet.ts"]).toBe(
				sha256(PROJECT["src/greet.ts"]!.replace("'x'", "1").replace("return name", "return nam")),
			);
			expect(code).toBe(1);
			const long = `${EDITS["its own body breaks"]}// ${"x".repeat(100_000)}\n`;
			const large = await content(ws, "src/greet.ts", long, ["--json"]);
			expect(JSON.parse(large.stdout)).toMatchObject({ new: 1, fixed: 0 });
		}));

	test("takes the arguments of pi's edit and write unchanged", () =>
		withWorkspace(PROJECT, async (ws) => {
			const old = ["src/greet.ts", "--old-text", "name: string", "--new-text", "name: number", "--json"];
			const expected = await ws.cli(["preview", ...old]);
			expect(JSON.parse(expected.stdout).new).toBeGreaterThan(0);
			const edits = JSON.stringify({ oldText: "name: string", newText: "name: number" });
			const edited = await ws.cli(["preview", "--path", "src/greet.ts", "--edits", edits, "--json"]);
			ws.write("../new text", EDITS["its users break"]!);
			const written = ["--path", "src/greet.ts", "--content", join(ws.base, "new text"), "--json"];
			for (const { stdout, code } of [edited, await ws.cli(["preview", ...written])]) {
				expect(found(stdout)).toEqual(found(expected.stdout));
				expect(code).toBe(expected.code);
			}
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		}));

	test("does not affect the answers of concurrent callers", () =>
		withWorkspace(PROJECT, async (ws) => {
			await ws.cli(["check", "src/greet.ts"]);
			const one = EDITS["its users break"]!;
			const other = EDITS["its own body breaks"]!;
			ws.write("../one", one);
			ws.write("../other", other);
			for (let round = 0; round < 5; round++) {
				const [a, b, hover, references] = await Promise.all([
					ws.cli(["preview", "src/greet.ts", "--content", join(ws.base, "one"), "--json"]),
					ws.cli(["preview", "src/greet.ts", "--content", join(ws.base, "other"), "--json"]),
					ws.cli(["hover", "src/app.ts", "greet"]),
					ws.cli(["references", "src/greet.ts", "greet", "--json"]),
				]);
				expect(JSON.parse(a.stdout).new).toBe(3);
				expect(found(b.stdout)).toEqual(["src/greet.ts:2:9 2552", "src/greet.ts:4:14 2322"]);
				expect(hover.stdout).toContain("greet(name: string): string");
				expect(JSON.parse(references.stdout).total).toBe(6);
			}
		}));

	test("refuses an invalid edit, and a path outside, with exit code 2", () =>
		withWorkspace(PROJECT, async (ws) => {
			ws.write("../outside.ts", "export {};\n");
			symlinkSync(join(ws.base, "outside.ts"), ws.path("src/link.ts"));
			ws.write("../outside.diff", "--- a/../else.ts\n+++ b/../else.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n");
			const overlapping = ["name: string", "string): string"].flatMap((old) => [
				"--edits",
				JSON.stringify({ old_text: old, new_text: "b" }),
			]);
			const before = treeOf(ws);
			const parts = (...some: readonly object[]) => some.flatMap((each) => ["--edits", JSON.stringify(each)]);
			const mistakes: readonly (readonly [string, readonly string[], string])[] = [
				[
					"two ways at once",
					["src/greet.ts", "--old-text", "a", "--new-text", "b", "--patch", "-"],
					"LSP_INVALID_INPUT",
				],
				[
					"a text that is not there",
					["src/greet.ts", "--old-text", "absent", "--new-text", "b"],
					"the text does not occur in it",
				],
				[
					"a text that is there twice",
					["src/greet.ts", "--old-text", "name", "--new-text", "b"],
					"the text occurs 2 times",
				],
				["a path outside", ["../else.ts", "--old-text", "a", "--new-text", "b"], "LSP_EDIT_REFUSED"],
				["a missing file", ["src/none.ts", "--old-text", "a", "--new-text", "b"], "it does not exist"],
				["no diff", ["--patch", "-"], "is no unified diff"],
				["a text that cannot be read", ["src/greet.ts", "--content", "nowhere"], "LSP_FILE_NOT_FOUND"],
				["a link that leads outside", ["src/link.ts", "--content", "-"], "LSP_EDIT_REFUSED"],
				["a line past the end", ["src/greet.ts", "--line", "90", "--new-text", "b"], "Line 90 is past the end"],
				["a column past the end", ["src/greet.ts", "--line", "2", "--column", "90", "--new-text", "b"], "Column 90"],
				["parts that overlap", ["src/greet.ts", ...overlapping], "two edits of it overlap"],
				["parts that are no JSON", ["src/greet.ts", "--edits", "name"], "Expected JSON"],
				["a part and parts", ["src/greet.ts", "--new-text", "b", "--line", "1", ...overlapping], "Give either `edits`"],
				["a text without its place", ["src/greet.ts", "--new-text", "b"], "Give either the text that is replaced"],
				["nothing", ["src/greet.ts"], "LSP_INVALID_INPUT"],
				["two files", ["src/greet.ts", "--path", "src/app.ts", "--content", "-"], "Give `file` or `path`"],
				["a part of nothing", ["src/greet.ts", "--edits", "{}"], "Give either the text that is replaced"],
				[
					"a whole text and a part of it",
					["src/greet.ts", ...parts({ content: "a" }, { line: 1, new_text: "b" })],
					"src/greet.ts has a whole new text, or is deleted, and is also changed",
				],
				["parts of no file", parts({ line: 1, new_text: "b" }), "Give `file` with `content`"],
				[
					"two ways in a part",
					["src/greet.ts", ...parts({ content: "a", deleted: true })],
					"Give `file` with `content`",
				],
				["a missing file among them", parts({ file: "src/none.ts", deleted: true }), "it does not exist"],
				["a diff of a path outside", ["--patch", join(ws.base, "outside.diff")], "LSP_EDIT_REFUSED"],
			];
			for (const [what, words, message] of mistakes) {
				const { code, stderr } = await ws.cli(["preview", ...words], { input: "" });
				expect(stderr, what).toContain(message);
				expect(code, what).toBe(2);
			}
			expect(treeOf(ws)).toEqual(before);
		}));

	test("judges the dependents of a deleted file, whether by a diff or an edit that deletes it", () =>
		withWorkspace(PROJECT, async (ws) => {
			const lines = PROJECT["src/greet.ts"]!.trimEnd().split("\n");
			const patch = [
				"--- a/src/greet.ts",
				"+++ /dev/null",
				`@@ -1,${lines.length} +0,0 @@`,
				...lines.map((line) => `-${line}`),
				"",
			];
			const { code, stdout } = await ws.cli(["preview", "--patch", "-"], { input: patch.join("\n") });
			for (const user of ["app", "more"]) expect(stdout).toContain(`<diagnostics file="src/${user}.ts">\nERROR [1:`);
			expect(stdout).toContain("Cannot find module './greet.ts' or its corresponding type declarations. (ts2307)");
			expect(code).toBe(1);
			const deleted = await ws.cli(["preview", "src/greet.ts", "--deleted"]);
			expect(deleted.stdout).toBe(stdout);
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		}));

	test("reports the dependents of a deleted file as unknown if another file may take its place", () =>
		withWorkspace({ ...PROJECT, "src/greet.d.ts": "export declare const greet: 1;\n" }, async (ws) => {
			const { code, stdout } = await ws.cli(["preview", "src/greet.ts", "--deleted"]);
			expect(stdout).toContain(
				"src/greet.ts: not checked, the server is unavailable (what a deleted or moved file breaks",
			);
			for (const user of ["app", "more", "far"])
				expect(stdout).toMatch(new RegExp(`src/${user}\\.ts: .*it sees src/greet\\.ts, which would be gone`));
			expect(code).toBe(3);
		}));

	test("judges parts of several files together, new and deleted ones among them, in a call, a candidate and a session", () =>
		withWorkspace(PROJECT, async (ws) => {
			const before = treeOf(ws);
			const edits = [
				{ file: "src/new.ts", content: "export const fresh: number = 1;\n" },
				{ path: "src/app.ts", old_text: '"./greet.ts"', new_text: '"./new.ts"' },
				{ file: "src/app.ts", oldText: "{ greet }", newText: "{ fresh as greet }" },
				{ file: "src/app.ts", old_text: 'greet("you")', new_text: "greet" },
				{ file: "src/more.ts", deleted: true },
			];
			const words = edits.flatMap((each) => ["--edits", JSON.stringify(each)]);
			const { stdout, code } = await ws.cli(["preview", ...words, "--json"]);
			expect(found(stdout)).toEqual(["src/far.ts:1:25 2307"]);
			expect(JSON.parse(stdout)).toMatchObject({ new: 1, fixed: 0 });
			expect(Object.keys(JSON.parse(stdout).judged).sort()).toEqual(["src/app.ts", "src/far.ts", "src/new.ts"]);
			expect(code).toBe(1);
			const candidates = [{ edits }, { edits: edits.slice(0, 4) }].flatMap((each) => [
				"--candidates",
				JSON.stringify(each),
			]);
			const compared = await ws.cli(["compare", ...candidates, "--json"]);
			expect(JSON.parse(compared.stdout)).toMatchObject({
				candidates: [{ judgement: { new: 1 } }, { judgement: { new: 0 } }],
				best: 2,
			});
			const { session } = JSON.parse((await ws.cli(["simulate_begin", "--json"])).stdout);
			const chained = await ws.cli(["simulate_chain", session, "--edits", JSON.stringify({ edits }), "--json"]);
			expect(JSON.parse(chained.stdout)).toMatchObject({ steps: [{ new: 1 }] });
			await withMcp(ws, {}, async ({ call }) => {
				const answer = await call("lsp", { operation: "preview", input: { edits } });
				expect(textOf(answer)).toContain("It would cause 1 error (net +1).");
			});
			expect(treeOf(ws)).toEqual(before);
			const applied = await ws.cli(["apply_if_clean", ...words.slice(0, 8), "--json"]);
			expect(JSON.parse(applied.stdout)).toMatchObject({ written: ["src/app.ts", "src/new.ts"] });
		}));
});

describe("a comparison", () => {
	test("judges each candidate by itself, names the best, and reports those that are no edits", () =>
		withWorkspace(PROJECT, async (ws) => {
			const before = treeOf(ws);
			const edits = [
				["'x'", "1"],
				["name: string", "name: number"],
				["absent", "b"],
			];
			const words = edits.flatMap(([old, next]) => [
				"--candidates",
				JSON.stringify({ file: "src/greet.ts", old_text: old, new_text: next }),
			]);
			const { code, stdout } = await ws.cli(["compare", ...words]);
			expect(stdout).toMatch(/^1: 0 new, 1 mended, net -1\n2: 3 new, 0 mended, net \+3\n {2}src\/greet.ts \[2:2\] /);
			expect(stdout).toContain(
				"3: refused: LSP_EDIT_REFUSED: src/greet.ts cannot be changed: the text does not occur in it",
			);
			expect(stdout).toContain("Best: 1. Nothing was written.");
			expect(code).toBe(0);
			const alone = await ws.cli(["compare", ...words.slice(0, 2)]);
			expect(alone.stderr).toContain("LSP_INVALID_INPUT: Give two candidates or more.");
			expect(alone.code).toBe(2);
			const lines = PROJECT["src/app.ts"]!.split("\n");
			ws.write(
				"../one.diff",
				`--- a/src/app.ts\n+++ b/src/app.ts\n@@ -3,1 +3,1 @@\n-${lines[2]}\n+export const loud = greet(1);\n`,
			);
			ws.write(
				"../two.diff",
				`--- a/src/app.ts\n+++ b/src/app.ts\n@@ -3,1 +3,1 @@\n-${lines[2]}\n+export const loud = 1;\n`,
			);
			const patches = await ws.cli(["compare", join(ws.base, "one.diff"), join(ws.base, "two.diff"), "--json"]);
			expect(JSON.parse(patches.stdout)).toMatchObject({
				candidates: [{ judgement: { new: 1 } }, { judgement: { new: 0 } }],
				best: 2,
			});
			expect(treeOf(ws)).toEqual(before);
		}));
});

describe("apply_if_clean", () => {
	test("writes an edit that breaks nothing, with the call that undoes it", () =>
		withWorkspace(PROJECT, async (ws) => {
			const { code, stdout } = await ws.cli(["apply_if_clean", "src/greet.ts", "--old-text", "'x'", "--new-text", "1"]);
			expect(stdout).toContain("+export const old: number = 1;");
			expect(stdout).toContain("undo: u1");
			expect(code).toBe(0);
			await ws.cli(["undo"]);
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		}));

	test("writes nothing of an edit that breaks something, with exit code 2, unless as many errors are allowed", () =>
		withWorkspace(PROJECT, async (ws) => {
			const edit = ["apply_if_clean", "src/greet.ts", "--old-text", "name: string", "--new-text", "name: number"];
			const { code, stdout } = await ws.cli(edit);
			expect(stdout).toContain("Nothing was written. It would cause 3 errors (net +3).");
			expect(code).toBe(2);
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
			const all = await ws.cli([...edit, "--max-new", "3"]);
			expect(all.stdout).toContain("undo: u1");
			expect(all.code).toBe(1);
			expect(ws.read("src/greet.ts")).toBe(EDITS["its users break"]);
		}));

	test("writes nothing of an edit that is not proven, with exit code 2", () =>
		withWorkspace(PROJECT, async (ws) => {
			const edit = ["apply_if_clean", "src/greet.ts", "--old-text", "'x'", "--new-text", "1", "--timeout", "1"];
			const { code, stdout } = await ws.cli(edit);
			expect(stdout).toContain("Nothing was written.");
			expect(stdout).toContain("src/greet.ts: not checked in time");
			expect(code).toBe(2);
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		}));
});

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

/** All sources, with their texts and modification times. */
function treeOf(ws: Workspace): string[] {
	return readdirSync(ws.path("src"))
		.sort()
		.map((name) => `${name} ${statSync(ws.path(`src/${name}`)).mtimeMs} ${ws.read(`src/${name}`)}`);
}

/** `file:line:column code` of every error, in order. */
function found(json: string): string[] {
	const { files } = JSON.parse(json) as {
		files: { path: string; diagnostics: { line: number; column: number; code: string }[] }[];
	};
	return files
		.flatMap(({ path, diagnostics }) =>
			diagnostics.map(({ line, column, code }) => `${path}:${line}:${column} ${code}`),
		)
		.sort();
}
