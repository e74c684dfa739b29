import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

interface Kind {
	readonly kind: string;
	/** The program that the case needs; absent for bundled servers. */
	readonly program?: string;
	readonly files: Files;
	readonly gone: readonly string[];
	/** An edit of a user, after which it no longer depends on the removed files. */
	readonly freed: readonly [file: string, content: string];
	readonly broken: readonly string[];
	/** A new file and a user of it, which has one error then. */
	readonly fresh: readonly [file: string, content: string, user: string, content: string];
	/** True if the server finds new files on disk alone. */
	readonly isBlind?: boolean;
}

const typescript: Omit<Kind, "kind"> = {
	files: {
		...TYPESCRIPT_PROJECT,
		"src/greet.ts":
			"export function greet(name: string): string {\n\treturn name;\n}\nexport interface Word {\n\ttext: string;\n}\n",
		"src/deep/index.ts": "export const depth = 1;\n",
		"src/app.ts":
			'import { greet } from "./greet.ts";\nimport type { Word } from "./greet.ts";\n\nexport const loud: number = greet("you");\nexport const word: Word = { text: 1 };\n',
		"src/more.ts": 'export { greet as welcome } from "./greet.ts";\nexport * from "./deep/index.ts";\n',
		"src/far.ts": 'import { depth, welcome } from "./more.ts";\n\nexport const far: number = welcome(depth);\n',
		"src/side.ts": 'import "./greet.ts";\nexport const old: number = "x";\n',
		"src/lazy.ts":
			'export const lazy = async () => (await import("./greet.ts")).greet(1);\nexport type Greet = typeof import("./greet.ts");\n',
		"src/apart.ts": "export const greet: number = 'x';\n",
	},
	gone: ["src/greet.ts", "src/deep/index.ts"],
	freed: ["src/app.ts", "export const loud: number = 'x';\n"],
	broken: ["src/app.ts", "src/far.ts", "src/lazy.ts", "src/more.ts"],
	fresh: [
		"src/new.ts",
		"export const fresh: number = 1;\n",
		"src/apart.ts",
		'import { fresh } from "./new.ts";\nexport const text: string = fresh;\n',
	],
};

const kinds: readonly Kind[] = [
	// The server also looks for files that are imported for their effects alone.
	{ kind: "TypeScript 7", ...typescript, broken: [...typescript.broken, "src/side.ts"] },
	{
		kind: "TypeScript 5.9",
		...typescript,
		files: {
			...typescript.files,
			"package.json": JSON.stringify({ name: "sample", type: "module", devDependencies: { typescript: "5.9.3" } }),
		},
	},
	{
		kind: "pyright",
		program: "pyright-langserver",
		files: {
			"pyproject.toml": "[project]\nname = 'x'\n",
			"shop/__init__.py": "from .item import Item as Item\n",
			"shop/item.py": "class Item:\n    name: str\n\n\ndef make() -> Item:\n    return Item()\n",
			"tools.py": "def run(n: int) -> int:\n    return n\n",
			"cart.py": "from shop.item import make\n\nn: int = make().name\n",
			"till.py": "from shop import Item\n\nitem: Item\n",
			"whole.py": "import shop.item\nimport tools; old: int = ''\n\nshop.item.make(1)\ntools.run('')\n",
			"named.py": "from shop import item, Item as Thing\nimport tools as own\n\nitem.make(1)\nown.run('')\nThing(1)\n",
			"apart.py": "item: int = ''\n",
		},
		gone: ["shop/item.py", "tools.py"],
		freed: ["cart.py", "n: int = ''\n"],
		broken: ["cart.py", "named.py", "shop/__init__.py", "till.py", "whole.py"],
		fresh: ["new.py", "fresh: int = 1\n", "apart.py", "from new import fresh\n\ntext: str = fresh\n"],
		isBlind: true,
	},
	{
		kind: "gopls",
		program: "gopls",
		files: {
			"go.mod": "module example.com/shop\n\ngo 1.21\n",
			"item/item.go": "// Package item has items.\npackage item\n\nfunc Make() int { return 1 }\n",
			"item/twice.go": "package item\n\nfunc Twice() int { return 2 * Make() }\n",
			"main.go":
				'package main\n\nimport "example.com/shop/item"\n\nfunc main() {\n\tvar n string = item.Make()\n\tprintln(n, item.Twice())\n}\n',
			"apart.go": "package main\n\nvar apart int = 1\n",
		},
		gone: ["item/item.go"],
		freed: ["main.go", "package main\n\nfunc main() {\n\tvar n string = 1\n\tprintln(n)\n}\n"],
		broken: ["item/twice.go", "main.go"],
		fresh: [
			"fresh.go",
			"package main\n\nvar fresh int = 1\n",
			"apart.go",
			"package main\n\nvar apart string = fresh\n",
		],
	},
];

