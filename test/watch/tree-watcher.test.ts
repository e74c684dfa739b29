import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { type SourceName, sources, type WatchSource } from "../../src/watch/source.ts";
import { type TreeOptions, TreeWatcher } from "../../src/watch/tree-watcher.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Scratch, type Watched, withScratch, withTree } from "./scratch.ts";

const noSpace = (): never => {
	throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), { code: "ENOSPC" });
};

const names: readonly SourceName[] = ["native", "portable", "poll", "off"];

describe.each(names)("a tree watched by the source %s", (name) => {
	const source = sources[name];
	/** The state of a tree that is scanned and watched. */
	const watched = source.isOrdered ? "ready" : "degraded";
	const withSource = <T>(scratch: Scratch, body: (tree: Watched) => Promise<T>, options: Partial<TreeOptions> = {}) =>
		withTree(scratch, body, { source, ...options });

	test("reports files that are created, written, deleted or renamed over, each as what it is", () =>
		withScratch(["src/a.ts", "src/b.ts"], (scratch) =>
			withSource(scratch, async ({ tree, news }) => {
				expect(tree.state).toBe(watched);
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
			}),
		));

	test("reports the files of directories that are added, removed or replaced", () =>
		withScratch(["a/b/c.ts", "a/d.ts"], (scratch) =>
			withSource(scratch, async ({ news }) => {
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
			}),
		));

	test("does not follow a link to a directory", () =>
		withScratch(["a/one.ts"], (scratch) => {
			symlinkSync(scratch.root, scratch.path("a/loop"));
			return withSource(scratch, async ({ news }) => {
				symlinkSync(scratch.root, scratch.path("other"));
				expect(await news()).toEqual(["created other"]);
			});
		}));

	test("reports changes from before the watch began", () =>
		withScratch(["a/one.ts"], (scratch) =>
			withSource(scratch, async ({ news }) => expect(await news()).toEqual(["refreshed a/one.ts"]), {
				since: Date.now(),
			}),
		));

	test("obeys nested .gitignore files, and reads them again when they change", () =>
		withScratch(["p/out/a.txt", "p/keep/a.txt", "q/out/a.txt"], (scratch) => {
			mkdirSync(scratch.path(".git"));
			scratch.write(".gitignore", "out/\n");
			scratch.write("p/.gitignore", "!out/\nkeep/\n");
			return withSource(scratch, async ({ news }) => {
				for (const file of ["p/out/a.txt", "p/keep/a.txt", "q/out/a.txt", "q/out/b.txt"]) scratch.write(file, "1");
				expect(await news()).toEqual(["changed p/out/a.txt"]);
				scratch.write("p/.gitignore", "");
				expect(await news()).toContain("changed p/.gitignore");
				scratch.write("p/keep/a.txt", "2");
				expect(await news()).toContain("changed p/keep/a.txt");
			});
		}));

	test("watches an ignored directory if it contains code, or as soon as it does", () =>
		withScratch(["gen/a/b/api.ts", "dist/note.txt", "node_modules/x/a.ts"], (scratch) => {
			mkdirSync(scratch.path(".git"));
			scratch.write(".gitignore", "gen/\ndist/\nlater/\nnode_modules/\n");
			return withSource(scratch, async ({ news }) => {
				scratch.write("gen/a/b/api.ts", "1");
				scratch.write("node_modules/x/a.ts", "1");
				scratch.write("later/deep/one.ts");
				scratch.write("dist/types/index.d.ts");
				// A sweep reads all of an ignored directory that has become one of code.
				const code = (lines: readonly string[]) => lines.filter((line) => line.endsWith(".ts")).sort();
				expect(code(await news())).toEqual([
					"changed gen/a/b/api.ts",
					"created dist/types/index.d.ts",
					"created later/deep/one.ts",
				]);
				scratch.write("dist/types/index.d.ts", "1");
				scratch.write("later/deep/one.ts", "1");
				expect(code(await news())).toEqual(["changed dist/types/index.d.ts", "changed later/deep/one.ts"]);
			});
		}));

	test("reports a new file of a package of the workspace also by the path of its link", () =>
		withScratch(["packages/core/src/a.ts", "node_modules/x/a.ts"], (scratch) => {
			symlinkSync("../packages/core", scratch.path("node_modules/core"));
			return withSource(scratch, async ({ news }) => {
				scratch.write("packages/core/src/b.ts");
				expect((await news()).sort()).toEqual(["created node_modules/core/src/b.ts", "created packages/core/src/b.ts"]);
				scratch.remove("node_modules/core");
				await news();
				scratch.write("packages/core/src/c.ts");
				expect(await news()).toEqual(["created packages/core/src/c.ts"]);
			});
		}));

	test("reports what happens in a directory also by the path of a link to it", () =>
		withScratch(["real/a.ts", "src/m.ts"], (scratch) => {
			symlinkSync("../real", scratch.path("src/link"));
			return withSource(scratch, async ({ news }) => {
				scratch.write("real/a.ts", "2");
				expect((await news()).sort()).toEqual(["changed real/a.ts", "changed src/link/a.ts"]);
				scratch.remove("real/a.ts");
				expect((await news()).sort()).toEqual(["deleted real/a.ts", "deleted src/link/a.ts"]);
				scratch.remove("src/link");
				expect(await news()).toEqual(["deleted src/link"]);
				scratch.write("real/b.ts");
				expect(await news()).toEqual(["created real/b.ts"]);
			});
		}));

	test("reports packages that are installed, replaced and removed", () =>
		withScratch(
			["node_modules/.package-lock.json", "node_modules/old/package.json", "node_modules/old/lib/i.d.ts"],
			(scratch) =>
				withSource(scratch, async ({ news }) => {
					scratch.write("node_modules/@s/pkg/package.json");
					expect(await news()).toEqual(["created node_modules/@s/pkg", "created node_modules/@s/pkg/package.json"]);
					scratch.remove("node_modules/@s/pkg");
					expect(await news()).toEqual(["deleted node_modules/@s/pkg", "deleted node_modules/@s/pkg/package.json"]);
					scratch.write("node_modules/old/package.json", "2");
					scratch.write("node_modules/.package-lock.json", "2");
					expect((await news()).sort()).toEqual([
						"changed node_modules/.package-lock.json",
						"changed node_modules/old/lib/i.d.ts",
						"changed node_modules/old/package.json",
					]);
				}),
		));

	test("finds a root again that was removed and created again", () =>
		withScratch(["r/a.ts"], (scratch) =>
			withSource({ ...scratch, root: scratch.path("r") }, async ({ tree, news }) => {
				scratch.remove("r");
				expect(await news()).toEqual(["deleted a.ts"]);
				expect([tree.state, tree.reason]).toEqual(["degraded", "the directory is gone"]);
				scratch.write("r/b.ts");
				expect(await news()).toEqual(["created b.ts"]);
				expect([tree.state, tree.reason]).toEqual([watched, undefined]);
				scratch.write("r/b.ts", "1");
				expect(await news()).toEqual(["changed b.ts"]);
			}),
		));

	test("loses nothing in a burst", () => {
		const files = Array.from({ length: 2000 }, (_, i) => `d${i % 20}/f${i}.ts`);
		return withScratch(files.slice(0, 20), (scratch) =>
			withSource(scratch, async ({ news }) => {
				for (const file of files) scratch.write(file, "1");
				const kinds = new Map((await news()).map((line) => line.split(" ").reverse() as [string, string]));
				expect([...kinds.keys()].sort()).toEqual([...files].sort());
				scratch.write("d7/f7.ts", "2");
				expect(await news()).toContain("changed d7/f7.ts");
			}),
		);
	});

	test("reports the same after another source has taken over", () =>
		withScratch(["a/one.ts", "a/two.ts"], (scratch) =>
			withTree(
				scratch,
				async ({ tree, news }) => {
					scratch.write("a/one.ts", "1");
					tree.watchWith(source, true);
					expect(await news()).toEqual(["changed a/one.ts"]);
					expect([tree.state, tree.source.name]).toEqual([watched, name]);
					scratch.write("a/two.ts", "1");
					scratch.write("b/three.ts", "1");
					expect((await news()).sort()).toEqual(["changed a/two.ts", "created b/three.ts"]);
				},
				{ source: name === "native" ? sources.poll : sources.native },
			),
		));

	test.skipIf(name === "off")("reports changes without a query", () =>
		withScratch(["a/one.ts", "a/two.ts", "node_modules/p/index.ts"], (scratch) =>
			withSource(scratch, async ({ reported }) => {
				const found = new Set<string>();
				// A source of chokidar needs a moment until its watches exist, and misses no change by a sweep at their
				// beginning.
				scratch.write("a/one.ts", "1");
				const expectNext = (line: string) =>
					until(
						line,
						() => {
							for (const each of reported()) found.add(each);
							return found.has(line) ? met(undefined) : notYet([...found].join());
						},
						{ everyMs: 20 },
					);
				await expectNext("changed a/one.ts");
				scratch.write("b/c/three.ts", "1");
				await expectNext("created b/c/three.ts");
				scratch.write("b/c/three.ts", "22");
				await expectNext("changed b/c/three.ts");
				scratch.remove("a/two.ts");
				await expectNext("deleted a/two.ts");
				scratch.remove("b");
				await expectNext("deleted b/c/three.ts");
			}),
		),
	);
});

