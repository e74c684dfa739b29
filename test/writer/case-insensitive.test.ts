import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import { PlannedTree } from "../../src/planning/planned-tree.ts";
import { planUndo } from "../../src/planning/undo.ts";
import { planEdit } from "../../src/planning/workspace-edit.ts";
import type { Change } from "../../src/writer/change.ts";
import { Changes } from "../../src/writer/changes.ts";
import { type Tree, watchedDisk, withTree } from "./tree.ts";

vi.mock("node:fs", async (original) => {
	const fs = await original<typeof import("node:fs")>();
	const { caseInsensitive } = await import("./case-insensitive.ts");
	return caseInsensitive(fs, fs);
});

const files = { "src/Foo.ts": "foo", "src/main.ts": 'import "./Foo"', "src/Lib/b.ts": "b" };

const uri = (tree: Tree, name: string) => pathToFileURL(tree.path(name)).href;

async function planned(tree: Tree, steps: NonNullable<WorkspaceEdit["documentChanges"]>): Promise<Change> {
	const planning = new PlannedTree({ workspace: tree.root, encoding: "utf-16" });
	await planEdit({ documentChanges: steps }, planning, {});
	return planning.finish("test");
}

function renamed(tree: Tree, from: string, to: string): Promise<Change> {
	const range = { start: { line: 0, character: 10 }, end: { line: 0, character: 13 } };
	return planned(tree, [
		{ textDocument: { uri: uri(tree, "src/main.ts"), version: null }, edits: [{ range, newText: "new" }] },
		{ kind: "rename", oldUri: uri(tree, from), newUri: uri(tree, to) },
	]);
}

const cases = [
	["a file", "src/Foo.ts", "src/foo.ts", ["src", "src/Lib", "src/Lib/b.ts", "src/foo.ts", "src/main.ts"]],
	["a directory", "src/Lib", "src/lib", ["src", "src/Foo.ts", "src/lib", "src/lib/b.ts", "src/main.ts"]],
] as const;

test.each(cases)(
	"If case does not count, %s gets a name of other case, and undo restores the old one",
	(_, from, to, names) =>
		withTree(files, async (tree) => {
			const before = tree.state();
			const changes = new Changes(tree.records);
			await changes.write(await renamed(tree, from, to), "plan");
			const { "src/main.ts": main, ...state } = tree.state();
			expect([main, Object.keys(state)]).toEqual([
				'644 import "./new"',
				names.filter((name) => name !== "src/main.ts"),
			]);
			expect(Object.values(state).sort()).toEqual(
				Object.values(before)
					.filter((text) => !text.includes("import"))
					.sort(),
			);
			const [record] = await changes.list(tree.root);
			const written = { ...(await changes.change(record!)), name: record!.name, made: record!.made };
			await changes.write((await planUndo(written, String)).change, "plan");
			expect(tree.state()).toEqual(before);
		}),
);

test.each(cases)(
	"If case does not count, %s keeps its name at whichever call of the disk its renaming fails",
	async (_, from, to) => {
		let calls = 0;
		const count = watchedDisk((_call, number) => {
			calls = number;
		});
		await withTree(
			files,
			async (tree) => void (await new Changes(tree.records, count).write(await renamed(tree, from, to), "plan")),
		);
		let refused = 0;
		for (let failing = 1; failing <= calls; failing++)
			await withTree(files, async (tree) => {
				const before = tree.state();
				const disk = watchedDisk((_call, number) => {
					if (number === failing) throw Object.assign(new Error("EIO"), { code: "EIO" });
				});
				const change = await renamed(tree, from, to);
				const written = await new Changes(tree.records, disk).write(change, "plan").catch(() => undefined);
				if (written) return;
				refused++;
				expect(tree.state(), `call ${failing}`).toEqual(before);
			});
		expect(refused).toBeGreaterThan(5);
	},
);

test("If case does not count, nothing is created or moved over a file whose name has another case", () =>
	withTree(files, async (tree) => {
		const taken = { code: "LSP_EDIT_REFUSED", message: expect.stringContaining("exists already") };
		await expect(renamed(tree, "src/main.ts", "src/FOO.ts")).rejects.toMatchObject(taken);
		await expect(planned(tree, [{ kind: "create", uri: uri(tree, "src/MAIN.ts") }])).rejects.toMatchObject(taken);
	}));