const settings = { graceMs: 60_000, coldMs: 60_000, warmMs: 60_000 };

describe.each(kinds)("a preview ($kind)", ({ program, files, gone, freed, broken, fresh, isBlind = false }) => {
	const isReady = program === undefined || isThere(program);
	const project = { ...files, ".pi-lsp.json": JSON.stringify(settings) };
	const sources = Object.keys(files).filter((name) => /\.(?:ts|py|go)$/.test(name));
	const left = sources.filter((name) => !gone.includes(name));

	test.skipIf(!isReady)(
		"of deleted files reports for the dependents the results of a later check",
		{ timeout: 150_000 },
		() =>
			withWorkspace(project, async (ws) => {
				const run = runner(ws);
				for (const edits of [[], [{ file: freed[0], content: freed[1] }]]) {
					const deletions = gone.map((file) => ({ file, deleted: true }));
					const previewed = await run(["preview", ...edited([...deletions, ...edits])]);
					for (const file of gone) rmSync(ws.path(file));
					for (const { file, content } of edits) ws.write(file, content);
					const checked = await run(["check", ...left]);
					for (const file of [...gone, ...edits.map((each) => each.file)]) ws.write(file, files[file] ?? "");
					await run(["check", ...sources]);
					expect(statesOf(previewed)).toEqual([]);
					const changed = errorsOf(previewed).map(([file]) => file);
					expect(changed).toEqual(broken);
					expect(errorsOf(previewed)).toEqual(errorsOf(checked).filter(([file]) => changed.includes(file)));
					expect(JSON.stringify(previewed)).not.toMatch(/[\ua000-\ua3ff]/);
				}
			}),
	);

	test.skipIf(!isReady)(
		`of a new file ${isBlind ? "names its users as unknown, since they are judged by the disk" : "judges its users by it"}`,
		{ timeout: 90_000 },
		() =>
			withWorkspace(project, async (ws) => {
				const [file, content, user, text] = fresh;
				const input = edited([
					{ file, content },
					{ file: user, content: text },
				]);
				const previewed = await runner(ws)(["preview", ...input]);
				if (isBlind) expect(statesOf(previewed)).toEqual([[user, "unavailable"]]);
				else {
					expect(statesOf(previewed)).toEqual([]);
					expect(errorsOf(previewed).map(([path, errors]) => [path, errors.length])).toEqual([[user, 1]]);
				}
			}),
	);
});

test("a preview of a deleted file that one text imports by two names equals a later check", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"tsconfig.json": JSON.stringify({
				compilerOptions: { strict: true, module: "esnext", moduleResolution: "bundler", types: [], noEmit: true },
			}),
			"src/deep/index.ts": "export const depth = 1;\n",
			"src/both.ts":
				'import { depth } from "./deep";\nexport * from "./deep/index";\nexport const d: number = depth;\n',
			".pi-lsp.json": JSON.stringify(settings),
		},
		async (ws) => {
			const run = runner(ws);
			const previewed = await run(["preview", ...edited([{ file: "src/deep/index.ts", deleted: true }])]);
			rmSync(ws.path("src/deep/index.ts"));
			const checked = await run(["check", "src/both.ts"]);
			expect(errorsOf(checked).flatMap(([, errors]) => errors)).toHaveLength(2);
			expect(errorsOf(previewed)).toEqual(errorsOf(checked));
		},
	));

const aliased = (options: object): Files => ({
	...TYPESCRIPT_PROJECT,
	"base.json": JSON.stringify({
		compilerOptions: {
			strict: true,
			module: "esnext",
			moduleResolution: "bundler",
			types: [],
			noEmit: true,
			...options,
		},
	}),
	"tsconfig.json": JSON.stringify({ extends: "./base", include: ["src", "made"] }),
	"src/item.ts": "export const item = 1;\n",
	"made/item.ts": "export const item = 'x';\n",
});

