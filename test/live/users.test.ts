import { execFileSync } from "node:child_process";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const loose: Files = {
	"util.js": "export const join = (a, b) => a + b;\n",
	"main.js": 'import { join } from "./util.js";\njoin(1, 2);\n',
	"lib/more.js": 'import * as util from "../util.js";\nutil.join(3, 4);\n',
	"other.js": "const join = 1;\n",
};

const c: Files = {
	"zio.h": "typedef struct Zio { int n; } ZIO;\nint z_read(ZIO *z, int n);\n",
	"zio.c": '#include "zio.h"\nint z_read(ZIO *z, int n) { return z->n + n; }\n',
	"dump.c": '#include "zio.h"\nint dump(ZIO *z) { return z_read(z, 1); }\n',
	"sub/undump.c": '#include "../zio.h"\nint undump(ZIO *z) { return z_read(z, 2); }\n',
};

interface Answer {
	readonly places?: readonly { readonly path: string; readonly line: number }[];
	readonly incomplete?: string;
}

/** The answer of a daemon that has got no other query. */
async function ask(ws: Workspace, ...args: string[]): Promise<Answer> {
	const { stdout } = await ws.cli([...args, "--json"], { env: withServers(ws.env) });
	return JSON.parse(stdout) as Answer;
}

const placesOf = ({ places = [] }: Answer) => places.map(({ path, line }) => `${path}:${line}`).sort();

describe.each(["7", "5.9.3"])("JavaScript without a project file, with TypeScript %s,", (typescript) => {
	test("has the references of an export found in files that were never opened", () => {
		const manifest = JSON.stringify({ name: "loose", type: "module", devDependencies: { typescript } });
		return withWorkspace({ ...loose, "package.json": manifest }, async (ws) => {
			const found = placesOf(await ask(ws, "references", "util.js", "join"));
			expect(found).toEqual(expect.arrayContaining(["lib/more.js:2", "main.js:1", "main.js:2"]));
			expect(found.filter((location) => location.startsWith("other.js"))).toEqual([]);
		});
	});
});

const required: Files = {
	"util.js": [
		"exports.cut = (text) => text.slice(1);",
		"exports.join = function join(a, b) { return a + b; };",
		"exports.unused = () => 1;\n",
	].join("\n"),
	"whole.js": "function lower(x) { return x; }\nmodule.exports = { lower, both: lower };\n",
	"use.js": 'const { cut, join } = require("./util");\ncut(join("a", "b"));\nrequire("./whole").lower(1);\n',
	"lib/more.js": 'const util = require("../util.js");\nutil.cut(util.join("c", "d"));\n',
	"other.js": "const cut = 1;\nconsole.log(cut);\n",
};

describe.each(["7", "5.9.3"])("JavaScript that requires other files, with TypeScript %s,", (typescript) => {
	const inProject = (body: (ws: Workspace) => Promise<void>) => {
		const manifest = JSON.stringify({ name: "required", devDependencies: { typescript } });
		return withWorkspace({ ...required, "package.json": manifest }, body);
	};
	const env = ({ env: own }: Workspace) => ({ env: withServers(own) });

	test("has the references of the names of `exports`, requested at the declaration and at a use", () =>
		inProject(async (ws) => {
			const cut = placesOf(await ask(ws, "references", "util.js", "cut"));
			expect(cut).toEqual(expect.arrayContaining(["lib/more.js:2", "use.js:1"]));
			expect(cut.filter((location) => location.startsWith("other.js"))).toEqual([]);
			const join = placesOf(await ask(ws, "references", "util.js", "join"));
			expect(join).toEqual(expect.arrayContaining(["lib/more.js:2", "use.js:1"]));
			// To tsserver the function and the property of `module.exports` are two symbols.
			const lower = placesOf(await ask(ws, "references", "whole.js", "lower"));
			expect(lower).toContain(typescript === "7" ? "use.js:3" : "whole.js:2");
			const atUse = placesOf(await ask(ws, "references", "lib/more.js", "--line", "2", "--column", "6"));
			expect(atUse).toEqual(expect.arrayContaining(["lib/more.js:2", "use.js:1"]));
		}));

	test("is renamed whole, and runs afterwards as before", () =>
		inProject(async (ws) => {
			for (const [file, symbol, name] of [
				["util.js", "cut", "shorten"],
				["util.js", "join", "glue"],
				["whole.js", "lower", "small"],
			] as const) {
				const { stdout } = await ws.cli(["rename", file, symbol, name], env(ws));
				expect(stdout).toContain(`renamed ${symbol} → ${name}`);
				expect(stdout).not.toContain("does not rename it in");
			}
			expect(ws.read("lib/more.js")).toContain('util.shorten(util.glue("c", "d"))');
			expect(ws.read("use.js")).toMatch(/const \{ shorten(?:: cut)?, glue(?:: join)? \} = require/);
			expect(ws.read("other.js")).toBe(required["other.js"]);
			for (const file of ["use.js", "lib/more.js"]) execFileSync(process.execPath, [ws.path(file)]);
		}));

	test("keeps an export that another file requires, and loses one that no file requires", () =>
		inProject(async (ws) => {
			const refused = await ws.cli(["delete_symbol", "util.js", "cut"], env(ws));
			expect(refused.stderr).toMatch(/^LSP_EDIT_REFUSED: cut is not deleted: \d places refer to it: .*use\.js:1/);
			expect(ws.read("util.js")).toBe(required["util.js"]);
			expect((await ws.cli(["delete_symbol", "util.js", "unused"], env(ws))).code).toBe(0);
			expect(ws.read("util.js")).not.toContain("unused");
		}));
});

