import {
	chmodSync,
	chownSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/writer/change.ts";
import { Changes } from "../../src/writer/changes.ts";
import { realDisk } from "../../src/writer/disk.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Tree, watchedDisk, withTree } from "./tree.ts";

/** All actions of a change, over files, directories, links and modes. */
const files = {
	"a.ts": "export const a = 1;\n",
	"b.ts": "export const b = 2;\n",
	"gone.ts": "export const gone = 3;\n",
	"old/deep/c.ts": "export const c = 4;\n",
	"old/other.bin": "\u0000\u0001",
	"empty/last.ts": "export {};\n",
	"linked.ts": "export const linked = 5;\n",
};

function everything(tree: Tree): Change {
	chmodSync(tree.path("b.ts"), 0o755);
	linkSync(tree.path("linked.ts"), tree.path("second-name.ts"));
	symlinkSync("b.ts", tree.path("link-to-b.ts"));
	const c = { path: tree.path("new/deep/c.ts"), before: readFileSync(tree.path("old/deep/c.ts")) };
	const change = tree.change(
		{
			"a.ts": "export const a = 100;\n",
			"b.ts": "export const b = 200;\n",
			"gone.ts": null,
			"made/for/it.ts": "export const it = 1;\n",
			"linked.ts": "export const linked = 500;\n",
			"empty/last.ts": null,
		},
		{ moves: [{ from: tree.path("old"), to: tree.path("new") }], emptied: [tree.path("empty")] },
	);
	return { ...change, files: [...change.files, { ...c, after: Buffer.from("export const c = 400;\n") }] };
}

const after = {
	"a.ts": "644 export const a = 100;\n",
	"b.ts": "755 export const b = 200;\n",
	"link-to-b.ts": "link to b.ts",
	"linked.ts": "644 export const linked = 500;\n",
	made: "directory 755",
	"made/for": "directory 755",
	"made/for/it.ts": "644 export const it = 1;\n",
	new: "directory 755",
	"new/deep": "directory 755",
	"new/deep/c.ts": "644 export const c = 400;\n",
	"new/other.bin": "644 \u0000\u0001",
	"second-name.ts": "644 export const linked = 500;\n",
};

describe("a change is written whole:", () => {
	test("with moves, new and deleted files, modes, symbolic and hard links, and no temporary file is left", () =>
		withTree(files, async (tree) => {
			await new Changes(tree.records).write(everything(tree), "plan");
			expect(tree.state()).toEqual(after);
			expect(statSync(tree.path("linked.ts")).ino).toBe(statSync(tree.path("second-name.ts")).ino);
		}));

	test("no file is touched before it is ready, with the new texts next to them", () =>
		withTree({ "a.ts": "old" }, async (tree) => {
			const calls: string[] = [];
			const disk = watchedDisk((call) => calls.push(call));
			let begin = () => {};
			const ready = new Promise<void>((resolve) => {
				begin = resolve;
			});
			const writing = new Changes(tree.records, disk).write(tree.change({ "a.ts": "new" }), "plan", { ready });
			await until("the old text is next to the file", () =>
				calls.some((call) => call.startsWith("link")) ? met(true) : notYet(calls.join(", ")),
			);
			expect(readFileSync(tree.path("a.ts"), "utf8")).toBe("old");
			begin();
			await writing;
			expect(tree.state()).toEqual({ "a.ts": "644 new" });
		}));

	test("the record has the bytes before and after", () =>
		withTree(files, async (tree) => {
			const changes = new Changes(tree.records);
			const change = everything(tree);
			await changes.write(change, "plan");
			const [record] = await changes.list(tree.root);
			expect(record).toMatchObject({ name: "u1", title: "test", plan: "plan" });
			const kept = await changes.change(record!);
			expect(kept.files.map(({ before, after }) => [before, after])).toEqual(
				change.files.map(({ before, after }) => [before, after]),
			);
			expect(await changes.list("/nowhere")).toEqual([]);
		}));

	test("each complete earlier change is inspected once", () =>
		withTree({ "a.ts": "0" }, async (tree) => {
			const looked: string[] = [];
			const stats: typeof realDisk.stats = (path) => {
				if (path.endsWith("/done")) looked.push(path.slice(tree.records.length + 1));
				return realDisk.stats(path);
			};
			const changes = new Changes(tree.records, { ...realDisk, stats });
			for (let index = 1; index <= 4; index++) await changes.write(tree.change({ "a.ts": `${index}` }), "plan");
			expect(looked).toEqual(["u1/done", "u2/done", "u3/done"]);
			// Names are given anew when the records have been deleted, and then a process may have died.
			rmSync(tree.records, { recursive: true });
			await new Changes(tree.records).write(tree.change({ "a.ts": "other" }), "plan");
			renameSync(join(tree.records, "u1/done"), join(tree.records, "u1/committed"));
			await changes.write(tree.change({ "a.ts": "last" }), "plan");
			expect(looked.at(-1)).toBe("u1/done");
			expect(existsSync(join(tree.records, "u1/done"))).toBe(true);
		}));

	test("the records of the last hundred changes are kept", () =>
		withTree({ "a.ts": "0" }, async (tree) => {
			const changes = new Changes(tree.records);
			for (let index = 1; index <= 103; index++) await changes.write(tree.change({ "a.ts": `${index}` }), "plan");
			const names = (await changes.list(tree.root)).map(({ name }) => name);
			expect(names[0]).toBe("u103");
			expect(names.length).toBeLessThanOrEqual(101);
			expect(names.length).toBeGreaterThanOrEqual(100);
		}));
});

describe("a change that fails leaves every file as it was", () => {
	test("at whichever call of the disk it fails", async () => {
		let calls = 0;
		await withTree(files, async (tree) => {
			const count = watchedDisk((_, number) => {
				calls = number;
			});
			await new Changes(tree.records, count).write(everything(tree), "plan");
		});
		expect(calls).toBeGreaterThan(30);
		// Calls after `committed` only tidy up.
		let complete = 0;
		for (let failing = 1; failing <= calls; failing++)
			await withTree(files, async (tree) => {
				const change = everything(tree);
				const before = tree.state();
				const disk = watchedDisk((call, count) => {
					if (count === failing) throw Object.assign(new Error(`ENOSPC: ${call}`), { code: "ENOSPC" });
				});
				const changes = new Changes(tree.records, disk);
				const error = await changes.write(change, "plan").then(
					() => undefined,
					(thrown: Error) => thrown,
				);
				if (error) {
					expect(error, `call ${failing}`).toMatchObject({ code: "LSP_WRITE_FAILED" });
					expect(tree.state(), `call ${failing}`).toEqual(before);
					expect(await changes.list(tree.root)).toEqual([]);
				} else {
					complete++;
					// The next change finds the remains of the failed call.
					await changes.recover();
					expect(tree.state(), `call ${failing}`).toEqual(after);
				}
			});
		expect(complete).toBeGreaterThan(0);
	}, 60_000);

	test("at whichever of the 200 files of a rename it fails", () => {
		const names = Array.from({ length: 200 }, (_, index) => `src/user-${index}.ts`);
		const textsWith = (name: string) => Object.fromEntries(names.map((file) => [file, `${name}("${file}");\n`]));
		// A medium would take minutes for it.
		const memory = existsSync("/dev/shm") ? "/dev/shm" : "/tmp";
		const work = async (tree: Tree) => {
			const before = tree.state();
			for (let failing = 1; failing <= names.length; failing++) {
				let written = 0;
				const disk = watchedDisk((call) => {
					const isWrite = call.startsWith("rename") && call.includes("-new");
					if (isWrite && ++written === failing) throw Object.assign(new Error("EIO"), { code: "EIO" });
				});
				const writing = new Changes(tree.records, disk).write(tree.change(textsWith("welcome")), "plan");
				await expect(writing, `write ${failing}`).rejects.toMatchObject({ code: "LSP_WRITE_FAILED" });
				expect(tree.state(), `write ${failing}`).toEqual(before);
			}
		};
		return withTree(textsWith("greet"), work, memory);
	}, 300_000);

	test("the next start takes back what could not be taken back at once", () =>
		withTree(files, async (tree) => {
			const change = everything(tree);
			const before = tree.state();
			let isFull = false;
			const disk = watchedDisk((call) => {
				isFull ||= call.startsWith("rename") && call.includes("-new");
				if (isFull) throw Object.assign(new Error("EIO"), { code: "EIO" });
			});
			await expect(new Changes(tree.records, disk).write(change, "plan")).rejects.toMatchObject({
				message: expect.stringContaining("Not every file could be restored"),
			});
			expect(tree.state()).not.toEqual(before);
			await new Changes(tree.records).recover();
			expect(tree.state()).toEqual(before);
		}));
});

test.each([
	["was cut short", (journal: string) => journal.slice(0, -10)],
	["came to the disk before the contents", (journal: string) => journal],
])("A journal that %s is removed, since it has changed nothing", (_, written) =>
	withTree(files, async (tree) => {
		const before = tree.state();
		const changes = new Changes(tree.records);
		await changes.write(tree.change({ "a.ts": "new" }), "plan");
		const cut = join(tree.records, "u2");
		mkdirSync(cut);
		const journal = readFileSync(join(tree.records, "u1/journal.json"), "utf8");
		writeFileSync(join(cut, "journal.json"), written(journal.replaceAll("u1", "u2")));
		writeFileSync(tree.path("a.ts"), files["a.ts"]);
		await changes.recover();
		expect(existsSync(cut)).toBe(false);
		expect(tree.state()).toEqual(before);
		await changes.write(tree.change({ "a.ts": "later" }), "plan");
		expect((await changes.list(tree.root)).map(({ name }) => name)).toEqual(["u2", "u1"]);
	}),
);

describe("a change is refused, and nothing is written", () => {
	const refused = async (tree: Tree, change: Change, code: string) => {
		const before = tree.state();
		await expect(new Changes(tree.records).write(change, "plan")).rejects.toMatchObject({ code });
		expect(tree.state()).toEqual(before);
	};

	test("if a file has other content than the one that it was planned on", () =>
		withTree(files, async (tree) => {
			const change = tree.change({ "a.ts": "new", "b.ts": "new" });
			writeFileSync(tree.path("b.ts"), "export const b = 3;\n");
			await refused(tree, change, "LSP_FILE_CHANGED");
		}));

	test("if a file is missing, or one exists at the path of a new one", () =>
		withTree(files, async (tree) => {
			const change = tree.change({ "a.ts": "new", "new.ts": "new" });
			writeFileSync(tree.path("new.ts"), "somebody else's");
			await refused(tree, change, "LSP_FILE_CHANGED");
			rmSync(tree.path("new.ts"));
			rmSync(tree.path("a.ts"));
			await refused(tree, change, "LSP_FILE_CHANGED");
		}));

	test("if a file is read-only", () =>
		withTree(files, async (tree) => {
			chmodSync(tree.path("b.ts"), 0o444);
			await refused(tree, tree.change({ "a.ts": "new", "b.ts": "new" }), "LSP_EDIT_REFUSED");
		}));

	test("if a link or a directory has replaced a file", () =>
		withTree(files, async (tree) => {
			const change = tree.change({ "a.ts": "new" });
			rmSync(tree.path("a.ts"));
			symlinkSync("b.ts", tree.path("a.ts"));
			await refused(tree, change, "LSP_FILE_CHANGED");
		}));

	test("if a file is changed while the others are already being replaced; that change stays", () =>
		withTree(files, async (tree) => {
			const before = tree.state();
			let renamed = 0;
			const disk = watchedDisk((call) => {
				if (call.startsWith("rename") && call.includes("-new") && ++renamed === 1)
					writeFileSync(tree.path("b.ts"), "saved by an editor\n");
			});
			await expect(
				new Changes(tree.records, disk).write(tree.change({ "a.ts": "new", "b.ts": "new" }), "plan"),
			).rejects.toMatchObject({ code: "LSP_FILE_CHANGED" });
			expect(tree.state()).toEqual({ ...before, "b.ts": "644 saved by an editor\n" });
		}));
});

test.skipIf(process.getuid?.() !== 0)(
	"Files of another user keep their owner and mode, also when the change is taken back",
	() =>
		withTree(files, async (tree) => {
			chownSync(tree.path("a.ts"), 65_534, 65_534);
			chmodSync(tree.path("a.ts"), 0o2640);
			const owned = () => {
				const { uid, gid, mode } = lstatSync(tree.path("a.ts"));
				return [uid, gid, (mode & 0o7777).toString(8)];
			};
			await new Changes(tree.records).write(tree.change({ "a.ts": "new" }), "plan");
			expect([readFileSync(tree.path("a.ts"), "utf8"), ...owned()]).toEqual(["new", 65_534, 65_534, "2640"]);
			// Without a hard link the old file is created again.
			const link: typeof realDisk.link = async () => {
				throw Object.assign(new Error("EPERM"), { code: "EPERM" });
			};
			const syncDirectory: typeof realDisk.syncDirectory = async (path) => {
				if (path === tree.root) throw Object.assign(new Error("EIO"), { code: "EIO" });
			};
			const failing = new Changes(tree.records, { ...realDisk, link, syncDirectory });
			await expect(failing.write(tree.change({ "a.ts": "newer" }), "plan")).rejects.toMatchObject({
				code: "LSP_WRITE_FAILED",
			});
			expect([readFileSync(tree.path("a.ts"), "utf8"), ...owned()]).toEqual(["new", 65_534, 65_534, "2640"]);
		}),
);

test("Of two concurrent changes the second one waits, and is refused if it was planned on the old text", () =>
	withTree(files, async (tree) => {
		const [one, other] = [tree.change({ "a.ts": "one" }), tree.change({ "a.ts": "other" })];
		const ends = await Promise.allSettled([
			new Changes(tree.records).write(one, "plan"),
			new Changes(tree.records).write(other, "plan"),
		]);
		expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		expect(["one", "other"]).toContain(readFileSync(tree.path("a.ts"), "utf8"));
	}));

test("A file system without hard links gets the old bytes back from the record", () =>
	withTree(files, async (tree) => {
		const change = tree.change({ "a.ts": "new", "b.ts": "new", "made.ts": "new" });
		const before = tree.state();
		const unlinkable = async () => {
			throw Object.assign(new Error("EPERM"), { code: "EPERM" });
		};
		let created = 0;
		const failing = { ...realDisk, link: unlinkable };
		failing.create = async (path, bytes, like) => {
			if (path.endsWith("committed") && ++created === 1) throw Object.assign(new Error("EIO"), { code: "EIO" });
			return realDisk.create(path, bytes, like);
		};
		await expect(new Changes(tree.records, failing).write(change, "plan")).rejects.toMatchObject({
			code: "LSP_WRITE_FAILED",
		});
		expect(tree.state()).toEqual(before);
		await new Changes(tree.records, failing).write(change, "plan");
		expect(lstatSync(tree.path("made.ts")).isFile()).toBe(true);
		expect(tree.state()["a.ts"]).toBe("644 new");
	}));
