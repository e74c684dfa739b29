import { execFileSync } from "node:child_process";
import {
	existsSync,
	linkSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { planUndo } from "../../src/planning/undo.ts";
import type { Change } from "../../src/writer/change.ts";
import { Changes } from "../../src/writer/changes.ts";
import { type Tree, withTree } from "./tree.ts";

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
const notMounted = mayMount ? "" : ": mounting is not allowed here";

const page = 4096;
const textOf = (name: string, pages: number) => `// ${name}\n`.padEnd(pages * page, "x");
const files = {
	"a.ts": textOf("a", 2),
	"gone.ts": textOf("gone", 1),
	"old/b.ts": textOf("b", 1),
	"linked.ts": textOf("linked", 1),
};

/**
 * All actions of a change that need room: new texts, a new file, a new directory, a move and a text written in place.
 */
function growing(tree: Tree): Change {
	const texts = { "a.ts": textOf("new a", 3), "gone.ts": null, "made/it.ts": textOf("it", 2) };
	const change = tree.change(
		{ ...texts, "linked.ts": textOf("new linked", 3) },
		{ moves: [{ from: tree.path("old"), to: tree.path("new") }] },
	);
	const b = { path: tree.path("new/b.ts"), before: Buffer.from(files["old/b.ts"]) };
	return { ...change, files: [...change.files, { ...b, after: Buffer.from(textOf("new b", 2)) }] };
}

interface Disk {
	/** Fills the disk up except for so many pages or files; undefined empties it. */
	leave(free: number | undefined): void;
}

/** The ways to mount a disk, and to fill it up. */
const kinds: Readonly<Record<string, { readonly options: string; on(base: string): Disk }>> = {
	pages: {
		options: "size=512k",
		on: (base) => ({
			leave(free) {
				rmSync(join(base, "filler"), { force: true });
				if (free === undefined) return;
				const { bavail, bsize } = statfsSync(base);
				writeFileSync(join(base, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - free * page)));
			},
		}),
	},
	files: {
		options: "nr_inodes=60",
		on: (base) => ({
			leave(free) {
				execFileSync("sh", ["-c", 'rm -f "$1"/filler-*', "sh", base]);
				if (free === undefined) return;
				const { ffree } = statfsSync(base);
				for (let number = free; number < ffree; number++) writeFileSync(join(base, `filler-${number}`), "");
			},
		}),
	},
};

async function withDisk(options: string, body: (base: string) => Promise<void>): Promise<void> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pl-full-")));
	execFileSync("mount", ["-t", "tmpfs", "-o", `${options},mode=0700`, "tmpfs", base]);
	try {
		await body(base);
	} finally {
		execFileSync("umount", ["-l", base]);
		rmSync(base, { recursive: true });
	}
}

const message = /^The change could not be written to .*pl-writer-.*: the disk is full\./;

test.skipIf(!mayMount).each(Object.entries(kinds))(
	`A change and its undo are written whole or not at all, however few %s are left on the disk${notMounted}`,
	(_, { options, on }) =>
		withDisk(options, async (base) => {
			const ends = { written: 0, refused: 0, undone: 0, kept: 0 };
			for (let free = 0; ends.undone === 0 || ends.written === 0; free++)
				await withTree(
					files,
					async (tree) => {
						linkSync(tree.path("linked.ts"), tree.path("second-name.ts"));
						const [disk, changes, change] = [on(base), new Changes(tree.records), growing(tree)];
						const [before, left] = [tree.state(), `${free} left`];
						disk.leave(free);
						const error = await changes.write(change, "plan").then(
							() => undefined,
							(thrown: Error) => thrown,
						);
						if (error) {
							ends.refused++;
							expect(error, left).toMatchObject({ code: "LSP_WRITE_FAILED", message: expect.stringMatching(message) });
							expect(tree.state(), left).toEqual(before);
							expect(await changes.list(tree.root), left).toEqual([]);
							expect(existsSync(tree.records) ? readdirSync(tree.records) : [], left).toEqual([]);
							disk.leave(undefined);
							await changes.write(change, "plan");
						} else ends.written++;
						const [record] = await changes.list(tree.root);
						const written = { ...(await changes.change(record!)), name: record!.name, made: record!.made };
						const after = tree.state();
						expect(Object.keys(after), left).toEqual([
							"a.ts",
							"linked.ts",
							"made",
							"made/it.ts",
							"new",
							"new/b.ts",
							"second-name.ts",
						]);
						const { change: back } = await planUndo(written, (path) => path);
						disk.leave(free);
						const refusal = await changes.write(back, "plan").then(
							() => undefined,
							(thrown: Error) => thrown,
						);
						if (refusal) {
							ends.kept++;
							expect(refusal, left).toMatchObject({
								code: "LSP_WRITE_FAILED",
								message: expect.stringMatching(message),
							});
							expect(tree.state(), left).toEqual(after);
							expect(
								(await changes.list(tree.root)).map(({ name }) => name),
								left,
							).toEqual(["u1"]);
							disk.leave(undefined);
							await changes.write(back, "plan");
						} else ends.undone++;
						expect(tree.state(), left).toEqual(before);
						disk.leave(undefined);
					},
					base,
				);
			expect(ends.refused).toBeGreaterThan(5);
			expect(ends.written).toBeGreaterThan(0);
			expect(ends.kept).toBeGreaterThan(5);
		}),
	120_000,
);