test("callers of required names are reported as incomplete if the server does not follow them", () =>
	withWorkspace(required, async (ws) => {
		const { incomplete } = await ask(ws, "calls", "util.js", "join", "--direction", "incoming");
		expect(incomplete).toContain("typescript does not follow what `exports` names");
	}));

describe.each(["7", "5.9.3"])("tests that no tsconfig.json includes, with TypeScript %s,", (typescript) => {
	const files: Files = {
		"package.json": JSON.stringify({ name: "tested", type: "module", devDependencies: { typescript } }),
		"tsconfig.json": JSON.stringify({
			compilerOptions: { strict: true, module: "nodenext", types: [] },
			include: ["src"],
		}),
		"src/add.ts": "export function add(a: number, b: number) {\n\treturn a + b;\n}\n",
		"src/use.ts": 'import { add } from "./add.js";\nexport const two = add(1, 1);\n',
		"test/add.test.ts": 'import { add } from "../src/add.js";\nif (add(1, 2) !== 3) throw new Error();\n',
	};

	test("are among the references, and renamed with the rest", () =>
		withWorkspace(files, async (ws) => {
			const found = placesOf(await ask(ws, "references", "src/add.ts", "add"));
			expect(found).toEqual(["src/use.ts:1", "src/use.ts:2", "test/add.test.ts:1", "test/add.test.ts:2"]);
			await ws.cli(["rename", "src/add.ts", "add", "sum"], { env: withServers(ws.env) });
			expect(ws.read("test/add.test.ts")).toBe(
				files["test/add.test.ts"]?.replaceAll("{ add }", "{ sum }").replace("(add(", "(sum("),
			);
		}));

	test("keep a function from being deleted", () =>
		withWorkspace({ ...files, "src/use.ts": "export {};\n" }, async (ws) => {
			const { stderr } = await ws.cli(["delete_symbol", "src/add.ts", "add"], { env: withServers(ws.env) });
			expect(stderr).toContain("test/add.test.ts");
			expect(ws.read("src/add.ts")).toBe(files["src/add.ts"]);
		}));
});

describe.skipIf(!isThere("clangd"))("C without an index", () => {
	test("has references and callers of a header's function found in files that were never opened", () =>
		withWorkspace(c, async (ws) => {
			const found = await ask(ws, "references", "zio.h", "z_read");
			expect(placesOf(found)).toEqual(["dump.c:2", "sub/undump.c:2"]);
			expect(found.incomplete).toBeUndefined();
			const { stdout } = await ws.cli(["calls", "zio.h", "z_read", "--direction", "incoming"], {
				env: withServers(ws.env),
			});
			expect(stdout).toMatch(/dump\.c/);
			expect(stdout).toMatch(/undump\.c/);
		}));

	test("has an answer marked as possibly incomplete if more files contain the name than are opened", () => {
		const users = Array.from({ length: 51 }, (_, n) => [
			`u${n}.c`,
			`int z_read(void);\nint u${n}(void) { return z_read(); }\n`,
		]);
		return withWorkspace({ ...c, ...Object.fromEntries(users) }, async (ws) => {
			expect((await ask(ws, "references", "zio.h", "z_read")).incomplete).toMatch(/keeps no index/);
		});
	});
});

test.skipIf(!isThere("bash-language-server"))(
	"the first query of all finds the uses of a shell function in scripts that source its file",
	() =>
		withWorkspace(
			{ "lib.sh": 'greet() {\n\techo "$1"\n}\n', "run.sh": "#!/bin/bash\n. ./lib.sh\ngreet you\n" },
			async (ws) => expect(placesOf(await ask(ws, "references", "lib.sh", "greet"))).toEqual(["run.sh:3"]),
		),
);

describe.skipIf(!isThere("pyright-langserver"))("Python without a project file", () => {
	test("has references found in files that were never opened, by import and by attribute", () =>
		withWorkspace(
			{
				"util.py": "def join(a: str, b: str) -> str:\n    return a + b\n",
				"main.py": 'from util import join\n\njoin("a", "b")\n',
				"lib/more.py": 'import util\n\nutil.join("c", "d")\n',
				"other.py": "join = 1\n",
			},
			async (ws) => {
				const found = await ask(ws, "references", "util.py", "join");
				expect(placesOf(found)).toEqual(["lib/more.py:3", "main.py:1", "main.py:3"]);
				expect(found.incomplete).toBeUndefined();
			},
		));
});

test.skipIf(!isThere("gopls"))("Go outside a module is refused with the remedy, and not answered in part", () =>
	withWorkspace(
		{
			"util.go": "package main\n\nfunc join(a, b string) string { return a + b }\n",
			"main.go": 'package main\n\nfunc main() { join("a", "b") }\n',
		},
		async (ws) => {
			const { code, stdout, stderr } = await ws.cli(["references", "util.go", "join"], { env: withServers(ws.env) });
			expect(code).not.toBe(0);
			expect(stdout).toBe("");
			expect(stderr).toContain("LSP_NO_PROJECT_ROOT");
			expect(stderr).toContain("go.mod");
		},
	),
);
