import { rmSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Change, findAffected } from "../../src/impact/find-affected.ts";
import { FileIndex } from "../../src/impact/index/file-index.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";

interface Seen {
	readonly changed?: readonly string[] | "any";
	readonly added?: readonly string[];
	readonly gone?: readonly string[];
	readonly isWhole?: boolean;
	readonly everywhere?: boolean;
}

function changeOf(
	path: string,
	{ changed = [], gone = [], added = [], everywhere = false, isWhole = false }: Seen,
): Change {
	return {
		path,
		changed: changed === "any" ? undefined : new Set(changed),
		gone: new Set(gone),
		lost: new Set(),
		isWhole,
		added: new Set(added),
		everywhere,
	};
}

/** The files that some changes may affect, as `distance path`, in the order in which they are found. */
async function affected(
	ws: Workspace,
	changes: Readonly<Record<string, Seen>>,
	index = new FileIndex(ws.root),
	mayGoOn?: (found: readonly string[]) => Promise<void>,
) {
	await index.read({ watched: true });
	const found: string[] = [];
	await findAffected(
		Object.entries(changes).map(([file, seen]) => changeOf(ws.path(file), seen)),
		{
			index,
			signal: new AbortController().signal,
			...(mayGoOn ? { mayGoOn: () => mayGoOn(found) } : {}),
			textOf: (path) => readFile(path, "utf8").catch(() => undefined),
			found: ({ path, distance }) => void found.push(`${distance} ${path.slice(ws.root.length + 1)}`),
		},
	);
	return found;
}

/** Does the same in a tree of its own. */
function affectedIn(tree: Files, changes: Readonly<Record<string, Seen>>): Promise<string[]> {
	return withWorkspace(tree, (ws) => affected(ws, changes));
}

const a = "export interface A {\n\tx: number;\n}\nexport interface B {}\nexport const make = (): A => ({ x: 1 });\n";

