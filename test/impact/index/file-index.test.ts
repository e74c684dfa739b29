import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FileIndex } from "../../../src/impact/index/file-index.ts";
import { walk } from "../../../src/watch/walk.ts";
import { type Files, type Workspace, withWorkspace } from "../../support/workspace.ts";

const files: Files = {
	"src/a.ts": "export const a = 1;\nexport const other = 2;\n",
	"src/user.ts": 'import { a } from "./a.ts";\nexport const user = a;\n',
	"src/stranger.ts": 'import { other } from "./a.ts";\nexport const stranger = other;\n',
	"src/index.ts": 'export * from "./a.ts";\n',
	"src/far.ts": 'import { a } from "./index.ts";\nexport const far = a;\n',
	"src/further.ts": 'import { user } from "./user.ts";\nexport const further = user;\n',
	"node_modules/x/index.ts": 'import "../../src/a.ts";\n',
	"dist/a.ts": 'import "../src/a.ts";\n',
	".gitignore": "dist\n",
};

function relativeTo(ws: Workspace, paths: Iterable<string>): string[] {
	return [...paths].map((path) => path.slice(ws.root.length + 1)).sort();
}

/** The files that import one of some files, by path. */
async function importersIn(tree: Files, file: string): Promise<string[]> {
	return withWorkspace(tree, async (ws) => {
		const index = new FileIndex(ws.root);
		await index.read();
		return relativeTo(
			ws,
			(await index.importers(ws.path(file))).map(({ path }) => path),
		);
	});
}

describe("the index of dependents of a file", () => {
	async function asked(ws: Workspace, ...options: Parameters<FileIndex["dependents"]>[1][]): Promise<string[][]> {
		const index = new FileIndex(ws.root);
		const answers: string[][] = [];
		for (const option of options) answers.push(relativeTo(ws, await index.dependents(ws.path("src/a.ts"), option)));
		return answers;
	}

	test("has its importers and those behind a barrel, or all files that lead to it", () =>
		withWorkspace(files, async (ws) => {
			const [importers, all] = await asked(ws, {}, { all: true });
			expect(importers).toEqual(["src/far.ts", "src/index.ts", "src/stranger.ts", "src/user.ts"]);
			expect(all).toEqual(["src/far.ts", "src/further.ts", "src/index.ts", "src/stranger.ts", "src/user.ts"]);
		}));

	test("is kept until an import is added or removed, or a package is renamed", () =>
		withWorkspace(
			{
				"one/package.json": '{ "name": "lib" }\n',
				"one/index.ts": "export const lib = 1;\n",
				"src/user.ts": 'import "lib";\n',
				"src/far.ts": 'import "./user.ts";\n',
				"src/other.ts": "export const other = 1;\n",
			},
			async (ws) => {
				const index = new FileIndex(ws.root);
				const all = async (watched = true) =>
					relativeTo(ws, await index.dependents(ws.path("one/index.ts"), { all: true, watched }));
				const edit = (file: string, text: string) => {
					ws.write(file, text);
					index.changed(ws.path(file));
				};
				expect(await all()).toEqual(["src/far.ts", "src/user.ts"]);
				(await index.dependents(ws.path("one/index.ts"), { all: true, watched: true })).length = 0;
				edit("src/far.ts", 'import "./user.ts"; // and more\n');
				expect(await all()).toEqual(["src/far.ts", "src/user.ts"]);
				edit("src/other.ts", 'import "./far.ts";\n');
				expect(await all()).toEqual(["src/far.ts", "src/other.ts", "src/user.ts"]);
				edit("src/far.ts", "export {};\n");
				expect(await all()).toEqual(["src/user.ts"]);
				edit("src/new.ts", 'import "lib";\n');
				expect(await all()).toEqual(["src/new.ts", "src/user.ts"]);
				rmSync(ws.path("src/user.ts"));
				index.changed(ws.path("src/user.ts"));
				expect(await all()).toEqual(["src/new.ts"]);
				edit("one/package.json", '{ "name": "another" }\n');
				expect(await all()).toEqual([]);
				ws.write("one/package.json", '{ "name": "lib" }\n');
				expect(await all(false)).toEqual(["src/new.ts"]);
				expect(await all()).toEqual(["src/new.ts"]);
			},
		));

	test("ends at files that import each other", () =>
		withWorkspace({ "src/a.ts": 'export * from "./b.ts";\n', "src/b.ts": 'export * from "./a.ts";\n' }, async (ws) =>
			expect(await asked(ws, { all: true })).toEqual([["src/b.ts"]]),
		));
});

