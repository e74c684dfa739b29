import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { PlannedTree, type PlanningOptions } from "../../src/planning/planned-tree.ts";
import { type EditOptions, planEdit } from "../../src/planning/workspace-edit.ts";
import { type Tree, withTree } from "../writer/tree.ts";

function at(line: number, start: number, end: number, newText: string): TextEdit {
	return { range: { start: { line, character: start }, end: { line, character: end } }, newText };
}

function uri(tree: Tree, name: string): string {
	return pathToFileURL(tree.path(name)).href;
}

async function planned(tree: Tree, edit: WorkspaceEdit, options: Partial<PlanningOptions> & EditOptions = {}) {
	const planning = new PlannedTree({ workspace: tree.root, encoding: "utf-16", ...options });
	const summary = await planEdit(edit, planning, options);
	const change = await planning.finish("test");
	const texts = change.files.map(({ path, after }) => [path.slice(tree.root.length + 1), after?.toString("utf8")]);
	const moves = change.moves.map(({ from, to }) => [from, to].map((path) => path.slice(tree.root.length + 1)));
	return { summary, texts: Object.fromEntries(texts) as Record<string, string | undefined>, moves };
}

/** The texts after edits of `a.ts`. */
async function edited(text: string, edits: readonly TextEdit[], options: Partial<PlanningOptions> = {}) {
	return withTree({ "a.ts": text }, async (tree) => {
		const { texts } = await planned(tree, { changes: { [uri(tree, "a.ts")]: [...edits] } }, options);
		return texts["a.ts"];
	});
}

describe("edits of one text", () => {
	test("all refer to the original text, in any order", async () => {
		expect(await edited("one two three", [at(0, 8, 13, "3"), at(0, 0, 3, "1"), at(0, 4, 7, "2")])).toBe("1 2 3");
	});

	test("are applied in their order if they have the same position", async () => {
		expect(await edited("x", [at(0, 0, 0, "a"), at(0, 0, 0, "b"), at(0, 0, 1, "c")])).toBe("abc");
	});

	test("count columns in the server's encoding", async () => {
		for (const [encoding, column] of [
			["utf-8", 5],
			["utf-16", 3],
			["utf-32", 2],
		] as const)
			expect(await edited("😀 x", [at(0, column, column + 1, "y")], { encoding })).toBe("😀 y");
	});

	test("may end past the end of the text, like edits of a whole file", async () => {
		const whole = { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }, newText: "new\n" };
		expect(await edited("a\nb\n", [whole])).toBe("new\n");
		expect(await edited("a\nb", [at(0, 1, 2 ** 31 - 1, "!")])).toBe("a!\nb");
	});

	test("keep the byte order mark and the line ends of the file", async () => {
		expect(await edited("\ufeffa\r\nb\r\n", [at(0, 0, 1, "x\ny")])).toBe("\ufeffx\r\ny\r\nb\r\n");
		expect(await edited("a\r\nb\r\n", [at(0, 0, 1, "x\ny")], { keepsLineEnds: false })).toBe("x\ny\r\nb\r\n");
		expect(await edited("a\nb\r\n", [at(0, 0, 1, "x\ny")])).toBe("x\ny\nb\r\n");
	});

	test.each([
		["that overlap", [at(0, 0, 2, "x"), at(0, 1, 3, "y")], "two edits of it overlap"],
		["that end before they begin", [at(0, 2, 1, "x")], "ends before it begins"],
		["that begin on a line that is not there", [at(7, 0, 0, "x")], "begins on line 8, and it has 1"],
		["within a character", [at(0, 5, 6, "x")], "within a character"],
	])("%s are refused", async (_, edits, message) => {
		await expect(edited("abcd😀", edits)).rejects.toMatchObject({
			code: "LSP_EDIT_REFUSED",
			message: expect.stringContaining(message),
		});
	});

	test("are refused in a file that is not UTF-8", () =>
		withTree({ "a.ts": "x" }, async (tree) => {
			writeFileSync(tree.path("a.ts"), Buffer.from([0x78, 0xff, 0x0a]));
			const edit = { changes: { [uri(tree, "a.ts")]: [at(0, 0, 1, "y")] } };
			await expect(planned(tree, edit)).rejects.toMatchObject({ message: expect.stringContaining("not UTF-8") });
		}));
});

