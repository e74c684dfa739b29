import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { nodeWatcher } from "../../src/watch/directory-node.ts";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { withScratch, withTree } from "./scratch.ts";

const noSpace = () => {
	throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), { code: "ENOSPC" });
};

test("files that are created, written, deleted or renamed over are told, each as what it is", async () => {
	await withScratch(["src/a.ts", "src/b.ts"], async (scratch) => {
		await withTree(scratch, async ({ tree, news }) => {
			expect(tree.state).toBe("ready");
			expect(await news()).toEqual([]);
			scratch.write("src/new.ts");
			expect(await news()).toEqual(["created src/new.ts"]);
			scratch.write("src/a.ts", "1");
			expect(await news()).toEqual(["changed src/a.ts"]);
			scratch.write("src/a.ts~", "2");
			renameSync(scratch.path("src/a.ts~"), scratch.path("src/a.ts"));
			expect(await news()).toEqual(["changed src/a.ts"]);
			scratch.remove("src/b.ts");
			renameSync(scratch.path("src/new.ts"), scratch.path("src/old.ts"));
			expect((await news()).sort()).toEqual(["created src/old.ts", "deleted src/b.ts", "deleted src/new.ts"]);
		});
	});
});

test("directories bring their files and take them along, and what replaces one is compared with it", async () => {
	await withScratch(["a/b/c.ts", "a/d.ts"], async (scratch) => {
		await withTree(scratch, async ({ tree, news }) => {
			scratch.write("x/y/z/deep.ts");
			expect(await news()).toEqual(["created x/y/z/deep.ts"]);
			scratch.write("x/y/z/deep.ts", "1");
			expect(await news()).toEqual(["changed x/y/z/deep.ts"]);
			renameSync(scratch.path("x"), scratch.path("w"));
			expect((await news()).sort()).toEqual(["created w/y/z/deep.ts", "deleted x/y/z/deep.ts"]);
			scratch.remove("a");
			scratch.write("a/b/c.ts", "other");
			expect((await news()).sort()).toEqual(["changed a/b/c.ts", "deleted a/d.ts"]);
			scratch.write("a/b/c.ts", "again");
			expect(await news()).toEqual(["changed a/b/c.ts"]);
			expect(tree.directories).toBe(6);
		});
	});
});

test("a link to a directory is not followed", async () => {
	await withScratch(["a/one.ts"], async (scratch) => {
		symlinkSync(scratch.root, scratch.path("a/loop"));
		await withTree(scratch, async ({ tree, news }) => {
			expect(tree.directories).toBe(2);
			symlinkSync(scratch.root, scratch.path("other"));
			expect(await news()).toEqual(["created other"]);
		});
	});
});

test("what was written before the watch began is told once it has", async () => {
	await withScratch(["a/one.ts"], async (scratch) => {
		await withTree(scratch, async ({ news }) => expect(await news()).toEqual(["refreshed a/one.ts"]), {
			since: Date.now(),
		});
	});
});

test("nested .gitignore files count, and are read again when they change", async () => {
	await withScratch(["p/out/a.txt", "p/keep/a.txt", "q/out/a.txt"], async (scratch) => {
		mkdirSync(scratch.path(".git"));
		scratch.write(".gitignore", "out/\n");
		scratch.write("p/.gitignore", "!out/\nkeep/\n");
		await withTree(scratch, async ({ news }) => {
			for (const file of ["p/out/a.txt", "p/keep/a.txt", "q/out/a.txt", "q/out/b.txt"]) scratch.write(file, "1");
			expect(await news()).toEqual(["changed p/out/a.txt"]);
			scratch.write("p/.gitignore", "");
			expect(await news()).toContain("changed p/.gitignore");
			scratch.write("p/keep/a.txt", "2");
			expect(await news()).toEqual(["changed p/keep/a.txt"]);
		});
	});
});

test("an ignored directory is watched when it holds code, or as soon as it does", async () => {
	await withScratch(["gen/a/b/api.ts", "dist/note.txt", "node_modules/x/a.ts"], async (scratch) => {
		mkdirSync(scratch.path(".git"));
		scratch.write(".gitignore", "gen/\ndist/\nlater/\nnode_modules/\n");
		await withTree(scratch, async ({ news }) => {
			scratch.write("gen/a/b/api.ts", "1");
			scratch.write("node_modules/x/a.ts", "1");
			scratch.write("later/deep/one.ts");
			scratch.write("dist/types/index.d.ts");
			expect((await news()).sort()).toEqual([
				"changed gen/a/b/api.ts",
				"created dist/types/index.d.ts",
				"created later/deep/one.ts",
			]);
			scratch.write("dist/types/index.d.ts", "1");
			scratch.write("later/deep/one.ts", "1");
			expect((await news()).sort()).toEqual(["changed dist/types/index.d.ts", "changed later/deep/one.ts"]);
		});
	});
});

test("packages that are installed, replaced and removed are told", async () => {
	await withScratch(
		["node_modules/.package-lock.json", "node_modules/old/package.json", "node_modules/old/lib/i.d.ts"],
		async (scratch) => {
			await withTree(scratch, async ({ news }) => {
				scratch.write("node_modules/@s/pkg/package.json");
				expect(await news()).toEqual(["created node_modules/@s/pkg", "created node_modules/@s/pkg/package.json"]);
				scratch.remove("node_modules/@s/pkg");
				expect(await news()).toEqual(["deleted node_modules/@s/pkg", "deleted node_modules/@s/pkg/package.json"]);
				scratch.write("node_modules/old/package.json", "2");
				scratch.write("node_modules/.package-lock.json", "2");
				expect(await news()).toEqual([
					"changed node_modules/.package-lock.json",
					"changed node_modules/old/package.json",
					"changed node_modules/old/lib/i.d.ts",
				]);
			});
		},
	);
});

