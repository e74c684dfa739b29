import { expect, test } from "vitest";
import { diffOf } from "../../src/planning/diff.ts";
import { PlannedTree } from "../../src/planning/planned-tree.ts";
import { planUndo } from "../../src/planning/undo.ts";
import { planEdit } from "../../src/planning/workspace-edit.ts";
import { toUri } from "../../src/util/positions.ts";
import { Changes } from "../../src/writer/changes.ts";
import { inParts } from "../../src/writer/in-parts.ts";
import { withTree } from "../writer/tree.ts";

const many = 2000;
const text = "one line of a text that has some of them\n".repeat(100);

test("Other calls get their turns while a change of many files is planned, shown, recorded and taken back", () => {
	const names = Array.from({ length: many }, (_, index) => `f${index}.txt`);
	return withTree(Object.fromEntries(names.map((name) => [name, text])), async (tree) => {
		const range = { start: { line: 50, character: 0 }, end: { line: 50, character: 3 } };
		const edits = names.map(
			(name) => [toUri(tree.path(name)), [{ range, newText: "another" }]] satisfies [string, object[]],
		);
		const planning = new PlannedTree({ workspace: tree.root, encoding: "utf-16" });
		await sharing("reading the files", () => planEdit({ changes: Object.fromEntries(edits) }, planning, {}));
		const change = await sharing("working out the texts", () => planning.finish("test"));
		const diff = await sharing("comparing them", () => diffOf(change, tree.root));
		expect(diff.match(/^\+another line/gm)).toHaveLength(many);
		const record = await sharing("writing it", () => new Changes(tree.records).write(change, "plan"));
		const written = { ...change, name: record.name, made: record.made };
		const { change: undone } = await sharing("taking it back", () => planUndo(written, (path) => path));
		expect(undone.files).toHaveLength(many);
	});
}, 120_000);

test("Other calls get their turns while the disk is called for many files, which waits for nothing", async () => {
	const files = Array.from({ length: many }, (_, index) => index);
	const busy = async () => {
		for (const until = performance.now() + 0.02; performance.now() < until; );
	};
	await sharing("calling the disk", () => inParts(files, busy));
});

/** Requires that the event loop turns while the work runs. */
async function sharing<T>(what: string, work: () => Promise<T>): Promise<T> {
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns++;
		if (!isOver) setImmediate(count);
	};
	setImmediate(count);
	const result = await work();
	isOver = true;
	expect(turns, what).toBeGreaterThan(1);
	return result;
}
