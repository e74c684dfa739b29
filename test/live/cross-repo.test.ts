import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { CrossRepoReport } from "../../src/operations/cross-repo.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, rustupHome, withServers } from "./languages.ts";

interface Case {
	readonly program: string;
	/** Without trust cargo may not be able to resolve a path dependency. */
	readonly trusted?: boolean;
	/** The library, and below `../` its consumers. */
	readonly files: Files;
	/** Links below `../`, and their targets. */
	readonly links?: Readonly<Record<string, string>>;
	/** File, function, and a method whose name other types have too. */
	readonly library: readonly [file: string, symbol: string, method: string];
	readonly uses: readonly string[];
	readonly ofMethod: readonly string[];
	/** Of `../old`, which has another version of the library. */
	readonly version: string;
	readonly ofOther: readonly string[];
}

const compilerOptions = { strict: true, module: "nodenext", noEmit: true, types: [] };
const tsconfig = JSON.stringify({ compilerOptions, include: ["src"] });
const tsManifest = (name: string, more: object) => JSON.stringify({ name, type: "module", ...more });
const tsFiles: Files = {
	"package.json": tsManifest("greeter", { version: "2.0.0", types: "src/index.ts" }),
	"tsconfig.json": tsconfig,
	"src/greet.ts":
		"export function greet(name: string): string {\n\treturn name;\n}\nexport class Client {\n\tget(key: string): string {\n\t\treturn key;\n\t}\n}\n",
	"src/index.ts": 'export { Client, greet, greet as hello } from "./greet.js";\n',
	"../app/package.json": tsManifest("app", { dependencies: { greeter: "file:../ws" } }),
	"../app/tsconfig.json": tsconfig,
	"../app/src/main.ts": [
		'import { Client, greet as welcome } from "greeter";',
		'welcome("x");',
		'new Map<string, string>().get("a");',
		'new Client().get("k");\n',
	].join("\n"),
	"../app/src/renamed.ts": 'import { hello } from "greeter";\nhello("y");\n',
	"../app/test/main.test.ts": 'import { greet } from "greeter";\n// greet is no use here.\ngreet("z");\n',
	"../app/src/own.ts": "export function greet(): void {}\ngreet();\n",
	"../old/package.json": tsManifest("old", { dependencies: { greeter: "^1.2.0" } }),
	"../old/tsconfig.json": tsconfig,
	"../old/src/main.ts": 'import { greet } from "greeter";\ngreet("a");\n',
	"../old/node_modules/greeter/package.json": tsManifest("greeter", { version: "1.2.0", types: "index.d.ts" }),
	"../old/node_modules/greeter/index.d.ts": "export declare function greet(name: string): string;\n",
};

const cargo = (name: string, more = "") => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
const lock = (...packages: readonly string[]) =>
	`version = 3\n${packages.map((each) => `\n[[package]]\n${each}\n`).join("")}`;
const rustMain = [
	"use greeter::{greet, Client};",
	"fn main() {",
	'    let _ = greet("x");',
	'    let _ = Client.get("k");',
	"}\n",
].join("\n");