describe("a tree watched natively", () => {
	test("has one watch for each directory that is no link", () =>
		withScratch(["a/b/c.ts", "a/d.ts"], (scratch) => {
			symlinkSync(scratch.root, scratch.path("a/loop"));
			return withTree(scratch, async ({ tree, news }) => {
				expect(tree.directories).toBe(3);
				scratch.write("x/y/deep.ts");
				scratch.remove("a/b");
				await news();
				expect(tree.directories).toBe(4);
			});
		}));

	test("loses nothing when the kernel's queue overflows", async () => {
		const files = Array.from({ length: 20_000 }, (_, i) => `d${i % 200}/f${i}.ts`);
		await withScratch(
			files.filter((_, i) => i < 200),
			async (scratch) => {
				await withTree(scratch, async ({ news }) => {
					// The burst is one synchronous loop, so that nothing is read meanwhile: some 40,000 events for a queue of
					// 16,384.
					for (const file of files) writeFileSync(scratch.path(file), "1");
					const kinds = new Map<string, string>();
					for (const [kind, file] of (await news()).map((line) => line.split(" ") as [string, string]))
						if (!kinds.has(file)) kinds.set(file, kind);
					expect(kinds.size).toBe(files.length);
					for (const [i, file] of files.entries()) expect(kinds.get(file)).toBe(i < 200 ? "changed" : "created");
					scratch.write("d7/f7.ts", "2");
					// On a slow disk some of the burst is reported once more.
					expect(await news()).toContain("changed d7/f7.ts");
				});
			},
		);
	});

	test("compares with the disk if no watch is available", () =>
		withScratch(["a/one.ts", "a/two.ts"], (scratch) =>
			withTree(
				scratch,
				async ({ tree, news }) => {
					expect([tree.state, tree.reason, tree.directories]).toEqual(["degraded", "ENOSPC", 0]);
					await news();
					scratch.write("a/one.ts", "1");
					scratch.write("b/three.ts");
					scratch.remove("a/two.ts");
					expect((await news()).sort()).toEqual(["changed a/one.ts", "created b/three.ts", "deleted a/two.ts"]);
				},
				{ source: { ...sources.native, watch: noSpace } },
			),
		));

	test("compares with the disk if no file descriptor is left for a watch", () =>
		withScratch(["a/one.ts"], async (scratch) => {
			const script = join(import.meta.dirname, "without-descriptors.ts");
			const run = join(import.meta.dirname, "../../scripts/run-ts.mjs");
			const out = execFileSync(process.execPath, [run, script, scratch.root], { encoding: "utf8" });
			expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toEqual({
				state: "degraded",
				reported: ["changed"],
				left: 0,
			});
		}));

	test("leaves no watch and no private directory behind when it is closed", async () => {
		const watches = () =>
			readdirSync("/proc/self/fdinfo").reduce((sum, name) => {
				const file = `/proc/self/fdinfo/${name}`;
				return sum + (existsSync(file) ? readFileSync(file, "utf8").split("inotify wd:").length - 1 : 0);
			}, 0);
		const before = watches();
		await withScratch(["a/b/c.ts", "cookies/x"], async (scratch) => {
			const barrier = new EventBarrier(scratch.path("cookies"));
			await withTree(
				{ ...scratch, root: scratch.path("a") },
				async ({ news }) => {
					await news();
					expect(watches()).toBe(before + 3);
					expect(readdirSync(scratch.path("cookies"))).toHaveLength(2);
				},
				{ barrier },
			);
			barrier.close();
			expect(watches()).toBe(before);
			expect(readdirSync(scratch.path("cookies"))).toEqual(["x"]);
		});
	});

	test.skipIf(!existsSync("/dev/shm"))("reports each file system in it once", async () => {
		const barrier = new EventBarrier();
		const found: string[] = [];
		const onFileSystem = (directory: string) => found.push(directory);
		const tree = new TreeWatcher("/dev", { barrier, since: 0, isCode: () => true, onChange: () => {}, onFileSystem });
		try {
			await tree.settle();
			await tree.settle();
			expect(found[0]).toBe("/dev");
			expect(found).toContain("/dev/shm");
			expect(new Set(found.map((directory) => statSync(directory).dev)).size).toBe(found.length);
		} finally {
			tree.close();
			barrier.close();
		}
	});

	test("covers only files of which every change is reported", () =>
		withScratch(["src/a.ts", "node_modules/p/index.d.ts", "out/b.json"], async (scratch) => {
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
		}));

	test("covers no file, not even one that is watched, while events may be missing", () =>
		withScratch(["src/a.ts", "lib/b.ts"], async (scratch) => {
			const source: WatchSource = {
				...sources.native,
				watch: (target) => (target.path.endsWith("lib") ? noSpace() : sources.native.watch(target)),
			};
			const files = ["src/a.ts", "lib/b.ts"];
			const uncovered = ({ tree }: Watched) =>
				expect(files.filter((file) => tree.covers(scratch.path(file)))).toEqual([]);
			await withTree(scratch, async (each) => uncovered(each), { source });
			for (const name of ["portable", "poll", "off"] as const)
				await withTree(scratch, async (each) => uncovered(each), { source: sources[name] });
			await withTree(scratch, async (each) => uncovered(each), { hasTrust: false });
		}));
});