describe("a changed name in TypeScript", () => {
	test("affects the importers that use it and no others, the nearest first", async () => {
		const found = await affectedIn(
			{
				"src/a.ts": a,
				"src/z-near.ts": 'import type { A } from "./a.ts";\nconst own: A = { x: 1 };\n',
				"src/deep/inner/user.ts": 'import type { A } from "../../a.ts";\nconst own: A = { x: 1 };\n',
				"src/deep/user.ts": 'import type { A } from "../a.ts";\nconst own: A = { x: 1 };\n',
				"src/other.ts": 'import type { B } from "./a.ts";\nconst own: B = {};\n',
				"src/stranger.ts": "export const A = 1;\n",
			},
			{ "src/a.ts": { changed: ["A"] } },
		);
		expect(found).toEqual(["1 src/z-near.ts", "1 src/deep/user.ts", "1 src/deep/inner/user.ts"]);
	});

	test("affects all importers if the name is unknown, and none if there is no name", async () => {
		const tree = {
			"a.ts": a,
			"b.ts": 'import type { B } from "./a.ts";\nconst own: B = {};\n',
			"c.ts": 'import "./a.ts";\n',
			"d.ts": "export {};\n",
		};
		expect(await affectedIn(tree, { "a.ts": { changed: "any" } })).toEqual(["1 b.ts", "1 c.ts"]);
		expect(await affectedIn(tree, { "a.ts": {} })).toEqual([]);
	});

	test("affects its users by another name", async () => {
		const found = await affectedIn(
			{
				"a.ts": a,
				"alias.ts": 'import type { A as Area } from "./a.ts";\nexport const made = (): Area => ({ x: 1 });\n',
				"all.ts": 'import { made } from "./alias.ts";\nmade().x.toFixed();\n',
				"list.ts": 'export { A as Place } from "./a.ts";\n',
				"place.ts": 'import type { Place } from "./list.ts";\nconst own: Place = { x: 1 };\n',
				"space.ts": 'import * as everything from "./a.ts";\nlet own: everything.A | undefined;\n',
				"apart.ts": 'import * as everything from "./a.ts";\nlet own: everything.B | undefined;\n',
			},
			{ "a.ts": { changed: ["A"] } },
		);
		expect(found.slice(0, 3)).toEqual(["1 alias.ts", "1 list.ts", "1 space.ts"]);
		expect(found.slice(3).sort()).toEqual(["2 all.ts", "2 place.ts"]);
	});

	test("affects users of re-exports at the distance of an importer, also through stars that do not name it", async () => {
		const found = await affectedIn(
			{
				"src/a.ts": a,
				"src/b.ts": "export const b = 1;\n",
				"src/index.ts": 'export * from "./a.ts";\nexport * from "./b.ts";\n',
				"src/spaces.ts": 'export * as shapes from "./index.ts";\n',
				"src/named.ts": 'export { A } from "./index.ts";\n',
				"one.ts": 'import type { A } from "./src/index.ts";\nconst own: A = { x: 1 };\n',
				"two.ts": 'import { shapes } from "./src/spaces.ts";\nlet own: shapes.A | undefined;\n',
				"three.ts": 'import type { A } from "./src/named.ts";\nconst own: A = { x: 1 };\n',
				"apart.ts": 'import { b } from "./src/index.ts";\nexport const c = b;\n',
			},
			{ "src/a.ts": { changed: ["A"] } },
		);
		expect(found).toEqual(["1 src/named.ts", "1 one.ts", "1 three.ts", "1 two.ts"]);
	});

	test("affects users of what an importer declares, however far, but not behind a declaration with an explicit type", async () => {
		const tree: Record<string, string> = {
			"m0.ts": "export const v0 = (): number => 1;\n",
			"says.ts": 'import { v0 } from "./m0.ts";\nexport function said(): number {\n\treturn v0();\n}\n',
			"apart.ts": 'import { said } from "./says.ts";\nsaid().toFixed();\n',
		};
		for (let at = 1; at <= 8; at++)
			tree[`m${at}.ts`] = `import { v${at - 1} } from "./m${at - 1}.ts";\nexport const v${at} = () => v${at - 1}();\n`;
		const found = await affectedIn(tree, { "m0.ts": { changed: ["v0"] } });
		expect(found).toEqual(["1 m1.ts", "1 says.ts", ...[2, 3, 4, 5, 6, 7, 8].map((at) => `${at} m${at}.ts`)]);
	});

	test("affects any importer of a default export that is made of it", async () => {
		const found = await affectedIn(
			{
				"a.ts": a,
				"default.ts": 'import { make } from "./a.ts";\nexport default make();\n',
				"any.ts": 'import whatever from "./default.ts";\nwhatever.x.toFixed();\n',
			},
			{ "a.ts": { changed: ["make"] } },
		);
		expect(found).toEqual(["1 default.ts", "2 any.ts"]);
	});

	test("affects a file again when further names reach it", async () => {
		const found = await affectedIn(
			{
				"a.ts": "export const one = () => 1;\n",
				"b.ts": 'import { one } from "./a.ts";\nexport const two = () => one();\n',
				"c.ts":
					'import { one } from "./a.ts";\nimport { two } from "./b.ts";\none();\nexport const three = () => two();\n',
				"d.ts": 'import { three } from "./c.ts";\nthree();\n',
			},
			{ "a.ts": { changed: ["one"] } },
		);
		expect(found).toEqual(["1 b.ts", "1 c.ts", "3 d.ts"]);
	});

	test("affects files of the same tree if no import is needed to see it", async () => {
		const tree = {
			"globals.ts": "declare const shared: number;\n",
			"user.ts": "export const user = shared;\n",
			"far.ts": 'import { user } from "./user.ts";\nuser.toFixed();\n',
			"other.ts": "export {};\n",
			"user.py": "shared = 1\n",
		};
		const everywhere = { changed: ["shared"], everywhere: true };
		expect(await affectedIn(tree, { "globals.ts": everywhere })).toEqual(["1 user.ts", "2 far.ts"]);
		expect(await affectedIn(tree, { "globals.ts": { added: ["shared"], everywhere: true } })).toContain("1 user.ts");
		expect(await affectedIn(tree, { "globals.ts": { changed: ["shared"] } })).toEqual([]);
	});
});