const cases: Readonly<Record<string, Case>> = {
	"TypeScript, linked": {
		program: "node",
		files: tsFiles,
		links: { "../app/node_modules/greeter": "../../ws" },
		library: ["src/greet.ts", "greet", "Client.get"],
		uses: [
			"src/main.ts:1",
			"src/main.ts:2",
			"src/renamed.ts:1",
			"src/renamed.ts:2",
			"test/main.test.ts:1",
			"test/main.test.ts:3",
		],
		ofMethod: ["src/main.ts:4"],
		version: "1.2.0",
		ofOther: ["src/main.ts:1", "src/main.ts:2"],
	},
	"Go, replaced": {
		program: "gopls",
		files: {
			"go.mod": "module example.org/greeter\n\ngo 1.21\n",
			"greet.go":
				"package greeter\n\nfunc Greet(name string) string { return name }\n\ntype Client struct{}\n\nfunc (c *Client) Get(key string) string { return key }\n",
			"../app/go.mod":
				"module example.org/app\n\ngo 1.21\n\nrequire example.org/greeter v0.0.0\n\nreplace example.org/greeter => ../ws\n",
			"../app/main.go":
				'package main\n\nimport "example.org/greeter"\n\nfunc main() {\n\tgreeter.Greet("x")\n\tvar c greeter.Client\n\tc.Get("k")\n}\n',
			"../app/main_test.go":
				'package main\n\nimport (\n\t"testing"\n\n\t"example.org/greeter"\n)\n\nfunc TestGreet(t *testing.T) { greeter.Greet("t") }\n',
			"../app/own.go": "package main\n\nfunc Greet() {}\n",
			"../old/go.mod":
				"module example.org/old\n\ngo 1.21\n\nrequire example.org/greeter v0.0.0\n\nreplace example.org/greeter => ./greeter@v1.2.0\n",
			"../old/main.go": 'package main\n\nimport "example.org/greeter"\n\nfunc main() {\n\tgreeter.Greet("x")\n}\n',
			"../old/greeter@v1.2.0/go.mod": "module example.org/greeter\n\ngo 1.21\n",
			"../old/greeter@v1.2.0/greet.go": "package greeter\n\nfunc Greet(name string) string { return name }\n",
		},
		library: ["greet.go", "Greet", "Client.Get"],
		uses: ["main.go:6", "main_test.go:9"],
		ofMethod: ["main.go:8"],
		version: "v1.2.0",
		ofOther: ["main.go:6"],
	},
	"Rust, by a path": {
		program: "rust-analyzer",
		trusted: true,
		files: {
			"Cargo.toml": cargo("greeter"),
			"Cargo.lock": lock('name = "greeter"\nversion = "0.1.0"'),
			"src/lib.rs":
				"pub fn greet(name: &str) -> String {\n    name.to_string()\n}\npub struct Client;\nimpl Client {\n    pub fn get(&self, key: &str) -> String {\n        key.to_string()\n    }\n}\n",
			"../app/Cargo.toml": cargo("app", '\n[dependencies]\ngreeter = { path = "../ws" }\n'),
			// Without trust cargo may not write one.
			"../app/Cargo.lock": lock(
				'name = "app"\nversion = "0.1.0"\ndependencies = [\n "greeter",\n]',
				'name = "greeter"\nversion = "0.1.0"',
			),
			"../app/src/main.rs": rustMain,
			"../app/tests/it.rs": '#[test]\nfn it() {\n    greeter::greet("t");\n}\n',
			"../old/Cargo.toml": cargo("old", '\n[dependencies]\ngreeter = { path = "vendor/greeter" }\n'),
			"../old/Cargo.lock": lock(
				'name = "greeter"\nversion = "0.0.1"',
				'name = "old"\nversion = "0.1.0"\ndependencies = [\n "greeter",\n]',
			),
			"../old/src/main.rs": 'fn main() {\n    greeter::greet("x");\n}\n',
			"../old/vendor/greeter/Cargo.toml": cargo("greeter").replace("0.1.0", "0.0.1"),
			"../old/vendor/greeter/src/lib.rs": "pub fn greet(name: &str) -> String {\n    name.to_string()\n}\n",
		},
		library: ["src/lib.rs", "greet", "Client.get"],
		uses: ["src/main.rs:1", "src/main.rs:3", "tests/it.rs:3"],
		ofMethod: ["src/main.rs:4"],
		version: "0.0.1",
		ofOther: ["src/main.rs:2"],
	},
	"Python, editable": {
		program: "pyright-langserver",
		files: {
			"pyproject.toml": '[project]\nname = "greeter"\nversion = "2.0.0"\n',
			"src/greeter/__init__.py": "from greeter.core import Client, greet\n",
			"src/greeter/core.py":
				"def greet(name: str) -> str:\n    return name\n\n\nclass Client:\n    def get(self, key: str) -> str:\n        return key\n",
			"../app/pyproject.toml": '[project]\nname = "app"\nversion = "0.1.0"\ndependencies = ["greeter"]\n',
			"../app/app/main.py":
				'from greeter import Client, greet\n\ngreet("x")\nClient().get("k")\nprint({"a": 1}.get("a"))\n',
			"../app/tests/test_main.py": 'from greeter.core import greet\n\n\ndef test_greet():\n    assert greet("t")\n',
			"../app/.venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.0\n",
			"../app/.venv/lib/python3.12/site-packages/__editable__.greeter-2.0.0.pth": "LIBRARY/src\n",
			"../old/pyproject.toml": '[project]\nname = "old"\nversion = "0.1.0"\ndependencies = ["greeter<2"]\n',
			"../old/main.py": 'from greeter.core import greet\n\ngreet("x")\n',
			"../old/.venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.0\n",
			"../old/.venv/lib/python3.12/site-packages/greeter/__init__.py": "",
			"../old/.venv/lib/python3.12/site-packages/greeter/core.py": "def greet(name: str) -> str:\n    return name\n",
			"../old/.venv/lib/python3.12/site-packages/greeter-1.2.0.dist-info/METADATA": "Name: greeter\nVersion: 1.2.0\n",
		},
		library: ["src/greeter/core.py", "greet", "Client.get"],
		uses: ["app/main.py:1", "app/main.py:3", "tests/test_main.py:1", "tests/test_main.py:5"],
		ofMethod: ["app/main.py:4"],
		version: "1.2.0",
		ofOther: ["main.py:1", "main.py:3"],
	},
};