describe("the first scan", () => {
	test("is waited for at most 5 s", () =>
		withScratch(["a/b.ts", "c/d.ts"], async ({ root }) => {
			const barrier = new EventBarrier();
			// Every directory takes a whole time slice, and the event loop never has the next turn.
			const watch = () => {
				for (const end = performance.now() + 10; performance.now() < end; );
				return () => {};
			};
			vi.useFakeTimers({ toFake: ["setImmediate", "setTimeout", "clearTimeout"] });
			vi.spyOn(globalThis, "setImmediate").mockImplementation(() => ({}) as NodeJS.Immediate);
			const source = { ...sources.native, watch };
			const tree = new TreeWatcher(root, { barrier, source, since: 0, isCode: () => true, onChange: () => {} });
			try {
				let isSettled = false;
				const settled = tree.settle().then(() => {
					isSettled = true;
				});
				await vi.advanceTimersByTimeAsync(4990);
				expect([isSettled, tree.state]).toEqual([false, "starting"]);
				await vi.advanceTimersByTimeAsync(20);
				await settled;
				expect(tree.state).toBe("starting");
			} finally {
				vi.restoreAllMocks();
				vi.useRealTimers();
				tree.close();
				barrier.close();
			}
		}));
});

describe("a source of chokidar", () => {
	test("watches no tree of more than 10,000 files, which is compared with the disk", () =>
		withScratch(["a/one.ts"], async (scratch) => {
			const source: WatchSource = {
				...sources.portable,
				watch: (target) => sources.portable.watch({ ...target, tree: { ...target.tree, countFiles: () => 10_001 } }),
			};
			await withTree(
				scratch,
				async ({ tree, news }) => {
					await until("it gives up", () => (tree.reason ? met(undefined) : notYet(tree.state)));
					expect([tree.state, tree.reason]).toEqual(["degraded", "more than 10000 files"]);
					scratch.write("a/one.ts", "1");
					expect(await news()).toEqual(["changed a/one.ts"]);
				},
				{ source },
			);
		}));
});