describe("a removed name", () => {
	const gone = { changed: ["A"], gone: ["A"] };

	test("affects the importers that use it, and not files that only infer a type from theirs", async () => {
		const tree = {
			"a.ts": "export {};\n",
			"b.ts": 'import { A } from "./a.ts";\nexport const made = A();\n',
			"c.ts": 'import { made } from "./b.ts";\nmade.x;\n',
		};
		expect(await affectedIn(tree, { "a.ts": gone })).toEqual(["1 b.ts"]);
		expect(await affectedIn(tree, { "a.ts": { changed: ["A"] } })).toEqual(["1 b.ts", "2 c.ts"]);
	});

	test("affects every importer if its whole file is removed", async () => {
		const tree = {
			"index.ts": 'export * from "./a.ts";\n',
			"named.ts": 'import { A } from "./index.ts";\n',
			"side.ts": 'import "./a.ts";\n',
		};
		expect(await affectedIn(tree, { "a.ts": { ...gone, isWhole: true } })).toEqual([
			"1 index.ts",
			"1 named.ts",
			"1 side.ts",
		]);
	});

	test("removes the members of its subtypes", async () => {
		const tree = {
			"a.ts": "export {};\n",
			"b.ts": 'import { A } from "./a.ts";\nexport class B extends A {}\n',
			"c.ts": 'import { B } from "./b.ts";\nnew B().x;\n',
		};
		expect(await affectedIn(tree, { "a.ts": gone })).toEqual(["1 b.ts", "2 c.ts"]);
	});

	test("affects its users by another name, and through a Python module that imports it", async () => {
		const script = {
			"a.ts": "export {};\n",
			"b.ts": 'import { A } from "./a.ts";\nexport { A as B };\n',
			"c.ts": 'import { B } from "./b.ts";\nB();\n',
		};
		expect(await affectedIn(script, { "a.ts": gone })).toEqual(["1 b.ts", "2 c.ts"]);
		const python = {
			"pkg/a.py": "",
			"pkg/__init__.py": "from .a import A\nmade = A()\n",
			"user.py": "from pkg import A\n",
			"other.py": "from pkg import made\n",
		};
		expect(await affectedIn(python, { "pkg/a.py": gone })).toEqual(["1 pkg/__init__.py", "2 user.py"]);
		const commented = { ...script, "b.ts": 'import { A } from "./a.ts";\nexport {\n\tA as B, // {A}\n};\n' };
		expect(await affectedIn(commented, { "a.ts": gone })).toEqual(["1 b.ts", "2 c.ts"]);
		const listed = { ...python, "pkg/__init__.py": "from .a import (\n    C,  # (C)\n    A,\n)\nmade = A()\n" };
		expect(await affectedIn(listed, { "pkg/a.py": gone })).toEqual(["1 pkg/__init__.py", "2 user.py"]);
	});
});

describe("an added name", () => {
	test("does not affect files that import by name", async () => {
		const tree = { "a.ts": a, "user.ts": 'import { make } from "./a.ts";\nconst fresh = make();\n' };
		expect(await affectedIn(tree, { "a.ts": { added: ["fresh"] } })).toEqual([]);
	});

	test("affects a barrel in which two files may now declare it, and files that shadow it", async () => {
		const tree = {
			"a.ts": "export const one = 1;\n",
			"b.ts": "export const fresh = 1;\n",
			"both.ts": 'export * from "./a.ts";\nexport * from "./b.ts";\n',
			"own.ts": 'export * from "./a.ts";\nexport const fresh = 2;\n',
			"alone.ts": 'export * from "./a.ts";\n',
			"space.ts": 'export * as a from "./a.ts";\nexport const fresh = 1;\n',
		};
		expect(await affectedIn(tree, { "a.ts": { added: ["fresh"] } })).toEqual(["1 both.ts", "1 own.ts"]);
	});

	test("affects files that take all names: Python's stars, C's includes, the same package in Go", async () => {
		const python = {
			"a.py": "def fresh(): ...\n",
			"star.py": "from a import *\nfresh = 1\n",
			"named.py": "from a import other\nfresh = 1\n",
			"far.py": "from star import *\nfresh()\n",
		};
		expect((await affectedIn(python, { "a.py": { added: ["fresh"] } })).sort()).toEqual(["1 far.py", "1 star.py"]);
		const c = {
			"a.h": "int fresh(void);\n",
			"mid.h": '#include "a.h"\n',
			"user.c": '#include "mid.h"\nstatic int fresh(int a) { return a; }\n',
			"apart.c": '#include "mid.h"\n',
		};
		expect(await affectedIn(c, { "a.h": { added: ["fresh"] } })).toEqual(["1 user.c"]);
		const go = {
			"go.mod": "module example.com/m\n",
			"shop/a.go": "package shop\n\nfunc fresh() {}\n",
			"shop/b.go": "package shop\n\nfunc other() { fresh() }\n",
			"main.go": 'package main\n\nimport "example.com/m/shop"\n\nfunc main() { fresh := shop.A; _ = fresh }\n',
		};
		expect(await affectedIn(go, { "shop/a.go": { added: ["fresh"] } })).toEqual(["1 shop/b.go"]);
	});
});