async function crossRepo(ws: Workspace, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
	const env = { ...withServers(ws.env), RUSTUP_HOME: rustupHome, ...more };
	const { stdout } = await ws.cli(["cross_repo", ...args, "--json"], { env, timeoutMs: 140_000 });
	return JSON.parse(stdout) as CrossRepoReport;
}

/** Each line once, without the root. */
function linesIn(root: string, { places }: { readonly places: CrossRepoReport["library"]["places"] }): string[] {
	return [...new Set(places.map(({ path, line }) => `${path.slice(root.length + 1)}:${line}`))].sort();
}

describe("the users of a library in other checkouts", () => {
	for (const [
		language,
		{ program, trusted, files, links = {}, library, uses, ofMethod, version, ofOther },
	] of Object.entries(cases))
		test.skipIf(!isThere(program))(
			`of ${language}, are those that each checkout's own server finds, and none of the same name`,
			() =>
				withWorkspace({}, async (ws) => {
					for (const [file, text] of Object.entries(files)) ws.write(file, text.replace("LIBRARY", ws.root));
					for (const [link, target] of Object.entries(links)) {
						mkdirSync(dirname(ws.path(link)), { recursive: true });
						symlinkSync(target, ws.path(link));
					}
					const configuration = JSON.stringify({ trustedRoots: trusted ? [ws.base] : [] });
					ws.write("../config/pi-lsp/config.json", configuration);
					const [file, symbol, method] = library;
					// rust-analyzer knows nothing of the standard library before it has read it.
					const whole = async () => {
						const found = await crossRepo(ws, [file, symbol, "../app", "../old"]);
						const [app, old] = found.consumers;
						const isRead = app?.total && old?.others?.[0]?.total;
						return isRead ? met({ found, app, old }) : notYet(JSON.stringify(found.consumers));
					};
					const { found, app, old } = await until("both consumers are read", whole, {
						timeoutMs: 90_000,
						everyMs: 1_000,
					});
					expect(found).toMatchObject({ symbol, path: file, line: file === "greet.go" ? 3 : 1 });
					expect(linesIn("../app", app)).toEqual(uses);
					const tests = app.places.filter(({ path }) => /test/.test(path));
					expect(tests.every(({ test: isTest }) => isTest)).toBe(true);
					expect(app.tests).toBe(tests.length);
					expect(old.total).toBe(0);
					expect(old.others).toHaveLength(1);
					expect(old.others?.[0]).toMatchObject({ version });
					expect(linesIn("../old", old.others?.[0] ?? { places: [] })).toEqual(ofOther);
					const { consumers } = await crossRepo(ws, [file, method, "../app"]);
					expect(linesIn("../app", consumers[0] ?? { places: [] })).toEqual(ofMethod);
				}),
			300_000,
		);
});