test("a burst that overflows the kernel's queue loses nothing", async () => {
	const files = Array.from({ length: 20_000 }, (_, i) => `d${i % 200}/f${i}.ts`);
	await withScratch(
		files.filter((_, i) => i < 200),
		async (scratch) => {
			await withTree(scratch, async ({ news }) => {
				// In one go, so that nothing is read meanwhile: some 40,000 events for a queue of 16,384.
				for (const file of files) writeFileSync(scratch.path(file), "1");
				const told = await news();
				const kinds = new Map<string, string>();
				for (const [kind, file] of told.map((line) => line.split(" ") as [string, string]))
					if (!kinds.has(file)) kinds.set(file, kind);
				expect(kinds.size).toBe(files.length);
				for (const [i, file] of files.entries()) expect(kinds.get(file)).toBe(i < 200 ? "changed" : "created");
				scratch.write("d7/f7.ts", "2");
				// On a slow disk some of the burst is told once more; what matters is that nothing is missing.
				expect(await news()).toContain("changed d7/f7.ts");
			});
		},
	);
});

test("without a watch to be had, settling sweeps", async () => {
	await withScratch(["a/one.ts", "a/two.ts"], async (scratch) => {
		const body = async ({ tree, news }: Parameters<Parameters<typeof withTree>[1]>[0]) => {
			expect([tree.state, tree.reason, tree.directories]).toEqual(["degraded", "ENOSPC", 0]);
			await news();
			scratch.write("a/one.ts", "1");
			scratch.write("b/three.ts");
			scratch.remove("a/two.ts");
			expect((await news()).sort()).toEqual(["changed a/one.ts", "created b/three.ts", "deleted a/two.ts"]);
		};
		await withTree(scratch, body, { watcher: noSpace });
	});
});

test("a process that has no file descriptors left for a watch goes on by sweeping", async () => {
	await withScratch(["a/one.ts"], async (scratch) => {
		const script = join(import.meta.dirname, "without-descriptors.ts");
		const run = join(import.meta.dirname, "../../scripts/run-ts.mjs");
		const out = execFileSync(process.execPath, [run, script, scratch.root], { encoding: "utf8" });
		expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toEqual({ state: "degraded", told: ["changed"], left: 0 });
	});
});

test("closing leaves no watch and no cookie directory behind", async () => {
	const watches = () =>
		readdirSync("/proc/self/fdinfo").reduce((sum, name) => {
			const file = `/proc/self/fdinfo/${name}`;
			return sum + (existsSync(file) ? readFileSync(file, "utf8").split("inotify wd:").length - 1 : 0);
		}, 0);
	const before = watches();
	await withScratch(["a/b/c.ts", "cookies/x"], async (scratch) => {
		const queue = new EventBarrier(scratch.path("cookies"));
		await withTree(
			{ ...scratch, root: scratch.path("a") },
			async ({ news }) => {
				await news();
				expect(watches()).toBe(before + 3);
				expect(readdirSync(scratch.path("cookies"))).toHaveLength(2);
			},
			{ queue },
		);
		queue.close();
		expect(watches()).toBe(before);
		expect(readdirSync(scratch.path("cookies"))).toEqual(["x"]);
	});
});

test("a root that goes away and comes back is found again", async () => {
	await withScratch(["r/a.ts"], async (scratch) => {
		await withTree({ ...scratch, root: scratch.path("r") }, async ({ tree, news }) => {
			scratch.remove("r");
			expect(await news()).toEqual(["deleted a.ts"]);
			expect(tree.state).toBe("degraded");
			scratch.write("r/b.ts");
			expect(await news()).toEqual(["created b.ts"]);
			expect(tree.state).toBe("ready");
			scratch.write("r/b.ts", "1");
			expect(await news()).toEqual(["changed b.ts"]);
		});
	});
});

test("only a file of which every change is told counts as covered", async () => {
	await withScratch(["src/a.ts", "node_modules/p/index.d.ts", "out/b.json"], async (scratch) => {
		scratch.write(".gitignore", "out/\n");
		await withTree(scratch, async ({ tree, news }) => {
			const covered = (file: string) => tree.covers(scratch.path(file));
			expect(["src/a.ts", ".gitignore"].filter(covered)).toEqual(["src/a.ts", ".gitignore"]);
			const others = ["node_modules/p/index.d.ts", "out/b.json", "src/none.ts", "gone/a.ts", "../a.ts"];
			expect(others.filter(covered)).toEqual([]);
			renameSync(scratch.path("src"), scratch.path("lib"));
			await news();
			expect(["src/a.ts", "lib/a.ts"].filter(covered)).toEqual(["lib/a.ts"]);
			tree.close();
			expect(covered("lib/a.ts")).toBe(false);
		});
		await withTree(scratch, async ({ tree }) => expect(tree.covers(scratch.path("lib/a.ts"))).toBe(false), {
			watcher: noSpace,
		});
	});
});

test("while events may be missing nothing counts as covered, not even what is watched", async () => {
	await withScratch(["src/a.ts", "lib/b.ts"], async (scratch) => {
		const watcher: typeof nodeWatcher = (path, ...rest) =>
			path.endsWith("lib") ? noSpace() : nodeWatcher(path, ...rest);
		await withTree(
			scratch,
			async ({ tree }) => {
				expect([tree.state, tree.directories]).toEqual(["degraded", 2]);
				expect(["src/a.ts", "lib/b.ts"].filter((file) => tree.covers(scratch.path(file)))).toEqual([]);
			},
			{ watcher },
		);
	});
});
