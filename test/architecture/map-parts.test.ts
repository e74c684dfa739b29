import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseFolders } from "../../src/architecture/choose-folders.ts";
import { componentsOf } from "../../src/architecture/circles.ts";
import { entryPoints, startsProcess } from "../../src/architecture/entry-points.ts";
import { type Edge, foldersOf } from "../../src/architecture/folder-parts.ts";
import { type Package, packagesIn } from "../../src/architecture/packages.ts";
import { kindWord } from "../../src/changes/declared-symbols.ts";
import type { Files } from "../support/workspace.ts";

function pathsOf(files: readonly string[], most: number): string[] {
	return chooseFolders(files, most).map(({ path, isOwn }) => (isOwn ? `${path}/` : path));
}

function many(folder: string, count: number): string[] {
	return Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);
}

describe("the folders of a map", () => {
	test("are those of the largest folder first, while there is room", () => {
		const files = [
			...many("big/a", 3),
			...many("big/b", 3),
			...many("small/c", 1),
			...many("small/d", 1),
			"other/x.ts",
		];
		expect(pathsOf(files, 4)).toEqual(["big/a", "big/b", "other", "small"]);
		expect(pathsOf(files, 5)).toEqual(["big/a", "big/b", "other", "small/c", "small/d"]);
	});

	test("are split further although a larger folder has no room", () => {
		const files = ["a", "b", "c", "d"].flatMap((name) => many(`big/${name}`, 2));
		const small = ["a", "b"].flatMap((name) => many(`small/${name}`, 2));
		expect(pathsOf([...files, ...small, ...many("other", 6)], 4)).toEqual(["big", "other", "small/a", "small/b"]);
	});

	test("leave room for the files of the root", () => {
		const files = ["own.ts", ...many("a/x", 2), ...many("a/y", 2), ...many("b", 3), ...many("c", 3)];
		expect(pathsOf(files, 4)).toEqual(["./", "a", "b", "c"]);
	});

	test("count the files that stand in a split folder itself as one of them", () => {
		const files = [...many("a/x", 2), ...many("a/y", 2), "a/own.ts", ...many("b", 3), ...many("c", 3)];
		expect(pathsOf(files, 4)).toEqual(["a", "b", "c"]);
		expect(pathsOf(files, 5)).toEqual(["a/", "a/x", "a/y", "b", "c"]);
	});
});

describe("the dependencies of folders", () => {
	const chosen = [
		{ path: "a", files: ["a/one.ts", "a/two.ts"] },
		{ path: "b", files: ["b/one.ts"] },
		{ path: "c", files: ["c/one.ts"] },
	];
	const edge = (from: string, to: string, isLoaded = true): Edge => ({ from: `/p/${from}`, to: `/p/${to}`, isLoaded });
	const usesOf = (edges: readonly Edge[]) =>
		foldersOf(chosen, edges, { root: "/p", cwd: "/p" }).folders.map(({ path, uses }) => [
			path,
			uses.map((use) => `${use.path} ${use.imports}${use.isUnloaded ? " unloaded" : ""}`),
		]);

	test("stand from the top down, the most imported first", () => {
		const edges = [edge("b/one.ts", "c/one.ts"), edge("b/one.ts", "a/one.ts"), edge("b/one.ts", "a/two.ts")];
		expect(usesOf([...edges, edge("c/one.ts", "a/one.ts")])).toEqual([
			["b", ["a 2", "c 1"]],
			["c", ["a 1"]],
			["a", []],
		]);
	});

	test("are the dependencies of an imported directory too, as in Go", () => {
		expect(usesOf([edge("b/one.ts", "c")])).toContainEqual(["b", ["c 1"]]);
	});

	test("within one folder are left out", () => {
		expect(usesOf([edge("a/one.ts", "a/two.ts")])).toContainEqual(["a", []]);
	});

	test("of files that stand directly in a folder have `/` after its name", () => {
		const own = [{ path: "a", isOwn: true as const, files: ["a/one.ts"] }, ...chosen.slice(1)];
		const { folders } = foldersOf(own, [edge("b/one.ts", "a/one.ts")], { root: "/p", cwd: "/p" });
		expect(folders.find(({ path }) => path === "b")?.uses).toEqual([{ path: "a/", imports: 1 }]);
	});

	test("of types alone make no circle", () => {
		const edges = [edge("a/one.ts", "b/one.ts"), edge("b/one.ts", "a/one.ts", false)];
		const { folders, circles } = foldersOf(chosen, edges, { root: "/p", cwd: "/p" });
		expect(circles).toEqual([]);
		expect(folders.find(({ path }) => path === "b")?.uses).toEqual([{ path: "a", imports: 1, isUnloaded: true }]);
	});

	test("of the caller's own directory are called `.`", () => {
		const own = [{ path: ".", isOwn: true as const, files: ["one.ts"] }];
		expect(foldersOf(own, [], { root: "/p", cwd: "/p" }).folders[0]?.path).toBe(".");
	});

	test("in circles are listed with the largest circle first", () => {
		const graph = new Map(
			Object.entries({ a: ["b"], b: ["a"], c: ["d"], d: ["e"], e: ["c"], f: [] }).map(([from, to]) => [
				from,
				new Set(to),
			]),
		);
		expect(componentsOf(graph)).toEqual([
			["c", "d", "e"],
			["a", "b"],
		]);
	});
});