describe("a use is found", () => {
	const uses = async (ws: Workspace, ...args: readonly string[]) => {
		const { consumers } = await crossRepo(ws, [...args, "../app"]);
		return linesIn("../app", consumers[0] ?? { places: [] });
	};
	const linked = async (ws: Workspace) => {
		mkdirSync(ws.path("../app/node_modules"));
		symlinkSync("../../ws", ws.path("../app/node_modules/greeter"));
	};

	test.each(["^7.0.0", "~5.9.3"])(
		"of a default export, a constructor and a field, with TypeScript %s",
		(typescript) => {
			const devDependencies = { typescript };
			const files = {
				"package.json": tsManifest("greeter", { types: "src/index.ts", devDependencies }),
				"tsconfig.json": tsconfig,
				"src/index.ts":
					'export { default, Client } from "./greet.js";\nimport welcome from "./own.js";\nexport { welcome as default2 };\n',
				"src/greet.ts":
					"export default function (): void {}\nexport class Client {\n\tname = 1;\n\tconstructor(readonly key: string) {}\n}\n",
				"src/own.ts": "function welcome(): void {}\nexport default welcome;\n",
				"../app/package.json": tsManifest("app", { dependencies: { greeter: "*" }, devDependencies }),
				"../app/tsconfig.json": tsconfig,
				"../app/src/main.ts":
					'import hello, { Client } from "greeter";\nhello();\nconst { name } = new Client("k");\nname.toFixed();\n',
				"../app/src/again.ts": 'import { default as hi, default2 } from "greeter";\nhi();\ndefault2();\n',
				"../app/src/other.ts": 'import hello from "./own.js";\nhello();\n',
				"../app/src/own.ts": "export default function (): void {}\n",
			};
			return withWorkspace(files, async (ws) => {
				await linked(ws);
				const main = [1, 2].map((line) => `src/main.ts:${line}`);
				const again = [1, 2].map((line) => `src/again.ts:${line}`);
				expect(await uses(ws, "src/index.ts", "1:default")).toEqual(expect.arrayContaining([...again, ...main]));
				expect(await uses(ws, "src/own.ts", "1:welcome")).toEqual(["src/again.ts:1", "src/again.ts:3"]);
				expect(await uses(ws, "src/greet.ts", "4:constructor")).toContain("src/main.ts:3");
				expect(await uses(ws, "src/greet.ts", "Client.name")).toContain("src/main.ts:3");
			});
		},
	);

	test("through the build output of the library, which is named", () => {
		const files = {
			"package.json": tsManifest("greeter", { types: "dist/greet.d.ts" }),
			"tsconfig.json": tsconfig,
			"src/greet.ts": "export function greet(): void {}\n",
			"dist/greet.d.ts": "export declare function greet(): void;\n",
			"../app/package.json": tsManifest("app", { dependencies: { greeter: "*" } }),
			"../app/main.ts": 'import { greet } from "greeter";\ngreet();\n',
		};
		return withWorkspace(files, async (ws) => {
			await linked(ws);
			const { consumers } = await crossRepo(ws, ["src/greet.ts", "greet", "../app"]);
			expect(consumers).toMatchObject([{ total: 2, through: "dist/greet.d.ts" }]);
		});
	});

	test("in a package of the same repository, of an npm workspace", () => {
		const files = {
			"package.json": tsManifest("all", { private: true, workspaces: ["packages/*"] }),
			"packages/greeter/package.json": tsManifest("greeter", { types: "index.ts" }),
			"packages/greeter/index.ts": "export function greet(): void {}\n",
			"packages/app/package.json": tsManifest("app", { dependencies: { greeter: "*" } }),
			"packages/app/main.ts": 'import { greet } from "greeter";\ngreet();\n',
		};
		return withWorkspace(files, async (ws) => {
			mkdirSync(ws.path("node_modules"));
			symlinkSync("../packages/greeter", ws.path("node_modules/greeter"));
			const { consumers } = await crossRepo(ws, ["packages/greeter/index.ts", "greet", "packages/app", "."]);
			const places = [
				{ path: "packages/app/main.ts", line: 1 },
				{ path: "packages/app/main.ts", line: 2 },
			];
			expect(consumers).toMatchObject([
				{ total: 2, places },
				{ total: 2, places },
			]);
		});
	});

	test.skipIf(!isThere("gopls"))("by a `go.work`, and none without its requirements", () => {
		const app = "module example.org/app\n\ngo 1.21\n\nrequire example.org/greeter v1.0.0\n";
		const files = {
			"go.mod": "module example.org/greeter\n\ngo 1.21\n",
			"greet.go": "package greeter\n\nfunc Greet() {}\n",
			"../app/go.mod": app,
			"../app/main.go": 'package main\n\nimport "example.org/greeter"\n\nfunc main() { greeter.Greet() }\n',
		};
		return withWorkspace(files, async (ws) => {
			const { consumers } = await crossRepo(ws, ["greet.go", "Greet", "../app"]);
			expect(consumers[0]).toMatchObject({ total: 0, note: expect.stringContaining("may not be installed there") });
			ws.write("../app/go.work", "go 1.21\n\nuse (\n\t.\n\t../ws\n)\n");
			expect(await uses(ws, "greet.go", "Greet")).toEqual(["main.go:5"]);
		});
	});
});