describe("steps of a change of files", () => {
	test("are applied in their order", () =>
		withTree({ "a.ts": "a", "b.ts": "b", "dir/c.ts": "c" }, async (tree) => {
			const document = (name: string) => ({ uri: uri(tree, name), version: null });
			const { texts, moves } = await planned(tree, {
				documentChanges: [
					{ textDocument: document("a.ts"), edits: [at(0, 0, 1, "A")] },
					{ kind: "rename", oldUri: uri(tree, "a.ts"), newUri: uri(tree, "z.ts") },
					{ kind: "create", uri: uri(tree, "a.ts") },
					{ textDocument: document("a.ts"), edits: [at(0, 0, 0, "new")] },
					{ kind: "delete", uri: uri(tree, "b.ts") },
					{ kind: "rename", oldUri: uri(tree, "dir"), newUri: uri(tree, "moved") },
					{ textDocument: document("moved/c.ts"), edits: [at(0, 0, 1, "C")] },
				],
			});
			expect(moves).toEqual([
				["a.ts", "z.ts"],
				["dir", "moved"],
			]);
			expect(texts).toEqual({ "a.ts": "new", "b.ts": undefined, "moved/c.ts": "C", "z.ts": "A" });
		}));

	test("follow the protocol with `overwrite` and `ignoreIfExists`", () =>
		withTree({ "a.ts": "a", "b.ts": "b" }, async (tree) => {
			const [oldUri, newUri] = [uri(tree, "a.ts"), uri(tree, "b.ts")];
			const rename = (options?: object) =>
				planned(tree, { documentChanges: [{ kind: "rename", oldUri, newUri, ...(options ? { options } : {}) }] });
			await expect(rename()).rejects.toMatchObject({ message: expect.stringContaining("exists already") });
			expect((await rename({ overwrite: true })).texts).toEqual({ "a.ts": undefined, "b.ts": "a" });
			expect(await rename({ ignoreIfExists: true })).toMatchObject({ texts: {}, moves: [] });
			const create = (options?: object) =>
				planned(tree, { documentChanges: [{ kind: "create", uri: newUri, ...(options ? { options } : {}) }] });
			await expect(create()).rejects.toMatchObject({ message: expect.stringContaining("exists already") });
			expect((await create({ overwrite: true })).texts).toEqual({ "b.ts": "" });
			expect((await create({ ignoreIfExists: true })).texts).toEqual({});
		}));

	test("do not take a hard link with a name of other case for the file that is renamed", () =>
		withTree({ "a.ts": "a" }, async (tree) => {
			linkSync(tree.path("a.ts"), tree.path("A.ts"));
			const rename = { kind: "rename", oldUri: uri(tree, "a.ts"), newUri: uri(tree, "A.ts") } as const;
			await expect(planned(tree, { documentChanges: [rename] })).rejects.toMatchObject({
				message: expect.stringContaining("exists already"),
			});
		}));

	test("are named and left out if they need confirmation, unless they are requested", () =>
		withTree({ "a.ts": "a b" }, async (tree) => {
			const edits = [
				{ ...at(0, 0, 1, "x"), annotationId: "sure" },
				{ ...at(0, 2, 3, "y"), annotationId: "unsure" },
			];
			const edit: WorkspaceEdit = {
				documentChanges: [{ textDocument: { uri: uri(tree, "a.ts"), version: 0 }, edits }],
				changeAnnotations: { sure: { label: "Sure" }, unsure: { label: "Comments", needsConfirmation: true } },
			};
			const plain = await planned(tree, edit);
			expect(plain.texts).toEqual({ "a.ts": "x b" });
			expect(plain.summary.unconfirmed).toEqual(["Comments"]);
			expect((await planned(tree, edit, { confirmed: true })).texts).toEqual({ "a.ts": "x y" });
		}));

	test("are no change if they change nothing", () =>
		withTree({ "a.ts": "a" }, async (tree) => {
			expect((await planned(tree, { changes: { [uri(tree, "a.ts")]: [at(0, 0, 1, "a")] } })).texts).toEqual({});
		}));

	test("may be ten thousand files", () =>
		withTree({}, async (tree) => {
			const names = Array.from({ length: 10_000 }, (_, index) => `f${index}.ts`);
			for (const name of names) writeFileSync(tree.path(name), "old");
			const changes = Object.fromEntries(names.map((name) => [uri(tree, name), [at(0, 0, 3, "new")]]));
			const { texts } = await planned(tree, { changes });
			expect(Object.values(texts).filter((text) => text === "new")).toHaveLength(10_000);
		}));
});