const elsewhere: readonly {
	readonly found: string;
	readonly files: Files;
	readonly gone: string;
	readonly user: string;
	readonly program?: string;
	readonly isUnknown: boolean;
}[] = [
	{
		found: "in the second directory of a path alias",
		files: {
			...aliased({ paths: { "@/*": ["./src/*", "./made/*"] } }),
			"src/user.ts": 'import { item } from "@/item";\nexport const n: number = item;\n',
		},
		...{ gone: "src/item.ts", user: "src/user.ts", isUnknown: true },
	},
	{
		found: "in another root directory",
		files: {
			...aliased({ rootDirs: ["./src", "./made"] }),
			"src/user.ts": 'import { item } from "./item";\nexport const n: number = item;\n',
		},
		...{ gone: "src/item.ts", user: "src/user.ts", isUnknown: true },
	},
	{
		found: "nowhere by a path alias of one directory",
		files: {
			...aliased({ paths: { "@/*": ["./src/*"] } }),
			"src/user.ts": 'import { item } from "@/item";\nexport const n: number = item;\n',
		},
		...{ gone: "src/item.ts", user: "src/user.ts", isUnknown: false },
	},
	{
		found: "in the standard library",
		files: {
			"pyproject.toml": "[project]\nname = 'x'\n",
			"colorsys.py": "def run() -> int:\n    return 1\n",
			"user.py": "import colorsys\n\ncolorsys.run()\n",
		},
		...{ gone: "colorsys.py", user: "user.py", program: "pyright-langserver", isUnknown: true },
	},
	{
		found: "in the environment",
		files: {
			"pyproject.toml": "[project]\nname = 'x'\n",
			".venv/pyvenv.cfg": "home = /usr/bin\n",
			".venv/lib/python3.12/site-packages/shelf/__init__.py": "def run() -> str:\n    return ''\n",
			"shelf.py": "def run() -> int:\n    return 1\n",
			"user.py": "from shelf import run\n\nn: int = run()\n",
		},
		...{ gone: "shelf.py", user: "user.py", program: "pyright-langserver", isUnknown: true },
	},
	{
		found: "nowhere by the name of a module",
		files: {
			"pyproject.toml": "[project]\nname = 'x'\n",
			"shelf.py": "def run() -> int:\n    return 1\n",
			"user.py": "from shelf import run\n\nn: int = run()\n",
		},
		...{ gone: "shelf.py", user: "user.py", program: "pyright-langserver", isUnknown: false },
	},
];

describe("a preview of a deleted file whose import is found", () => {
	for (const { found, files, gone, user, program, isUnknown } of elsewhere)
		test.skipIf(program !== undefined && !isThere(program))(
			`${found} names its user as ${isUnknown ? "unknown" : "broken"}`,
			{ timeout: 90_000 },
			() =>
				withWorkspace({ ...files, ".pi-lsp.json": JSON.stringify(settings) }, async (ws) => {
					const previewed = await runner(ws)(["preview", ...edited([{ file: gone, deleted: true }])]);
					if (isUnknown) expect(statesOf(previewed).map(([path]) => path)).toContain(user);
					else {
						expect(statesOf(previewed)).toEqual([]);
						expect(errorsOf(previewed).map(([path]) => path)).toEqual([user]);
					}
				}),
		);
});

function runner(ws: Workspace): (words: readonly string[]) => Promise<CheckReport> {
	const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
	return async (words) => JSON.parse((await ws.cli([...words, "--json"], { env })).stdout);
}

function edited(edits: readonly object[]): string[] {
	return edits.flatMap((each) => ["--edits", JSON.stringify(each)]);
}

/** The paths of the files that are not proven. */
function statesOf({ files }: CheckReport): (readonly [path: string, state: string])[] {
	return files.filter(({ state }) => state !== "fresh").map(({ path, state }) => [path, state]);
}

/** By path, one a line. */
function errorsOf({ files }: CheckReport): (readonly [path: string, errors: readonly string[]])[] {
	return files
		.filter(({ diagnostics }) => diagnostics.length > 0)
		.map(({ path, diagnostics }): [string, string[]] => {
			const lines = diagnostics.map(({ line, column, endLine, endColumn, code, message }) =>
				[line, column, endLine, endColumn, code, message].join(" "),
			);
			return [path, lines.sort()];
		})
		.sort(([a], [b]) => (a < b ? -1 : 1));
}
