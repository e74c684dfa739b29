import process from "node:process";
import { afterEach, describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { isForeign, rootOf, workspaceOf } from "../../src/project/root.ts";
import { isInside } from "../../src/util/paths.ts";
import { withTree } from "../config/tree.ts";

const home = process.env.HOME;
afterEach(() => {
	process.env.HOME = home;
});

describe("the workspace of a directory is", () => {
	test.each([
		["the nearest directory with .git", ["a/.git/", "a/b/package.json", "a/b/c/"], "a/b/c", "a"],
		["the nearest of two with .git", ["a/.git/", "a/b/.git/", "a/b/c/"], "a/b/c", "a/b"],
		["a worktree, whose .git is a file", ["a/.git", "a/b/"], "a/b", "a"],
		[
			"the nearest with a project file where there is no .git",
			["a/go.mod", "a/b/package.json", "a/b/c/"],
			"a/b/c",
			"a/b",
		],
		["the directory itself where there is neither", ["a/b/"], "a/b", "a/b"],
	])("%s", (_, files, cwd, expected) =>
		withTree(files, async (tree) => {
			expect(await workspaceOf(tree.path(cwd))).toBe(tree.path(expected));
		}),
	);

	test("never the home directory, even if it is a repository of settings", () =>
		withTree(["home/.git/", "home/code/"], async (tree) => {
			process.env.HOME = tree.path("home");
			expect(await workspaceOf(tree.path("home/code"))).toBe(tree.path("home/code"));
		}));

	test("the home directory if the query is made there", () =>
		withTree(["home/.git/"], async (tree) => {
			process.env.HOME = tree.path("home");
			expect(await workspaceOf(tree.path("home"))).toBe(tree.path("home"));
		}));

	test("not above the home directory", () =>
		withTree([".git/", "home/code/"], async (tree) => {
			process.env.HOME = tree.path("home");
			expect(await workspaceOf(tree.path("home/code"))).toBe(tree.path("home/code"));
		}));
});

describe("the root of a file for a server is", () => {
	const config = (over: Partial<ServerConfig>): ServerConfig => ({
		id: "x",
		match: ["x"],
		command: "x",
		args: [],
		languageId: "x",
		rootMarkers: ["mark"],
		...over,
	});
	const files = ["ws/mark", "ws/a/mark", "ws/a/b/c.x"];

	test("the nearest directory with a marker", () =>
		withTree(files, async (tree) => {
			expect(await rootOf(tree.path("ws/a/b/c.x"), tree.path("ws"), config({}))).toBe(tree.path("ws/a"));
		}));

	test("the topmost one for a server with that setting", () =>
		withTree(files, async (tree) => {
			const found = await rootOf(tree.path("ws/a/b/c.x"), tree.path("ws"), config({ rootRule: "topmost" }));
			expect(found).toBe(tree.path("ws"));
		}));

	test("never above the workspace", () =>
		withTree(["mark", "ws/a/c.x"], async (tree) => {
			expect(await rootOf(tree.path("ws/a/c.x"), tree.path("ws"), config({}))).toBeUndefined();
			const loose = await rootOf(tree.path("ws/a/c.x"), tree.path("ws"), config({ looseFiles: true }));
			expect(loose).toBe(tree.path("ws"));
		}));
});

test.each([
	["/ws/a.ts", true],
	["/ws", true],
	["/ws/", true],
	["/ws-secret/a.ts", false],
	["/wsx", false],
	["/", false],
	["/other/ws/a.ts", false],
])("%s is inside /ws: %s", (path, inside) => {
	expect(isInside(path, "/ws")).toBe(inside);
});

test("everything is inside the root directory", () => {
	expect(isInside("/a", "/")).toBe(true);
});

test.each([
	["/ws/node_modules/a/index.js", true],
	["/ws/src/node_modules/a.ts", true],
	["/ws/.git/config", true],
	["/ws/.venv/lib/x.py", true],
	["/ws/src/a.ts", false],
	["/ws/src/node_modules", false],
	["/ws/my-node_modules/a.ts", false],
])("%s is foreign: %s", (path, foreign) => {
	expect(isForeign(path, "/ws")).toBe(foreign);
});

test("a workspace that is itself below node_modules is not foreign to itself", () => {
	expect(isForeign("/x/node_modules/pkg/src/a.ts", "/x/node_modules/pkg")).toBe(false);
});