describe("the file that an import means", () => {
	const python = {
		"lib/django/utils/functional.py": "class cached_property: ...\n",
		"other/functional.py": "x = 1\n",
		"lib/django/user.py": "from django.utils.functional import cached_property\n",
		"near.py": "import functional\n",
	};

	test("is found by the full name of a Python module, if that leads to a file", async () => {
		expect(await importersIn(python, "lib/django/utils/functional.py")).toEqual(["lib/django/user.py", "near.py"]);
		expect(await importersIn(python, "other/functional.py")).toEqual(["near.py"]);
	});

	test("is found by the last part of a Python module's name if the rest has another path", async () => {
		const tree = { "source/models.py": "A = 1\n", "user.py": "import shop.models\nfrom shop.models import A\n" };
		expect(await importersIn(tree, "source/models.py")).toEqual(["user.py"]);
	});

	test("is a package, a module of one, or a stub of it, in Python", async () => {
		const tree = {
			"app/__init__.py": "version = 1\n",
			"app/models.py": "A = 1\n",
			"app-stubs/models.pyi": "A: int\n",
			"one.py": "import app\n",
			"two.py": "from app import models\n",
			"three.py": "import app.models\n",
			"app/four.py": "from . import models\nfrom .models import A\n",
		};
		expect(await importersIn(tree, "app/__init__.py")).toEqual(["app/four.py", "one.py", "three.py", "two.py"]);
		expect(await importersIn(tree, "app/models.py")).toEqual(["app/four.py", "three.py", "two.py"]);
		expect(await importersIn(tree, "app-stubs/models.pyi")).toEqual(["app/four.py", "three.py", "two.py"]);
	});

	test("is found by the module's path in Go, and a directory of the same name is another package", async () => {
		const tree = {
			"go.mod": "module example.com/m\n",
			"errors/errors.go": "package errors\n",
			"errors/more.go": "package errors\n",
			"main.go": 'package main\n\nimport (\n\t"errors"\n\t"example.com/m/shop"\n)\n',
			"shop/shop.go": 'package shop\n\nimport "example.com/m/errors"\n',
		};
		expect(await importersIn(tree, "errors/errors.go")).toEqual(["errors/more.go", "shop/shop.go"]);
		expect(await importersIn(tree, "shop/shop.go")).toEqual(["main.go"]);
	});

	test("is found by the end of the directory in Go without a go.mod, and by the last part if that leads nowhere", async () => {
		const tree = {
			"src/example.com/m/cart/cart.go": "package cart\n",
			"old/cart/cart.go": "package cart\n",
			"other/tools/tools.go": "package tools\n",
			"main.go": 'package main\n\nimport (\n\t"example.com/m/cart"\n\t"gone.org/tools"\n)\n',
		};
		expect(await importersIn(tree, "src/example.com/m/cart/cart.go")).toEqual(["main.go"]);
		expect(await importersIn(tree, "old/cart/cart.go")).toEqual([]);
		expect(await importersIn(tree, "other/tools/tools.go")).toEqual(["main.go"]);
	});

	test("is found by the end of its path in C, and a source counts for files that include its header", async () => {
		const tree = {
			"include/lib/a.h": "int a(void);\n",
			"old/a.h": "int a(int);\n",
			"src/a.c": "#include <lib/a.h>\nint a(void) { return 1; }\n",
			"src/b.c": '#include "../include/lib/a.h"\n',
			"src/c.c": '#include "old/a.h"\n',
			"src/d.c": "#include <nowhere/a.h>\n",
		};
		expect(await importersIn(tree, "include/lib/a.h")).toEqual(["src/a.c", "src/b.c", "src/d.c"]);
		expect(await importersIn(tree, "old/a.h")).toEqual(["src/c.c", "src/d.c"]);
		expect(await importersIn(tree, "src/a.c")).toEqual(["src/b.c", "src/c.c", "src/d.c"]);
	});

	test("is found by the name of its package, and is never a file of another language", async () => {
		const tree = {
			"packages/core/package.json": '{ "name": "@acme/heart", "main": "./src/entry.ts" }',
			"packages/core/src/index.ts": "",
			"packages/core/src/entry.ts": "",
			"packages/core/src/other.ts": "",
			"packages/core/src/heart.py": "",
			"user.ts": 'import "@acme/heart";\n',
			"data.json": "{}",
			"reader.ts": 'import data from "./data.json";\n',
		};
		expect(await importersIn(tree, "packages/core/src/index.ts")).toEqual(["user.ts"]);
		expect(await importersIn(tree, "packages/core/src/entry.ts")).toEqual(["user.ts"]);
		expect(await importersIn(tree, "packages/core/src/other.ts")).toEqual([]);
		expect(await importersIn(tree, "packages/core/src/heart.py")).toEqual([]);
		expect(await importersIn(tree, "data.json")).toEqual(["reader.ts"]);
	});

	test("is given with the way in which its names are imported", () =>
		withWorkspace(files, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read();
			const importers = await index.importers(ws.path("src/a.ts"));
			expect(importers.find(({ path }) => path.endsWith("index.ts"))).toMatchObject({ star: true, passesOn: true });
			expect(importers.find(({ path }) => path.endsWith("user.ts"))).toMatchObject({ star: false, passesOn: false });
		}));
});

