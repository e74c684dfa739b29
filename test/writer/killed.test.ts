import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Changes } from "../../src/writer/changes.ts";
import { REPOSITORY } from "../support/repository.ts";
import { withTree } from "./tree.ts";

/** The program is one file, since each kill takes a process of its own; it is next to the packages that it loads. */
const program = join(REPOSITORY, `node_modules/.cache/pi-lsp/writer-process-${process.pid}.mjs`);

beforeAll(async () => {
	const entryPoints = [join(REPOSITORY, "test/writer/writer-process.ts")];
	await build({ entryPoints, outfile: program, bundle: true, packages: "external", platform: "node", format: "esm" });
});
afterAll(() => rmSync(program, { force: true }));

function run(args: readonly string[]): Promise<{ readonly signal: string | null; readonly stdout: string }> {
	return new Promise((resolve) => {
		execFile(process.execPath, [program, ...args], (error, stdout) =>
			resolve({ signal: error?.signal ?? null, stdout }),
		);
	});
}

test("A writer that is killed before any of its calls of the disk leaves all old or all new files after the next start", async () => {
	const files = { "a.ts": "a", "old/b.ts": "b", "gone.ts": "c" };
	const once = async (number: number) =>
		withTree(files, async (tree) => {
			const change = tree.change(
				{ "a.ts": "new a", "made/d.ts": "new d", "gone.ts": null },
				{ moves: [{ from: tree.path("old"), to: tree.path("new") }] },
			);
			const before = tree.state();
			const file = join(tree.root, "../change.json");
			writeFileSync(file, JSON.stringify(change));
			const { signal, stdout } = await run([tree.records, file, `${number}`]);
			const changes = new Changes(tree.records);
			await changes.recover();
			const state = tree.state();
			const isNew = state["a.ts"] === "644 new a";
			if (!isNew) expect(state, `killed before call ${number}`).toEqual(before);
			else
				expect(Object.keys(state), `killed before call ${number}`).toEqual([
					"a.ts",
					"made",
					"made/d.ts",
					"new",
					"new/b.ts",
				]);
			expect(await changes.list(tree.root)).toHaveLength(isNew ? 1 : 0);
			// The tree is as usable as before.
			await changes.write(tree.change({ "a.ts": "later" }), "plan");
			return { signal, calls: Number(stdout), isNew };
		});
	const { calls } = await once(0);
	expect(calls).toBeGreaterThan(15);
	const ends: boolean[] = [];
	for (let number = 1; number <= calls; number++) {
		const { signal, isNew } = await once(number);
		expect(signal, `call ${number}`).toBe("SIGKILL");
		ends.push(isNew);
	}
	expect(ends[0]).toBe(false);
	expect(ends.at(-1)).toBe(true);
}, 180_000);