describe("a changed name in another language", () => {
	test("affects in Python the importers, their importers, and users of their declarations", async () => {
		const found = await affectedIn(
			{
				"app/__init__.py": "from .models import User\n",
				"app/models.py": "class User:\n    name: str\n\nclass Item: ...\n",
				"one.py": "from app import User\nprint(User().name)\n",
				"two.py": "from app.models import Item\nprint(Item())\n",
				"three.py": "import app.models\nprint(app.models.User())\n",
				"make.py": "from app.models import User\n\ndef make():\n    return User()\n",
				"made.py": "from make import make\nprint(make().name)\n",
			},
			{ "app/models.py": { changed: ["User"] } },
		);
		expect(found).toContain("1 app/__init__.py");
		expect(found).toContain("1 three.py");
		expect(found.find((each) => each.endsWith("one.py"))).toBeDefined();
		expect(found).toContain("2 made.py");
		expect(found.join()).not.toContain("two.py");
	});

	test("affects in Go the package and its importers", async () => {
		const found = await affectedIn(
			{
				"go.mod": "module example.com/m\n",
				"shop/a.go": "package shop\n\nfunc Total() int { return 1 }\n",
				"shop/b.go": "package shop\n\nvar sum = Total()\n",
				"main.go": 'package main\n\nimport "example.com/m/shop"\n\nfunc main() { _ = shop.Total() }\n',
				"other/other.go": "package other\n\nfunc Total() int { return 2 }\n",
			},
			{ "shop/a.go": { changed: ["Total"] } },
		);
		expect(found).toEqual(["1 shop/b.go", "1 main.go"]);
	});

	test("affects in C all files that include the header, also through other headers", async () => {
		const found = await affectedIn(
			{
				"a.h": "struct a { int x; };\nint total(struct a *);\n",
				"mid.h": '#include "a.h"\n',
				"user.c": '#include "mid.h"\nint use(struct a *p) { return total(p); }\n',
				"apart.c": '#include "mid.h"\nint other(void) { return 1; }\n',
			},
			{ "a.h": { changed: ["total"] } },
		);
		expect(found).toEqual(["1 user.c"]);
	});

	test("affects in C the files that name a macro that contains it, even if it is removed", async () => {
		const found = await affectedIn(
			{
				"a.h": "int sum(struct a *);\n",
				"mid.h": '#include "a.h"\n#define TOTAL(p) \\\n\ttotal(p)\n',
				"user.c": '#include "mid.h"\nint use(struct a *p) { return TOTAL(p); }\n',
				"apart.c": '#include "mid.h"\nint other(void) { return 1; }\n',
			},
			{ "a.h": { changed: ["total"], gone: ["total"], added: ["sum"] } },
		);
		expect(found).toEqual(["1 mid.h", "2 user.c"]);
	});

	test("is searched by its text in languages whose imports are not read", async () => {
		const found = await affectedIn(
			{
				"src/Shop.java": "class Shop { int total() { return 1; } }\n",
				"src/Use.kt": "fun use(shop: Shop) = shop.total()\n",
				"src/Apart.java": "class Apart {}\n",
				"src/Far.java": "class Far { Use use; }\n",
				"use.ts": "const total = 1;\n",
			},
			{ "src/Shop.java": { changed: ["total"] } },
		);
		// A file whose declarations are not read is seen by its name.
		expect(found).toEqual(["1 src/Use.kt", "2 src/Far.java"]);
	});

	test("affects its users with certainty if it is removed", () =>
		withWorkspace(
			{
				"Shop.java": "class Shop { int total(int x) { return 1; } }\n",
				"Use.java": "class Use { int all() { return new Shop().total(1); } }\n",
				"Apart.java": "class Apart { int x; }\n",
			},
			async (ws) => {
				const index = new FileIndex(ws.root);
				await index.read({ watched: true });
				const losing: string[] = [];
				const changed = changeOf(ws.path("Shop.java"), { changed: ["total", "x"], gone: ["total"], everywhere: true });
				await findAffected([changed], {
					index,
					signal: new AbortController().signal,
					textOf: (path) => readFile(path, "utf8"),
					found: ({ path, losesName }) => void (losesName && losing.push(path)),
				});
				expect(losing).toEqual([ws.path("Use.java")]);
			},
		));
});