const outside: Files = {
	"package.json": tsFiles["package.json"] ?? "",
	"tsconfig.json": tsconfig,
	"src/greet.ts": "export function greet(): void {}\n",
	"src/index.ts": 'export { greet } from "./greet.js";\n',
	"../app/package.json": tsManifest("app", { dependencies: { greeter: "*" } }),
	"../app/main.ts": 'import { greet } from "greeter";\ngreet();\n',
};

/** The library's project, and a consumer whose dependency leads to it. */
function withConsumer(body: (ws: Workspace) => Promise<void>): Promise<void> {
	return withWorkspace(outside, async (ws) => {
		mkdirSync(ws.path("../app/node_modules"));
		symlinkSync("../../ws", ws.path("../app/node_modules/greeter"));
		await body(ws);
	});
}

describe("an implementation of a library's interface in another checkout is named", () => {
	const implementers = async (ws: Workspace, ...given: readonly string[]) => {
		const { consumers } = await crossRepo(ws, [...given, "../app"]);
		return consumers[0]?.implementers?.places.map(({ path, line }) => `${path.replace("../app/", "")}:${line}`);
	};

	test("by a class that declares it, and by its methods", () => {
		const shape = "export interface Shape {\n\tarea(): number;\n}\n";
		const square =
			'import type { Shape } from "greeter";\nexport class Square implements Shape {\n\tarea() {\n\t\treturn 1;\n\t}\n}\n';
		const files = { ...tsFiles, "src/index.ts": shape, "../app/src/main.ts": square, "../app/src/renamed.ts": "" };
		return withWorkspace(files, async (ws) => {
			mkdirSync(ws.path("../app/node_modules"));
			symlinkSync("../../ws", ws.path("../app/node_modules/greeter"));
			expect(await implementers(ws, "src/index.ts", "Shape")).toEqual(["src/main.ts:2"]);
			expect(await implementers(ws, "src/index.ts", "Shape.area")).toEqual(["src/main.ts:3"]);
		});
	});

	test.skipIf(!isThere("gopls"))("by a Go type whose methods it has, which names no interface", () => {
		const files = {
			"go.mod": "module example.org/greeter\n\ngo 1.21\n",
			"greet.go": "package greeter\n\ntype Speaker interface{ Speak() string }\n\nfunc Use(s Speaker) {}\n",
			"../app/go.mod":
				"module example.org/app\n\ngo 1.21\n\nrequire example.org/greeter v0.0.0\n\nreplace example.org/greeter => ../ws\n",
			"../app/main.go":
				'package main\n\nimport "example.org/greeter"\n\ntype loud struct{}\n\nfunc (loud) Speak() string { return "" }\n\nfunc main() { greeter.Use(loud{}) }\n',
		};
		return withWorkspace(files, async (ws) => {
			expect(await implementers(ws, "greet.go", "Speaker.Speak")).toEqual(["main.go:7"]);
		});
	});

	const base = "class Shape:\n    def area(self) -> int:\n        return 0\n\n\ndef size() -> int:\n    return 0\n";
	const square =
		"from greeter.core import Shape, size\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return size()\n";
	const python = (ws: Workspace, manifest: string) => {
		const files = {
			...cases["Python, editable"]?.files,
			"src/greeter/core.py": base,
			"../app/pyproject.toml": `[project]\nname = "app"\nversion = "0.1.0"\ndependencies = ["greeter"]\n${manifest}`,
			"../app/app/main.py": square,
			"../app/tests/test_main.py": "",
		};
		for (const [file, text] of Object.entries(files)) ws.write(file, text.replace("LIBRARY", ws.root));
	};

	test.skipIf(!isThere("basedpyright-langserver"))("by a Python class if the consumer has basedpyright", () =>
		withWorkspace({}, async (ws) => {
			python(ws, "\n[tool.basedpyright]\n");
			expect(await implementers(ws, "src/greeter/core.py", "Shape")).toEqual(["app/main.py:4"]);
			expect(await implementers(ws, "src/greeter/core.py", "Shape.area")).toEqual(["app/main.py:5"]);
		}),
	);

	test.skipIf(!isThere("pyright-langserver"))(
		"by no Python class if the consumer has pyright, and the answer reports it",
		() =>
			withWorkspace({}, async (ws) => {
				python(ws, "");
				const notes = async (symbol: string) =>
					(await crossRepo(ws, ["src/greeter/core.py", symbol, "../app"])).consumers[0]?.note;
				expect(await notes("Shape")).toBe("pyright does not say what implements or overrides it.");
				expect(await notes("size")).toBeUndefined();
			}),
	);
});