describe("entry points", () => {
	const npm = (...entries: Package["entries"][number][]): Package => ({
		name: "x",
		directory: "/p",
		kind: "npm",
		entries,
	});
	const found = (packages: readonly Package[], files: readonly string[], starts: readonly string[] = []) =>
		entryPoints("/p", { packages, files, starts }).map(({ file, what }) => `${what}: ${file}`);

	test("are the sources of a manifest's files, nearest to the path of the built file", () => {
		const files = ["/p/lib/other/main.ts", "/p/src/cli/main.ts"];
		expect(found([npm({ what: "bin x", path: "dist/cli/main.js" })], files)).toEqual(["bin x: src/cli/main.ts"]);
		expect(found([npm({ what: "main", path: "dist/bundle.js" })], ["/p/deep/in/bundle.ts"])).toEqual([
			"main: deep/in/bundle.ts",
		]);
		expect(found([npm({ what: "main", path: "dist/bundle.js" })], [])).toEqual(["main: dist/bundle.js"]);
	});

	test("have the description of the first name in a manifest", () => {
		const entries = [
			{ what: "main", path: "a.ts" },
			{ what: "bin x", path: "a.ts" },
		];
		expect(found([npm(...entries)], ["/p/a.ts"])).toEqual(["main: a.ts"]);
	});

	test("of Python without a source in the repository are left out", () => {
		const python: Package = { ...npm({ what: "script x", path: "gone/cli.py" }), kind: "python" };
		expect(found([python], [])).toEqual([]);
	});

	test("of a manifest keep its description if a process starts in them", () => {
		const files = ["/p/cmd.ts", "/p/tool.go"];
		expect(found([npm({ what: "bin x", path: "cmd.ts" })], files, files)).toEqual(["bin x: cmd.ts", "main: tool.go"]);
	});

	test.each([
		["/p/main.go", "package main\n\nfunc main() {}\n", true],
		["/p/lib.go", "package lib\n\nfunc Main() {}\n", false],
		["/p/run.py", 'if __name__ == "__main__":\n    run()\n', true],
		["/p/x/__main__.py", "run()\n", true],
		["/p/manage.py", "run()\n", true],
		["/p/src/bin/tool.rs", "", true],
		["/p/src/main.rs", "#[tokio::main]\nasync fn main() {}\n", true],
		["/p/build.rs", "fn main() {}\n", false],
		["/p/examples/one.rs", "fn main() {}\n", false],
		["/p/A.java", "class A { public static void main(String[] all) {} }\n", true],
	])("%s is one: %s", (path, text, isOne) => {
		expect(startsProcess(path, text)).toBe(isOne);
	});
});

test("packages are read from the manifests of every kind, but not from those of tests", async () => {
	const files: Files = {
		"package.json":
			'{ "name": "web", "main": "dist/a.js", "types": "dist/a.d.ts", "exports": { ".": { "types": "./a.d.ts", "import": "./dist/a.js" }, "./data": "./data.json", "./all/*": "./all/*.js" } }',
		"go/go.mod": "module example.org/shop\n",
		"rust/Cargo.toml":
			'[package]\nname = "core"\n[dependencies]\nserde-json = "1"\n[build-dependencies]\ncc = "1"\n[dev-dependencies]\nonly-tests = "1"\n',
		"py/pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\n',
		"poetry/pyproject.toml": '[tool.poetry]\nname = "old"\n[tool.poetry.scripts]\nold = "old.run:main"\n',
		"test/fixtures/package.json": '{ "name": "fixture" }',
	};
	const root = mkdtempSync(join(tmpdir(), "pl-packages-"));
	try {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), text);
		}
		const found = await packagesIn(
			root,
			Object.keys(files).map((file) => join(root, file)),
		);
		expect(
			found.map(({ name, kind, entries }) => [kind, name, ...entries.map(({ what, path }) => `${what} ${path}`)]),
		).toEqual([
			["npm", "web", "main dist/a.js", "exports ./dist/a.js"],
			["go", "example.org/shop"],
			["cargo", "core"],
			["python", "shop", "script shop shop/cli.py"],
			["python", "old", "script old old/run.py"],
		]);
		expect([...(found[2]?.crates ?? [])]).toEqual(["serde_json", "cc"]);
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
});

test.each([
	["class", "export type Main = number;", "type"],
	["class", "declare type Main = number;", "type"],
	["class", "type ID string", "type"],
	["type-parameter", "pub(crate) type Id = u32;", "type"],
	["class", "export class Main {}", "class"],
	["class", "class type_of:", "class"],
	["function", "type = 1", "function"],
])("a symbol of kind %s is shown by its declaration: %s", (kind, text, word) => {
	expect(kindWord({ kind, text })).toBe(word);
});