describe("a tree of files", () => {
	test("in which all files import one service in a circle is searched to its end", async () => {
		const size = 60;
		const tree: Record<string, string> = {
			"hub.ts": Array.from({ length: size }, (_, at) => `export * from "./m${at}.ts";`).join("\n"),
		};
		for (let at = 0; at < size; at++)
			tree[`m${at}.ts`] =
				`import { v${(at + size - 1) % size} } from "./hub.ts";\nexport const v${at} = () => v${(at + size - 1) % size}();\n`;
		const found = await affectedIn(tree, { "m0.ts": { changed: ["v0"] } });
		expect(found).toHaveLength(size - 1);
		expect(found[0]).toBe("1 m1.ts");
		expect(found.at(-1)).toBe(`${size - 1} m${size - 1}.ts`);
	});

	test("in which a file imports itself and others in a ring is searched to its end", async () => {
		const tree = {
			"a.ts": 'export * from "./b.ts";\nexport * from "./a.ts";\nexport const x = () => 1;\n',
			"b.ts": 'export * from "./c.ts";\n',
			"c.ts": 'export * from "./a.ts";\nimport { x } from "./a.ts";\nexport const y = () => x();\n',
		};
		expect(await affectedIn(tree, { "a.ts": { changed: ["x"] } })).toEqual(["1 c.ts"]);
	});

	test("of 5,000 importers is searched quickly, yields what it finds at once, and does not block the event loop", () => {
		const tree: Record<string, string> = {
			"src/hub.ts": Array.from({ length: 2000 }, (_, at) => `export const name${at} = ${at};`).join("\n"),
		};
		for (let at = 0; at < 5000; at++)
			tree[`src/d${at % 50}/f${at}.ts`] =
				`import { name${at % 2000} } from "../hub.ts";\nconst own${at} = name${at % 2000};\n`;
		return withWorkspace(tree, async (ws) => {
			const index = new FileIndex(ws.root);
			await index.read({ watched: true });
			const search = async (changed: ReadonlySet<string>) => {
				let count = 0;
				let read = 0;
				/** The number of texts that had been read when the first file was found. */
				let readAtFirst = 0;
				let turns = 0;
				const timer = setInterval(() => turns++, 0);
				await findAffected(
					[
						{
							path: ws.path("src/hub.ts"),
							changed,
							gone: new Set(),
							lost: new Set(),
							added: new Set(),
							everywhere: false,
							isWhole: false,
						},
					],
					{
						index,
						signal: new AbortController().signal,
						textOf: (path) => {
							read++;
							return readFile(path, "utf8");
						},
						found: () => {
							if (count++ === 0) readAtFirst = read;
						},
					},
				);
				clearInterval(timer);
				return { count, read, readAtFirst, turns };
			};
			const none = await search(new Set(["nothing"]));
			const few = await search(new Set(["name7"]));
			const absent = await search(new Set(Array.from({ length: 2000 }, (_, at) => `absent${at}`)));
			const all = await search(new Set(Array.from({ length: 2000 }, (_, at) => `name${at}`)));
			expect([none.count, few.count, absent.count, all.count]).toEqual([0, 3, 0, 5000]);
			// The filters of 5,000 files are wrong about one name in 1 % of them, and then a text is read needlessly.
			expect(none.read).toBeLessThan(200);
			expect(few.read).toBeLessThan(200);
			expect(all.readAtFirst).toBeLessThan(100);
			expect(all.turns).toBeGreaterThan(20);
		});
	});

	test("in which many files changed at once is searched once, and none of these is found", async () => {
		const tree: Record<string, string> = {
			"user.ts": 'import { v0 } from "./m0.ts";\nimport { v9 } from "./m9.ts";\nv0 + v9;\n',
		};
		const changes: Record<string, Seen> = {};
		for (let at = 0; at < 100; at++) {
			tree[`m${at}.ts`] =
				`import { v${(at + 1) % 100} as next } from "./m${(at + 1) % 100}.ts";\nexport const v${at} = () => next;\n`;
			changes[`m${at}.ts`] = { changed: [`v${at}`] };
		}
		expect(await affectedIn(tree, changes)).toEqual(["1 user.ts"]);
	});

	test("is searched with the reported changes: created, removed and moved files", () =>
		withWorkspace({ "a.ts": a, "user.ts": 'import type { A } from "./a.ts";\nlet own: A;\n' }, async (ws) => {
			const index = new FileIndex(ws.root);
			const changes = { "a.ts": { changed: ["A"] } };
			const edit = (file: string, text: string | undefined) => {
				if (text === undefined) rmSync(ws.path(file));
				else ws.write(file, text);
				index.changed(ws.path(file));
			};
			expect(await affected(ws, changes, index)).toEqual(["1 user.ts"]);
			edit("new.ts", 'import type { A } from "./a.ts";\nlet other: A;\n');
			expect(await affected(ws, changes, index)).toEqual(["1 new.ts", "1 user.ts"]);
			edit("user.ts", undefined);
			expect(await affected(ws, changes, index)).toEqual(["1 new.ts"]);
			edit("new.ts", undefined);
			edit("moved.ts", 'import type { A } from "./a.ts";\nlet other: A;\n');
			edit("a.ts", undefined);
			expect(await affected(ws, changes, index)).toEqual(["1 moved.ts"]);
		}));

	test("with a loop of links, and a file that cannot be read any more, is searched to its end", () =>
		withWorkspace(
			{
				"a.ts": a,
				"gone.ts": 'import type { A } from "./a.ts";\nlet own: A;\n',
				"user.ts": 'import type { A } from "./a.ts";\nlet own: A;\n',
			},
			async (ws) => {
				symlinkSync(ws.root, ws.path("loop"));
				const index = new FileIndex(ws.root);
				await index.read();
				rmSync(ws.path("gone.ts"));
				expect(await affected(ws, { "a.ts": { changed: ["A"] } }, index)).toEqual(["1 user.ts"]);
			},
		));

	test("is not searched further when the signal aborts", () =>
		withWorkspace(
			Object.fromEntries([
				["a.ts", a],
				...Array.from({ length: 200 }, (_, at) => [`u${at}.ts`, 'import type { A } from "./a.ts";\nlet own: A;\n']),
			]),
			async (ws) => {
				const index = new FileIndex(ws.root);
				await index.read();
				const ending = new AbortController();
				let count = 0;
				await findAffected([changeOf(ws.path("a.ts"), { changed: ["A"] })], {
					index,
					signal: ending.signal,
					textOf: (path) => readFile(path, "utf8"),
					found: () => {
						if (++count === 3) ending.abort();
					},
				});
				expect(count).toBe(3);
			},
		));
});

