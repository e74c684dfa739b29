import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { context } from "../../src/operations/context.ts";
import { contextText } from "../../src/render/answers/context.ts";
import { type Project, withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";
import { projects } from "./projects.ts";

interface Counted {
	readonly path: string;
	readonly count: number;
	readonly test?: boolean;
}
interface Explored {
	readonly symbol?: string;
	readonly path?: string;
	readonly hover: string;
	readonly source: string;
	readonly omittedLines?: number;
	readonly callers: readonly { name: string; path: string; line: number; calls: number; test?: boolean }[];
	readonly totalCallers: number;
	readonly references: { readonly total: number; readonly files: readonly Counted[] };
	readonly tests: readonly Counted[];
	readonly unsupported?: readonly string[];
}
interface Context {
	readonly tag: string;
	readonly unchanged?: boolean;
	readonly symbols: readonly { symbol: string; kind: string; line: number; endLine: number }[];
	readonly imports: readonly string[];
	readonly callers: readonly { symbol: string; files: readonly Counted[] }[];
	readonly callees: readonly { path: string; symbol: string; line: number }[];
	readonly tests: readonly { path: string; reason: string }[];
	readonly totalTests?: number;
}

const prepare = "textDocument/prepareCallHierarchy";

/** The requests to the one running server from now on. */
function requestsOf({ pool }: Project["service"]): { readonly method: string; readonly params: unknown }[] {
	const [server] = pool.servers();
	if (!server) throw new Error("no server");
	const request = server.request.bind(server);
	const sent: { readonly method: string; readonly params: unknown }[] = [];
	server.request = (method, params, signal) => {
		sent.push({ method, params });
		return request(method, params, signal);
	};
	return sent;
}

const everything = {
	...projects.typescript,
	"tsconfig.json": JSON.stringify({
		compilerOptions: { strict: true, module: "nodenext", types: [], noEmit: true, allowImportingTsExtensions: true },
	}),
};

describe("explore", () => {
	test("shows a method with all overloads, by its name, by a use or by a position", () =>
		withProject(everything, async ({ call }) => {
			const explore = (file: string, input: object) => call<Explored>("explore", { file, ...input });
			const found = await explore("src/ledger.ts", { symbol: "Ledger.judge" });
			expect(found).toMatchObject({
				symbol: "Ledger.judge",
				path: "src/ledger.ts",
				hover: expect.stringContaining("Says whether it is right."),
				source: expect.stringContaining("judge(entry: number): boolean;"),
				callers: [
					{ name: "main", path: "src/app.ts", line: 7, calls: 2 },
					{ name: "checks", path: "test/ledger.test.ts", line: 4, calls: 1, test: true },
				],
				totalCallers: 2,
				references: { total: 3, files: [{ path: "src/app.ts", count: 2 }] },
				tests: [{ path: "test/ledger.test.ts", count: 1, test: true }],
			});
			expect(found.unsupported).toBeUndefined();
			const { hover: _, ...rest } = found;
			expect(await explore("src/app.ts", { line: 7, symbol: "judge" })).toMatchObject(rest);
			expect(await explore("src/ledger.ts", { line: 5, column: 2 })).toEqual(found);
			const whole = await explore("src/app.ts", { symbol: "whole" });
			expect(whole).toMatchObject({ symbol: "default", path: "src/ledger.ts", totalCallers: 1 });
		}));

	test("counts many callers, and shows the first of them in order, tests last", () => {
		const users = Array.from({ length: 24 }, (_, index) => `use${String(index).padStart(2, "0")}`);
		const text = (name: string) => `import { one } from "../src/one.ts";\nexport function ${name}() { one(); }\n`;
		const files = {
			...everything,
			"src/one.ts": "export function one() {}\n",
			...Object.fromEntries(users.map((name) => [`lib/${name}.ts`, text(name)])),
			"a/one.test.ts": text("tested"),
		};
		return withProject(files, async ({ call }) => {
			const found = await call<Explored>("explore", { file: "src/one.ts", symbol: "one" });
			expect(found.totalCallers).toBe(25);
			expect(found.callers.map(({ path }) => path)).toEqual(users.slice(0, 20).map((name) => `lib/${name}.ts`));
			expect(found.callers[0]).toMatchObject({
				name: "use00",
				line: 2,
				calls: 1,
				text: `export function use00() { one(); }`,
			});
		});
	});

	test("requests the callers of the imported function, not of its import", () =>
		withProject(
			{
				...everything,
				"src/a.ts": "export function one(): number {\n\treturn 1;\n}\n",
				"src/user.ts": 'import { one as first } from "./a.ts";\nimport {\n\tone,\n} from "./a.ts";\none() + first();\n',
			},
			async ({ service, call, ws }) => {
				await call("hover", { file: "src/user.ts", line: 5, column: 1 });
				const sent = requestsOf(service);
				for (const line of [1, 3]) {
					sent.length = 0;
					const column = line === 1 ? 10 : 2;
					const found = await call<Explored>("explore", { file: "src/user.ts", line, column });
					expect(found).toMatchObject({ symbol: "one", totalCallers: 1 });
					const uri = pathToFileURL(ws.path("src/a.ts")).href;
					const asked = sent.filter(({ method }) => method === prepare).map(({ params }) => params);
					expect(asked).toEqual([{ textDocument: { uri }, position: { line: 0, character: 16 } }]);
				}
			},
		));

	test("sends each request about a position at most once", () =>
		withProject({ "src/a.ts": "export function one() {}\none();\n" }, async ({ service, call }) => {
			await call("hover", { file: "src/a.ts", symbol: "one" });
			const sent = requestsOf(service);
			const position = { file: "src/a.ts", line: 1, column: 17 };
			expect(await call<Explored>("explore", position)).toMatchObject({ symbol: "one" });
			const methods = sent.map(({ method }) => method);
			expect(new Set(methods).size).toBe(methods.length);
		}));

	test("shows unused symbols, symbols of libraries and long symbols", () => {
		const long = [
			"export function long() {",
			..."x"
				.repeat(100)
				.split("")
				.map(() => "\tconsole.log();"),
			"}",
		].join("\n");
		const files = {
			"src/long.ts": `${long}\nexport const a = "".trim();\n`,
			"tsconfig.json": everything["tsconfig.json"],
		};
		return withProject(files, async ({ call, ws }) => {
			const found = await call<Explored>("explore", { file: "src/long.ts", symbol: "long" });
			expect(found).toMatchObject({ omittedLines: 42, totalCallers: 0, references: { total: 0, files: [] } });
			const { stdout } = await ws.cli(["explore", "src/long.ts", "long"]);
			expect(stdout).toContain("No callers.\nNo references.");
			expect(stdout).toContain("The other 42 lines: pi-lsp source src/long.ts long --offset 60");
			const trim = await call<Explored>("explore", { file: "src/long.ts", symbol: "trim" });
			expect(trim.symbol).toBeUndefined();
			expect(trim).toMatchObject({ source: "", hover: expect.stringContaining("trim(): string") });
		});
	});
});

describe("context", () => {
	test("names each function of another file that is called, whichever caller comes first", () => {
		const tools = ["one", "two", "three"].map((name) => `export function ${name}() {}`).join("\n");
		const files = {
			...everything,
			"src/tools.ts": `${tools}\n`,
			"src/uses.ts": [
				'import { one, three, two } from "./tools.ts";',
				"export function last() { three(); one(); }",
				"export function first() { two(); one(); }",
				"",
			].join("\n"),
		};
		return withProject(files, async ({ call }) => {
			const { callees } = await call<Context>("context", { file: "src/uses.ts" });
			expect(callees).toEqual([
				{ path: "src/tools.ts", symbol: "one", line: 1 },
				{ path: "src/tools.ts", symbol: "two", line: 2 },
				{ path: "src/tools.ts", symbol: "three", line: 3 },
			]);
		});
	});

	test("shows the users and tests of a file, and the callees of its user", () =>
		withProject(everything, async ({ call }) => {
			const ledger = await call<Context>("context", { file: "src/ledger.ts" });
			expect(ledger.symbols.map(({ symbol }) => symbol)).toEqual([
				...["Ledger", "Ledger.judge", "default", "Outer", "Outer.Inner", "Outer.Inner.judge", "Outer.Inner.other"],
				...["left", "right"],
			]);
			expect(ledger).toMatchObject({
				imports: [],
				callers: [
					{
						symbol: "Ledger",
						files: [
							{ path: "src/app.ts", count: 1 },
							{ path: "test/ledger.test.ts", count: 1, test: true },
						],
					},
					{ symbol: "Ledger.judge" },
					{ symbol: "default", files: [{ path: "src/app.ts", count: 1 }] },
				],
				callees: [],
				tests: [{ path: "test/ledger.test.ts", reason: "named after it, imports it" }],
			});
			const app = await call<Context>("context", { file: "src/app.ts" });
			expect(app.imports).toEqual(['import whole, { Ledger, } from "./ledger.ts";']);
			expect(app.callees.map(({ symbol, line }) => `${symbol} ${line}`)).toEqual(
				expect.arrayContaining(["Ledger 2", "judge 5", "default 11"]),
			);
			expect(app.callers).toEqual([]);
		}));

	test("is one line while nothing changes, and complete again after a new user", () =>
		withProject(everything, async ({ call, ws }) => {
			const { tag } = await call<Context>("context", { file: "src/ledger.ts" });
			const again = await call<Context>("context", { file: "src/ledger.ts", if_none_match: tag });
			expect(again).toEqual({ tag, unchanged: true });
			const { stdout } = await ws.cli(["context", "src/ledger.ts", "--if_none_match", tag]);
			expect(stdout).toBe(`Unchanged since ${tag}.\n`);
			ws.write("src/more.ts", 'import { Ledger } from "./ledger.ts";\nexport const more = new Ledger();\n');
			const now = await call<Context>("context", { file: "src/ledger.ts", if_none_match: tag });
			expect(now.unchanged).toBeUndefined();
			expect(now.callers[0]?.files.map(({ path }) => path)).toContain("src/more.ts");
			expect(now.tag).not.toBe(tag);
		}));

	test("shows the most certain of many tests, counts all, and makes the tag of all", () => {
		const names = Array.from({ length: 12 }, (_, index) => `test/t${String(index).padStart(2, "0")}.test.ts`);
		const tests = Object.fromEntries(
			names.map((name) => [name, 'import { Ledger } from "../src/ledger.ts";\nLedger;\n']),
		);
		return withProject({ ...everything, ...tests }, async ({ call, ws }) => {
			const found = await call<Context>("context", { file: "src/ledger.ts" });
			expect(found.tests.map(({ path }) => path)).toEqual(["test/ledger.test.ts", ...names.slice(0, 9)]);
			expect(found.totalTests).toBe(13);
			expect(contextText(found)).toContain("13 test files");
			expect(contextText(found)).toContain("... and 3 more.");
			expect(context.next?.({ tag: "", totalTests: 13 }, { file: "src/ledger.ts" })).toMatchObject({
				operation: "tests_for",
				input: { file: "src/ledger.ts", limit: 13 },
			});
			expect(context.next?.({ tag: "" }, { file: "src/ledger.ts" })).toBeUndefined();
			rmSync(ws.path("test/t11.test.ts"));
			expect((await call<Context>("context", { file: "src/ledger.ts" })).tag).not.toBe(found.tag);
		});
	});

	test("is empty for an empty file", () =>
		withProject({ "src/empty.ts": "" }, async ({ call, ws }) => {
			expect(await call<Context>("context", { file: "src/empty.ts" })).toMatchObject({ symbols: [], imports: [] });
			const { stdout } = await ws.cli(["context", "src/empty.ts"]);
			expect(stdout).toContain("Declares nothing.");
		}));
});

describe("tests_for", () => {
	const tests = (files: Readonly<Record<string, string>>, file: string) =>
		withProject(files, async ({ call }) => {
			const { tests: found } = await call<{ tests: { path: string; reason: string }[] }>("tests_for", { file });
			return found.map(({ path, reason }) => `${path}: ${reason}`);
		});

	test("finds tests by name, by import and by re-export, and indirect ones if there are no others", async () => {
		expect(
			await tests(
				{
					"src/cart.ts": "export const a = 1;\n",
					"src/index.ts": 'export * from "./cart.ts";\n',
					"src/cart.test.ts": "export {};\n",
					"test/shop.test.ts": 'import { a } from "../src/index.ts";\nexport { a };\n',
					"test/other/cart.test.ts": "export {};\n",
					"test/cart.py": "",
				},
				"src/cart.ts",
			),
		).toEqual(["src/cart.test.ts: named after it", "test/shop.test.ts: imports it"]);
		expect(
			await tests(
				{
					"src/deep.ts": "export const a = 1;\n",
					"src/top.ts": 'import { a } from "./deep.ts";\nexport const b = a;\n',
					"test/top.test.ts": 'import { b } from "../src/top.ts";\nexport { b };\n',
				},
				"src/deep.ts",
			),
		).toEqual(["test/top.test.ts: depends on it through other files"]);
	});

	test("finds tests in other languages without a server", async () => {
		const rust = { "Cargo.toml": "", "src/lib.rs": "pub fn f() {}\n#[cfg(test)]\nmod tests {}\n" };
		expect(await tests(rust, "src/lib.rs")).toEqual(["src/lib.rs: holds tests of its own"]);
		const go = { ...projects.go, "sub/ledger_test.go": "package sub\n", "sub/x.go": "package sub\n" };
		expect(await tests(go, "ledger.go")).toEqual(["ledger_test.go: named after it, of its package"]);
		expect(await tests(projects.python, "ledger.py")).toEqual(["tests/test_ledger.py: named after it, imports it"]);
		const java = { "src/main/java/a/Cart.java": "", "src/test/java/a/CartTest.java": "" };
		expect(await tests(java, "src/main/java/a/Cart.java")).toEqual(["src/test/java/a/CartTest.java: named after it"]);
		const foreign = { "src/Cart.java": "", "web/pages/cart.test.ts": "export {};\n" };
		expect(await tests(foreign, "src/Cart.java")).toEqual([]);
		const text = { "notes.txt": "x\n" };
		expect(await tests(text, "notes.txt")).toEqual([]);
	});

	test.each([
		["the directory of an index", { "src/cart/index.ts": "", "test/cart.test.ts": "" }, ["test/cart.test.ts"]],
		["a script of the other kind", { "src/cart.ts": "", "test/cart.test.js": "" }, ["test/cart.test.js"]],
		[
			"the nearer one: of a mirrored directory",
			{ "src/cart/a.ts": "", "test/cart/a.test.ts": "", "test/b/a.test.ts": "" },
			["test/cart/a.test.ts"],
		],
		[
			"the nearer one: of tests below the root",
			{ "a.ts": "", "tests/a.test.ts": "", "other/a.test.ts": "" },
			["tests/a.test.ts"],
		],
		[
			"the nearer one: not of a directory named as the root",
			{ "a.ts": "", "a.test.ts": "", "ws/a.test.ts": "" },
			["a.test.ts"],
		],
	])("takes as named after a file %s", async (_, files, expected) => {
		const [file = ""] = Object.keys(files);
		expect(await tests(files, file)).toEqual(expected.map((path) => `${path}: named after it`));
	});

	test.each([
		["a.zig", 'test "adds" {}\n'],
		["a.d", "unittest {\n}\n"],
	])("finds the tests that %s holds", async (file, text) => {
		expect(await tests({ [file]: text }, file)).toEqual([`${file}: holds tests of its own`]);
	});

	test("names the most certain and then the nearest first", async () => {
		const user = 'import { a } from "FROM";\nexport { a };\n';
		const files = {
			"src/deep/cart.ts": "export const a = 1;\n",
			"a/far.test.ts": user.replace("FROM", "../src/deep/cart.ts"),
			"src/deep/cart.test.ts": "export {};\n",
			"src/deep/near.test.ts": user.replace("FROM", "./cart.ts"),
			"src/deep/tests/cart.test.ts": user.replace("FROM", "../cart.ts"),
		};
		expect(await tests(files, "src/deep/cart.ts")).toEqual([
			"src/deep/tests/cart.test.ts: named after it, imports it",
			"src/deep/cart.test.ts: named after it",
			"src/deep/near.test.ts: imports it",
			"a/far.test.ts: imports it",
		]);
	});

	/** The watcher of a server reports changes on disk, while there is one. */
	const watched = ({ call }: Project) =>
		until("the project is watched", async () => {
			await call("hover", { file: "src/a.ts", line: 1, column: 14 });
			const { servers } = await call<{ servers: { watch?: { state: string } }[] }>("status", {});
			const states = servers.map(({ watch }) => watch?.state);
			return states.includes("ready") ? met(true) : notYet(String(states));
		});

	test("finds tests that came, went or changed, watched or not", () =>
		withProject({ "src/a.ts": "export const a = 1;\n" }, async (project) => {
			const { ws, call } = project;
			const found = async () => {
				const { tests: all } = await call<{ tests: { path: string; reason: string }[] }>("tests_for", {
					file: "src/a.ts",
				});
				return all.map(({ path, reason }) => `${path}: ${reason}`);
			};
			const user = 'import { a } from "../src/a.ts";\nexport { a };\n';
			for (const restarts of [false, true]) {
				await watched(project);
				expect(await found()).toEqual([]);
				const meanwhile = async (change: () => void) => {
					if (restarts) await call("restart", {});
					change();
					if (restarts) await watched(project);
				};
				await meanwhile(() => ws.write("test/user.test.ts", user));
				expect(await found()).toEqual(["test/user.test.ts: imports it"]);
				await meanwhile(() => ws.write("test/a.test.ts", user));
				expect(await found()).toEqual(["test/a.test.ts: named after it, imports it", "test/user.test.ts: imports it"]);
				await meanwhile(() => ws.write("test/user.test.ts", "export {};\n"));
				expect(await found()).toEqual(["test/a.test.ts: named after it, imports it"]);
				await meanwhile(() => rmSync(ws.path("test"), { recursive: true }));
				expect(await found()).toEqual([]);
			}
		}));

	test("finds a test for itself, and nothing for a missing or foreign file", () =>
		withProject(projects.typescript, async ({ call }) => {
			const ask = (file: string) => call("tests_for", { file });
			expect(await ask("test/ledger.test.ts")).toMatchObject({ tests: [{ reason: "a test itself" }] });
			await expect(ask("src/gone.ts")).rejects.toMatchObject({ code: "LSP_FILE_NOT_FOUND" });
			await expect(ask("../outside.ts")).rejects.toMatchObject({ code: "LSP_OUTSIDE_WORKSPACE" });
		}));
});