describe("a server's edit is refused", () => {
	const refused = (tree: Tree, edit: WorkspaceEdit, message: string, options: EditOptions = {}) =>
		expect(planned(tree, edit, options)).rejects.toMatchObject({
			code: "LSP_EDIT_REFUSED",
			message: expect.stringContaining(message),
		});

	test("outside of the workspace, also through a link", () =>
		withTree({ "a.ts": "a" }, async (tree) => {
			writeFileSync(tree.path("../outside.ts"), "o");
			symlinkSync("../outside.ts", tree.path("link.ts"));
			symlinkSync("..", tree.path("up"));
			for (const name of ["../outside.ts", "link.ts", "up/outside.ts"])
				await refused(tree, { changes: { [uri(tree, name)]: [at(0, 0, 1, "x")] } }, "outside of");
			await refused(tree, { documentChanges: [{ kind: "create", uri: uri(tree, "up/new.ts") }] }, "outside of");
			await refused(
				tree,
				{ documentChanges: [{ kind: "rename", oldUri: uri(tree, "a.ts"), newUri: uri(tree, "up/a.ts") }] },
				"outside of",
			);
		}));

	test("in installed packages and in version control", () =>
		withTree({ "node_modules/x/index.js": "a", ".git/config": "a" }, async (tree) => {
			for (const name of ["node_modules/x/index.js", ".git/config"])
				await refused(tree, { changes: { [uri(tree, name)]: [at(0, 0, 1, "x")] } }, "installed package");
		}));

	test("for another version of a document than the server has", () =>
		withTree({ "a.ts": "a" }, async (tree) => {
			const edit = (version: number | null): WorkspaceEdit => ({
				documentChanges: [{ textDocument: { uri: uri(tree, "a.ts"), version }, edits: [at(0, 0, 1, "x")] }],
			});
			const versionOf = () => 3;
			await refused(tree, edit(2), "version 2", { versionOf });
			for (const version of [3, 0, null])
				expect((await planned(tree, edit(version), { versionOf })).texts).toEqual({ "a.ts": "x" });
		}));

	test("with snippets, for other schemes, for missing files and for directories", () =>
		withTree({ "a.ts": "a" }, async (tree) => {
			mkdirSync(tree.path("dir"));
			const snippet = { range: at(0, 0, 1, "").range, snippet: { kind: "snippet", value: "$1" } } as never;
			const textDocument = { uri: uri(tree, "a.ts"), version: null };
			await refused(tree, { documentChanges: [{ textDocument, edits: [snippet] }] }, "snippet");
			await refused(tree, { changes: { "jdt://x": [at(0, 0, 0, "x")] } }, "it is no file");
			await refused(tree, { changes: { [uri(tree, "missing.ts")]: [at(0, 0, 0, "x")] } }, "does not exist");
			await refused(tree, { changes: { [uri(tree, "dir")]: [at(0, 0, 0, "x")] } }, "no regular file");
			await refused(tree, { documentChanges: [{ kind: "delete", uri: uri(tree, "dir") }] }, "it is a directory");
		}));
});