describe("roots of consumers", () => {
	test("that cannot be searched are reported with their reasons, and the others are answered", () =>
		withConsumer(async (ws) => {
			symlinkSync("app", ws.path("../link"));
			ws.write("../file", "");
			ws.write("../other/package.json", tsManifest("other", {}));
			ws.write("../other/a.ts", "export const greet = 1;\n");
			ws.write("../bare/package.json", tsManifest("bare", { devDependencies: { greeter: "*" } }));
			ws.write("../bare/a.ts", 'import { greet } from "greeter";\ngreet();\n');
			// A consumer that does not name the library is not mentioned.
			ws.write("../bare/b.ts", 'const said = "greet";\n');
			ws.write("../silent/package.json", tsManifest("silent", { dependencies: { greeter: "*" } }));
			ws.write("../off/package.json", tsManifest("off", { dependencies: { greeter: "*" } }));
			ws.write("../off/a.ts", 'import { greet } from "greeter";\n');
			ws.write("../off/.pi-lsp.json", JSON.stringify({ disable: ["typescript"] }));
			const roots = [
				"../app",
				"../gone",
				"../file",
				"../link",
				".",
				"src",
				"~",
				"../other",
				"../bare",
				"../silent",
				"../off",
			];
			const { consumers } = await crossRepo(ws, ["src/greet.ts", "greet", ...roots]);
			const [app, ...others] = consumers;
			expect(app).toMatchObject({ total: 2 });
			expect(
				others.map(({ root, error, note, total }) => [root, error?.code ?? total, error?.message ?? note]),
			).toEqual([
				["../gone", "LSP_FILE_NOT_FOUND", "../gone does not exist."],
				["../file", "LSP_INVALID_INPUT", "../file is not a directory."],
				["../link", "LSP_INVALID_INPUT", "../link is the same directory as ../app."],
				[".", "LSP_INVALID_INPUT", ". is in the library's own checkout."],
				["src", "LSP_INVALID_INPUT", "src is in the library's own checkout."],
				["~", "LSP_INVALID_INPUT", "~ holds the home directory."],
				["../other", 0, "No manifest of it names greeter: it does not depend on it."],
				[
					"../bare",
					0,
					"It depends on greeter, which may not be installed there. The server there knows no definition for greet at ../bare/a.ts:1, ../bare/a.ts:2.",
				],
				["../silent", 0, "It depends on greeter; no file of it names greet."],
				["../off", "LSP_SERVER_DISABLED", expect.stringContaining("typescript")],
			]);
		}));

	test("are taken from the user's configuration, and never from a repository's", () =>
		withConsumer(async (ws) => {
			const env = withServers(ws.env);
			ws.write(".pi-lsp.json", JSON.stringify({ consumerRoots: [ws.path("../app")] }));
			const refused = await ws.cli(["cross_repo", "src/greet.ts", "greet"], { env });
			expect(refused.code).toBe(2);
			const output = `${refused.stdout}${refused.stderr}`;
			expect(output).toContain("No consumer is named, and the user's configuration has no `consumerRoots`.");
			expect(output).toContain(`"consumerRoots" counts in the user's own configuration only`);
			ws.write("../config/pi-lsp/config.json", JSON.stringify({ consumerRoots: [ws.path("../app")] }));
			const { consumers } = await crossRepo(ws, ["src/greet.ts", "greet"]);
			expect(consumers).toMatchObject([{ root: ws.path("../app"), total: 2 }]);
		}));

	test("have their own trust: the caller's consent for the library runs nothing of a consumer", () =>
		withConsumer(async (ws) => {
			const ran = ws.path("../ran");
			ws.write("../app/bin/evil", `#!/bin/sh\necho ran > ${ran}\n`);
			chmodSync(ws.path("../app/bin/evil"), 0o755);
			ws.write("../app/.pi-lsp.json", JSON.stringify({ servers: [{ id: "typescript", command: "./bin/evil" }] }));
			const ask = () => crossRepo(ws, ["src/greet.ts", "greet", "../app"], { PI_LSP_TRUST: "1" });
			expect(await ask()).toMatchObject({ consumers: [{ total: 2 }] });
			expect(existsSync(ran)).toBe(false);
			ws.write("../config/pi-lsp/config.json", JSON.stringify({ trustedRoots: [ws.path("../app")] }));
			await ask();
			expect(existsSync(ran)).toBe(true);
		}));
});