test("every file that names a changed name is found before their own exports are analysed", () => {
	const users = Object.fromEntries(
		Array.from({ length: 30 }, (_, at) => [
			`src/user${at}.ts`,
			`import { make } from "./a.ts";\nexport const made${at} = make();\n`,
		]),
	);
	const further = { "src/further.ts": 'import { made0 } from "./user0.ts";\nexport const x = made0.x;\n' };
	return withWorkspace({ "src/a.ts": a, ...users, ...further }, async (ws) => {
		const before: number[] = [];
		const found = await affected(ws, { "src/a.ts": { changed: ["make"] } }, undefined, async (soFar) => {
			before.push(soFar.length);
		});
		expect(before[0]).toBe(30);
		expect(found.at(-1)).toBe("2 src/further.ts");
	});
});

test("the dependents of a schema are the files that name it, also through other schemas, and the scripts that import it", () =>
	expect(
		affectedIn(
			{
				"port.json": '{ "type": "integer" }',
				"app.json": '{ "properties": { "port": { "$ref": "./port.json" } } }',
				"conf/a.json": '{ "$schema": "../app.json", "port": 1 }',
				"conf/b.yaml": "# yaml-language-server: $schema=../app.json\nport: 1\n",
				"conf/c.json": '{ "$schema": "./app.json" }',
				"conf/d.json": '{ "integer": 1 }',
				"use.ts": 'import port from "./port.json" with { type: "json" };\nexport const type = port.type;\n',
			},
			{ "port.json": { changed: ["type"], everywhere: true } },
		),
	).resolves.toEqual(["1 app.json", "1 use.ts", "1 conf/a.json", "1 conf/b.yaml"]));
