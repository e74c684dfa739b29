import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { Script } from "../fakes/script.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { isRefused, treeOf } from "./refused.ts";

const TEXT = "/// WRONG\nname(name)\n";
const edit = (start: number, end: number, line = 1) => ({
	range: { start: { line, character: start }, end: { line, character: end } },
	newText: "other",
});
const whole = { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }, newText: "other\n" };

/** Answers of a server in the place of edits, and the message about each. */
const bad: readonly (readonly [what: string, edits: readonly unknown[], message: string])[] = [
	["overlapping edits", [edit(0, 4), edit(2, 6)], "two edits of it overlap"],
	["an edit that ends before it begins", [edit(4, 0)], "ends before it begins"],
	["an edit at a line that is not there", [edit(0, 4, 70)], "it has 3"],
	["a whole file and a part of it", [whole, edit(0, 4)], "two edits of it overlap"],
	["something that is no edit", [1], "could not be read"],
];

test.each(bad)("a formatter that answers with %s is refused, and nothing is written", (_, reply, message) =>
	withFakeServer(
		{
			capabilities: { documentFormattingProvider: true },
			on: [{ method: "textDocument/formatting", do: [{ reply }] }],
		},
		({ ws }) => isRefused(ws, ["format", "a.zzz"], message),
	),
);

test("a formatter that answers null changes nothing, and one that answers a whole file writes that", () =>
	withFakeServer(
		{
			capabilities: { documentFormattingProvider: true },
			on: [
				{ method: "textDocument/formatting", nth: 1, do: [{ reply: null }] },
				{ method: "textDocument/formatting", do: [{ reply: [whole] }] },
			],
		},
		async ({ ws }) => {
			expect((await ws.cli(["format", "a.zzz"])).stdout).toBe("There is nothing to change.\n");
			expect(ws.read("a.zzz")).toBe(TEXT);
			expect((await ws.cli(["format", "a.zzz"])).stdout).toContain("formatted a.zzz\n");
			expect(ws.read("a.zzz")).toBe("other\n");
		},
	));

/** A server that adapts the files that name a moved one. */
const following = (reply: unknown): Script => ({
	capabilities: {
		workspace: { fileOperations: { willRename: { filters: [{ pattern: { glob: "**/*.zzz" } }] } } },
	},
	on: [{ method: "workspace/willRenameFiles", do: [{ reply }] }],
});

test.each(bad)("a move for which a server answers with %s is refused, and nothing moves", (_, edits, message) =>
	withFakeServer(
		(root) => following({ changes: { [`file://${root}/b.zzz`]: edits } }),
		async ({ ws }) => {
			ws.write("b.zzz", TEXT);
			await isRefused(ws, ["move_file", "a.zzz", "deep/c.zzz"], message);
		},
	),
);

test("a move for which a server answers null moves the file alone", () =>
	withFakeServer(following(null), async ({ ws }) => {
		const { stdout } = await ws.cli(["move_file", "a.zzz", "deep/c.zzz"]);
		expect(stdout).toContain("moved a.zzz → deep/c.zzz\n");
		expect([existsSync(ws.path("a.zzz")), ws.read("deep/c.zzz")]).toEqual([false, TEXT]);
	}));

const renaming = (changes: Readonly<Record<string, unknown>>): Script => ({
	capabilities: { renameProvider: true, documentSymbolProvider: false },
	on: [{ method: "textDocument/rename", do: [{ reply: { changes } }] }],
});

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
const notMounted = mayMount ? "" : ": mounting is not allowed here";

/** The mount point of a file system without room, below the directory of a test. */
const fullAt = { "the workspace": "ws/full", "what undoes a change": "state/pi-lsp/changes" } as const;

test.skipIf(!mayMount).each(Object.entries(fullAt))(
	`no change is half written if no room is left for %s${notMounted}`,
	(_, name) =>
		withFakeServer(
			(root) => {
				const added = { ...edit(0, 4), newText: "other".repeat(40_000) };
				return renaming({ [`file://${root}/a.zzz`]: [edit(0, 4)], [`file://${root}/full/b.zzz`]: [added] });
			},
			async ({ ws }) => {
				const directory = join(ws.base, name);
				mkdirSync(directory, { recursive: true, mode: 0o700 });
				execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k,mode=0700", "tmpfs", directory]);
				try {
					ws.write("full/b.zzz", TEXT);
					const before = treeOf(ws);
					const words = ["rename", "a.zzz", "2:name", "other"];
					const { code, stdout, stderr } = await ws.cli(words);
					expect(stderr).toMatch(/^LSP_WRITE_FAILED: .*(?:the disk is full|no room)/);
					expect(stderr).toContain("Every file is as it was before.");
					expect([code, stdout]).toEqual([2, ""]);
					expect(treeOf(ws)).toEqual(before);
					// The same change is written after room is freed.
					execFileSync("mount", ["-o", "remount,size=4m", directory]);
					expect((await ws.cli(words)).stdout).toContain("undo: u1");
					expect(ws.read("a.zzz")).toBe("/// WRONG\nother(name)\n");
					expect(ws.read("full/b.zzz")).toContain("otherother");
					await ws.cli(["undo"]);
					expect(treeOf(ws)).toEqual(before);
					await ws.cli(["stop", "--yes"]);
				} finally {
					execFileSync("umount", ["-l", directory]);
				}
			},
		),
);
