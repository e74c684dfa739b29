import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { walk } from "../../src/watch/walk.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";

const files = {
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

async function asked(ws: Workspace, ...options: Parameters<ImportGraph["dependents"]>[1][]): Promise<string[][]> {
	const graph = new ImportGraph(ws.root);
	const answers: string[][] = [];
	for (const option of options)
		answers.push(
			(await graph.dependents(ws.path("src/a.ts"), option)).map((path) => path.slice(ws.root.length + 5)).sort(),
		);
	return answers;
}

test("importers, those behind a barrel, those that mention a name, all that depend on it", () =>
	withWorkspace(files, async (ws) => {
		const [importers, mentioning, anyName, all] = await asked(
			ws,
			{},
			{ names: ["other"] },
			{ names: ["default"] },
			{ all: true },
		);
		expect(importers).toEqual(["far.ts", "index.ts", "stranger.ts", "user.ts"]);
		expect(mentioning).toEqual(["stranger.ts"]);
		expect(anyName).toEqual(importers);
		expect(all).toEqual(["far.ts", "further.ts", "index.ts", "stranger.ts", "user.ts"]);
	}));

test("a file that is told of is read again, and without a watcher every file is looked at", () =>
	withWorkspace(files, async (ws) => {
		const graph = new ImportGraph(ws.root);
		const names = async (watched: boolean) =>
			(await graph.dependents(ws.path("src/a.ts"), { watched })).map((path) => path.slice(ws.root.length + 5)).sort();
		await names(true);
		ws.write("src/new.ts", 'import "./a.ts";\n');
		ws.write("src/user.ts", "export const user = 1;\n");
		rmSync(ws.path("src/stranger.ts"));
		expect(await names(true)).toContain("user.ts");
		for (const file of ["src/new.ts", "src/user.ts", "src/stranger.ts"]) graph.changed(ws.path(file));
		expect(await names(true)).toEqual(["far.ts", "index.ts", "new.ts"]);
		rmSync(ws.path("src/new.ts"));
		expect(await names(false)).toEqual(["far.ts", "index.ts"]);
	}));

test("what depends on a file is remembered until an import comes or goes, or a package gets another name", () =>
	withWorkspace(
		{
			"one/package.json": '{ "name": "lib" }\n',
			"one/index.ts": "export const lib = 1;\n",
			"src/user.ts": 'import "lib";\n',
			"src/far.ts": 'import "./user.ts";\n',
			"src/other.ts": "export const other = 1;\n",
		},
		async (ws) => {
			const graph = new ImportGraph(ws.root);
			const all = async (watched = true) =>
				(await graph.dependents(ws.path("one/index.ts"), { all: true, watched }))
					.map((path) => path.slice(ws.root.length + 5))
					.sort();
			const edit = (file: string, text: string) => {
				ws.write(file, text);
				graph.changed(ws.path(file));
			};
			expect(await all()).toEqual(["far.ts", "user.ts"]);
			(await graph.dependents(ws.path("one/index.ts"), { all: true, watched: true })).length = 0;
			edit("src/far.ts", 'import "./user.ts"; // and more\n');
			expect(await all()).toEqual(["far.ts", "user.ts"]);
			edit("src/other.ts", 'import "./far.ts";\n');
			expect(await all()).toEqual(["far.ts", "other.ts", "user.ts"]);
			edit("src/far.ts", "export {};\n");
			expect(await all()).toEqual(["user.ts"]);
			edit("src/new.ts", 'import "lib";\n');
			expect(await all()).toEqual(["new.ts", "user.ts"]);
			rmSync(ws.path("src/user.ts"));
			graph.changed(ws.path("src/user.ts"));
			expect(await all()).toEqual(["new.ts"]);
			edit("one/package.json", '{ "name": "another" }\n');
			expect(await all()).toEqual([]);
			ws.write("one/package.json", '{ "name": "lib" }\n');
			expect(await all(false)).toEqual(["new.ts"]);
			expect(await all()).toEqual(["new.ts"]);
		},
	));

test("files that import each other end", () =>
	withWorkspace({ "src/a.ts": 'export * from "./b.ts";\n', "src/b.ts": 'export * from "./a.ts";\n' }, async (ws) =>
		expect(await asked(ws, { all: true })).toEqual([["b.ts"]]),
	));

test("many who ask at once where nobody tells share their looks at the tree", () =>
	withWorkspace(files, async (ws) => {
		let looks = 0;
		const graph = new ImportGraph(ws.root, (root) => {
			looks++;
			return walk(root);
		});
		const ask = () => graph.dependents(ws.path("src/a.ts"), { watched: true });
		const first = ask();
		await new Promise((resolve) => setImmediate(resolve));
		graph.unwatched();
		const answers = await Promise.all([first, ...Array.from({ length: 20 }, ask)]);
		expect(new Set(answers.map((answer) => answer.length))).toEqual(new Set([4]));
		expect(looks).toBeLessThanOrEqual(2);
	}));

test("tests that are asked for while a look at the tree is under way are all of them", () =>
	withWorkspace({ ...files, "test/a.test.ts": "export {};\n" }, async (ws) => {
		const underWay: Promise<unknown>[] = [];
		const graph: ImportGraph = new ImportGraph(ws.root, async function* (root) {
			if (underWay.length === 0) underWay.push(graph.tests());
			yield* walk(root);
		});
		await graph.dependents(ws.path("src/a.ts"));
		expect(await underWay[0]).toEqual(new Set([ws.path("test/a.test.ts")]));
	}));

test("a look at the tree that fails fails for those who waited for it, and the next one sees all", () =>
	withWorkspace(files, async (ws) => {
		let looks = 0;
		const graph = new ImportGraph(ws.root, async function* (root) {
			let some = 0;
			for await (const found of walk(root)) {
				if (looks === 0 && some++ > 0) throw new Error("too many open files");
				yield found;
			}
		});
		const ask = () => graph.dependents(ws.path("src/a.ts"), { watched: true }).finally(() => looks++);
		await expect(ask()).rejects.toThrow("too many open files");
		expect(await ask()).toHaveLength(4);
	}));
