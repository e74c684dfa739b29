import { symlinkSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import { walk } from "../../src/watch/walk.ts";
import { withWorkspace } from "../support/workspace.ts";

describe("a walk through a tree", () => {
	test("yields near files first, by name, and leaves out ignored, installed and linked ones", () =>
		withWorkspace(
			{
				".gitignore": "out\n",
				"b.ts": "",
				"a/deep/x.ts": "",
				"a/y.ts": "",
				"a/.gitignore": "hidden\n",
				"a/hidden/z.ts": "",
				"out/o.ts": "",
				"node_modules/p/i.ts": "",
			},
			async ({ root, path }) => {
				symlinkSync(path("a"), path("link"));
				const found: string[] = [];
				let entered = 0;
				for await (const { files, directories } of walk(root)) {
					found.push(...files.map((file) => relative(root, file)));
					entered = directories;
				}
				expect(found).toEqual([".gitignore", "b.ts", "a/.gitignore", "a/y.ts", "a/deep/x.ts"]);
				expect(entered).toBe(3);
			},
		));

	test("lets the event loop have its turn within one directory of many files", () =>
		withWorkspace(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}.ts`, ""])), async ({ root }) => {
			let turns = 0;
			const turning = setInterval(() => turns++, 1);
			let count = 0;
			for await (const { files } of walk(root)) {
				expect(files.length).toBeLessThanOrEqual(50);
				count += files.length;
				for (const end = performance.now() + 10; performance.now() < end; );
			}
			clearInterval(turning);
			expect(count).toBe(500);
			expect(turns).toBeGreaterThan(3);
		}));
});