describe("a read of the tree", () => {
	test("includes a file that was reported as changed, and without a watcher every file", () =>
		withWorkspace(files, async (ws) => {
			const index = new FileIndex(ws.root);
			const names = async (watched: boolean) =>
				relativeTo(ws, await index.dependents(ws.path("src/a.ts"), { watched }));
			await names(true);
			ws.write("src/new.ts", 'import "./a.ts";\n');
			ws.write("src/user.ts", "export const user = 1;\n");
			rmSync(ws.path("src/stranger.ts"));
			expect(await names(true)).toContain("src/user.ts");
			for (const file of ["src/new.ts", "src/user.ts", "src/stranger.ts"]) index.changed(ws.path(file));
			expect(await names(true)).toEqual(["src/far.ts", "src/index.ts", "src/new.ts"]);
			rmSync(ws.path("src/new.ts"));
			expect(await names(false)).toEqual(["src/far.ts", "src/index.ts"]);
		}));

	test("includes a file under its new name when it was moved", () =>
		withWorkspace(files, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read();
			renameSync(ws.path("src/user.ts"), ws.path("src/renamed.ts"));
			index.changed(ws.path("src/user.ts"));
			index.changed(ws.path("src/renamed.ts"));
			await index.read({ watched: true });
			expect(relativeTo(ws, index.filesWith(new Set(["user"]), "x.ts"))).toEqual(["src/further.ts", "src/renamed.ts"]);
			expect(await index.importers(ws.path("src/user.ts"))).toHaveLength(1);
			expect(await index.importers(ws.path("src/renamed.ts"))).toEqual([]);
		}));

	test("is shared by many callers if no watcher reports changes", () =>
		withWorkspace(files, async (ws) => {
			let looks = 0;
			const index = new FileIndex(ws.root, {
				walkTree: (root: string) => {
					looks++;
					return walk(root);
				},
			});
			const ask = () => index.dependents(ws.path("src/a.ts"), { watched: true });
			const first = ask();
			await new Promise((resolve) => setImmediate(resolve));
			index.unwatched();
			const answers = await Promise.all([first, ...Array.from({ length: 20 }, ask)]);
			expect(new Set(answers.map((answer) => answer.length))).toEqual(new Set([4]));
			expect(looks).toBeLessThanOrEqual(2);
		}));

	test("finds all tests, also for callers that ask during the read", () =>
		withWorkspace({ ...files, "test/a.test.ts": "export {};\n" }, async (ws) => {
			const underWay: Promise<unknown>[] = [];
			const index: FileIndex = new FileIndex(ws.root, {
				walkTree: async function* (root: string) {
					if (underWay.length === 0) underWay.push(index.tests());
					yield* walk(root);
				},
			});
			await index.dependents(ws.path("src/a.ts"));
			expect(await underWay[0]).toEqual(new Set([ws.path("test/a.test.ts")]));
		}));

	test("rejects for its callers if it fails, and the next one includes all files", () =>
		withWorkspace(files, async (ws) => {
			let looks = 0;
			const index = new FileIndex(ws.root, {
				walkTree: async function* (root: string) {
					let some = 0;
					for await (const found of walk(root)) {
						if (looks === 0 && some++ > 0) throw new Error("too many open files");
						yield found;
					}
				},
			});
			const ask = () => index.dependents(ws.path("src/a.ts"), { watched: true }).finally(() => looks++);
			await expect(ask()).rejects.toThrow("too many open files");
			expect(await ask()).toHaveLength(4);
		}));

	test("excludes files that cannot be read, that are reached by a link, or that are too long to be handwritten", () =>
		withWorkspace({ ...files, "src/secret.ts": 'import { a } from "./a.ts";\n' }, async (ws) => {
			symlinkSync(ws.root, ws.path("src/loop"));
			symlinkSync(ws.path("src/nowhere.ts"), ws.path("src/dangling.ts"));
			writeFileSync(ws.path("src/long.ts"), `import "./a.ts";\n${"// more\n".repeat(300_000)}`);
			chmodSync(ws.path("src/secret.ts"), 0);
			const index = new FileIndex(ws.root);
			await index.read();
			const importers = (await index.importers(ws.path("src/a.ts"))).map(({ path }) => path);
			// Root reads everything.
			const readable = process.getuid?.() === 0 ? ["src/secret.ts"] : [];
			expect(relativeTo(ws, importers)).toEqual(["src/index.ts", ...readable, "src/stranger.ts", "src/user.ts"]);
			expect(index.mayContain(ws.path("src/long.ts"), new Set(["nothing"]))).toBe(true);
		}));
});

describe("the files that may hold a name", () => {
	const tree = {
		...files,
		"Main.java": "class Main { int total() { return 1; } }\n",
		"Use.kt": "fun use(m: Main) = m.total()\n",
		"Apart.java": "class Apart {}\n",
	};

	test("are known without another read, and include a file that is not known", () =>
		withWorkspace(tree, async (ws) => {
			const index = new FileIndex(ws.root);
			expect(index.mayContain(ws.path("src/user.ts"), new Set(["missing"]))).toBe(true);
			await index.read();
			expect(index.mayContain(ws.path("src/user.ts"), new Set(["a"]))).toBe(true);
			expect(index.mayContain(ws.path("src/user.ts"), new Set(["missing"]))).toBe(false);
			expect(index.mayContain(ws.path("src/user.ts"), new Set())).toBe(false);
			expect(index.mayContain(ws.path("src/user.ts"), undefined)).toBe(true);
			expect(index.mayContain(ws.path("src/unknown.ts"), new Set(["missing"]))).toBe(true);
			index.changed(ws.path("src/user.ts"));
			expect(index.mayContain(ws.path("src/user.ts"), new Set(["missing"]))).toBe(true);
		}));

	test("are limited to the languages that are used together", () =>
		withWorkspace(tree, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read();
			expect(relativeTo(ws, index.filesWith(new Set(["total"]), "A.java"))).toEqual(["Main.java", "Use.kt"]);
			expect(index.filesWith(undefined, "A.java")).toHaveLength(3);
			expect(index.filesWith(new Set(["total"]), "a.ts")).toEqual([]);
			expect(index.filesWith(new Set(["total"]), "a.txt")).toEqual([]);
		}));

	test("include any importer for a default export, and no file that does not import it", () =>
		withWorkspace(files, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read();
			expect(index.mayContain(ws.path("src/user.ts"), new Set(["default"]))).toBe(true);
			expect(index.filesWith(new Set(["default"]), "a.ts")).toEqual([]);
		}));
});

describe("the fingerprint of a file", () => {
	test("stays equal when it is only reformatted, and differs when its tokens differ", () =>
		withWorkspace(files, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read();
			const path = ws.path("src/a.ts");
			const edit = async (text: string) => {
				ws.write("src/a.ts", text);
				index.changed(path);
				await index.read({ watched: true });
				return index.meaning(path);
			};
			const before = index.meaning(path);
			expect(before).toBeDefined();
			const formatted = await edit("export const a = 1;\n\n\nexport const other = 2; // two\n");
			expect(formatted).toEqual(before);
			const another = await edit("export const b = 1;\n");
			expect(another).toBeDefined();
			expect(another).not.toBe(before);
			rmSync(path);
			index.changed(path);
			await index.read({ watched: true });
			expect(index.meaning(path)).toBeUndefined();
		}));
});

test("a file that no longer exists when it is to be read is not known", () =>
	withWorkspace({ "a.ts": "export const a = 1;\n" }, async (ws) => {
		const index = new FileIndex(ws.root, {
			walkTree: async function* () {
				yield { files: [ws.path("a.ts"), ws.path("gone.ts")], directories: 1 };
			},
		});
		await index.read();
		expect(index.filesWith(undefined, "a.ts")).toEqual([ws.path("a.ts")]);
	}));

test("the unread files of a tree with too many files may contain any name, until there is room for them", () =>
	withWorkspace(
		Object.fromEntries([1, 2, 3, 4].map((at) => [`f${at}.ts`, `export const v${at} = 1;\n`])),
		async (ws) => {
			const index = new FileIndex(ws.root, { maxFiles: 2 });
			await index.read();
			expect(relativeTo(ws, index.filesWith(new Set(["v1"]), "a.ts"))).toEqual(["f1.ts", "f3.ts", "f4.ts"]);
			rmSync(ws.path("f1.ts"));
			rmSync(ws.path("f2.ts"));
			await index.read();
			await index.read();
			expect(relativeTo(ws, index.filesWith(new Set(["v3"]), "a.ts"))).toEqual(["f3.ts"]);
		},
	));

test("a large tree does not block the event loop while it is read", () => {
	const text = Array.from({ length: 300 }, (_, at) => `export const value${at} = ${at};`).join("\n");
	const tree = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`src/f${at}.ts`, text]));
	return withWorkspace(tree, async (ws) => {
		const index = new FileIndex(ws.root);
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		await index.read();
		clearInterval(timer);
		expect(turns).toBeGreaterThan(20);
	});
});
