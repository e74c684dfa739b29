import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { ImpactReport } from "../../src/operations/impact.ts";
import type { FileTests } from "../../src/operations/tests-for.ts";
import { withProject } from "../diagnostics/project.ts";
import { isThere, withServers } from "../live/languages.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { commitAll } from "./repository.ts";

type Impacted = ImpactReport["changed"][number];

const shapes = {
	...TYPESCRIPT_PROJECT,
	"tsconfig.json": TYPESCRIPT_PROJECT["tsconfig.json"]?.replace('["src"]', '["src", "test"]') ?? "",
	"src/shape.ts": [
		"export interface Shape {",
		"\tarea(): number;",
		"}",
		"export class Square implements Shape {",
		"\tconstructor(readonly side: number) {}",
		"\tarea(): number {",
		"\t\treturn square(this.side);",
		"\t}",
		"}",
		"function square(n: number) {",
		"\treturn n * n;",
		"}",
		"export function lonely(): void {}",
		"",
	].join("\n"),
	"src/app.ts": [
		'import { type Shape, Square } from "./shape.ts";',
		"export function total(shapes: Shape[]): number {",
		"\treturn shapes.reduce((sum, shape) => sum + shape.area(), 0);",
		"}",
		"export function main() {",
		"\treturn total([new Square(2)]);",
		"}",
		"",
	].join("\n"),
	"src/cli.ts": 'import { main } from "./app.ts";\nexport const result = main().toFixed(2);\n',
	"test/app.test.ts": [
		'import { main } from "../src/app.ts";',
		"declare function describe(name: string, body: () => void): void;",
		"declare function test(name: string, body: () => void): void;",
		'describe("main", () => {',
		'\ttest("adds areas", () => {',
		"\t\tmain();",
		"\t});",
		"});",
		"",
	].join("\n"),
};

/** `file: symbol` of each caller. */
function callersOf(found: Impacted | undefined): string[] | undefined {
	return found?.callers.map(({ file, symbol }) => `${file}: ${symbol}`);
}

/** All files that a symbol reaches. */
function filesOf({ callers, implementers = [], reaches, tests }: Impacted): string[] {
	return [...new Set([...callers, ...implementers, ...reaches, ...tests].map(({ file }) => file))].sort();
}

function find({ changed }: Pick<ImpactReport, "changed">, symbol: string): Impacted {
	const found = changed.find((each) => each.symbol === symbol);
	if (!found) throw new Error(`${symbol} is not among ${changed.map((each) => each.symbol).join(", ")}`);
	return found;
}

describe("impact", () => {
	test("follows the callers of a symbol to the tests that reach it", () =>
		withProject(shapes, async ({ call }) => {
			const near = await call<ImpactReport>("impact", { files: ["src/shape.ts", "square"], depth: 1 });
			expect(near.changed).toMatchObject([{ symbol: "square", exported: false, tests: [], reaches: [] }]);
			expect(callersOf(near.changed[0])).toEqual(["src/shape.ts: Square.area"]);
			const far = find(await call("impact", { files: ["src/shape.ts"], symbols: ["square"] }), "square");
			expect(far.tests).toEqual([{ file: "test/app.test.ts", line: 5, test: "main > adds areas" }]);
			expect(far.reaches.map(({ file }) => file)).toEqual(["src/app.ts", "src/cli.ts", "test/app.test.ts"]);
			expect(far.risk).toBe("medium");
		}));

	test("names all declarations of a file, with callers, implementers and users of its class", () =>
		withProject(shapes, async ({ call }) => {
			const found = await call<ImpactReport>("impact", { files: ["src/shape.ts"] });
			expect(find(found, "Shape")).toMatchObject({ risk: "high", implementers: [{ symbol: "Square" }] });
			expect(callersOf(find(found, "Square.constructor"))).toEqual(["src/app.ts: ", "src/app.ts: main"]);
			expect(find(found, "Square.side").reaches).toContainEqual({ file: "src/app.ts", how: "uses Square" });
			expect(find(found, "lonely")).toMatchObject({ callers: [], risk: "low", exported: true });
			const unused = await call<ImpactReport>("impact", { files: ["src/shape.ts"], filter: "unused" });
			expect(unused.changed.map(({ symbol }) => symbol)).toEqual(["lonely"]);
		}));

	test("names the users of classes that extend an implementer or overrider of a changed member", () => {
		const files = {
			...TYPESCRIPT_PROJECT,
			"src/base.ts": "export class Base {\n\trun(): void {}\n}\n",
			"src/middle.ts":
				'import { Base } from "./base.ts";\nexport class Middle extends Base {\n\toverride run(): void {}\n}\n',
			"src/last.ts": 'import { Middle } from "./middle.ts";\nexport class Last\n\textends Middle {}\n',
			"src/plain.ts": 'import { Base } from "./base.ts";\nexport class Plain extends Base {}\n',
			"src/last-user.ts": 'import { Last } from "./last.ts";\nexport const last = new Last();\n',
			"src/plain-user.ts": 'import { Plain } from "./plain.ts";\nexport const plain = new Plain();\n',
		};
		return withProject(files, async ({ call }) => {
			const found = find(
				await call<ImpactReport>("impact", { files: ["src/base.ts"], symbols: ["2:run"] }),
				"Base.run",
			);
			expect(found.reaches).toContainEqual({ file: "src/last-user.ts", how: "uses Last" });
			expect(found.reaches).toContainEqual({ file: "src/plain-user.ts", how: "uses Plain" });
		});
	});

	test("takes the symbols that differ in git, and the remaining uses of a removed symbol", () =>
		withProject(shapes, async ({ ws, call }) => {
			commitAll(ws);
			ws.write("src/app.ts", shapes["src/app.ts"].replace("main", "start"));
			ws.write("src/shape.ts", shapes["src/shape.ts"].replace("n * n", "n ** 2").replace("area(): n", "area(): s"));
			const found = await call<ImpactReport>("impact", { changed: true });
			expect(found.changed.map(({ change, symbol }) => `${change} ${symbol}`).sort()).toEqual([
				"added start",
				"body square",
				"removed main",
				"signature Shape",
				"signature Shape.area",
			]);
			expect(find(found, "main")).toMatchObject({ risk: "high", why: "4 places still use it and it is gone" });
			rmSync(ws.path("src/app.ts"));
			const gone = await call<ImpactReport>("impact", { files: ["src/app.ts"], changed: true });
			expect(callersOf(find(gone, "main"))).toEqual([
				"src/cli.ts: ",
				"src/cli.ts: result",
				"test/app.test.ts: ",
				"test/app.test.ts: main > adds areas",
			]);
		}));

	test("names all declarations of a file that does not differ, also without git", () =>
		withProject(shapes, async ({ ws, call }) => {
			const names = async () =>
				(await call<ImpactReport>("impact", { files: ["src/app.ts"] })).changed.map(({ symbol }) => symbol).sort();
			expect(await names()).toEqual(["main", "total"]);
			commitAll(ws);
			expect(await names()).toEqual(["main", "total"]);
			ws.write("src/app.ts", shapes["src/app.ts"].replace("sum + ", "sum - "));
			expect(await names()).toEqual(["total"]);
		}));
});

test("tests_for names the tests that reach a symbol, also those that no tsconfig.json includes", () =>
	withProject({ ...shapes, ...TYPESCRIPT_PROJECT }, async ({ call }) => {
		const found = await call<FileTests>("tests_for", { file: "src/shape.ts", symbols: ["square"] });
		expect(found).toEqual({
			tests: [{ path: "test/app.test.ts", reason: "reaches square", cases: [{ name: "main > adds areas", line: 5 }] }],
			total: 1,
		});
		expect(await call("tests_for", { file: "src/shape.ts", symbols: ["lonely"] })).toEqual({ tests: [], total: 0 });
		const { changed } = await call<ImpactReport>("impact", { files: ["src/app.ts"], symbols: ["main"] });
		expect(changed[0]?.callers.map(({ file }) => file)).toContain("test/app.test.ts");
	}));

test("tests_for --exact names the tests that reach a file by references, and no other by its name or imports", () =>
	withProject(
		{
			...shapes,
			"test/shape.test.ts": 'import type { Shape } from "../src/shape.ts";\nexport const none: Shape[] = [];\n',
			"test/square.test.ts": [
				'import "../src/shape.ts";',
				"declare function test(name: string, body: () => void): void;",
				'test("is alone", () => {});',
				"",
			].join("\n"),
		},
		async ({ call, ws }) => {
			const guessed = await call<FileTests>("tests_for", { file: "src/shape.ts" });
			expect(guessed.tests.map(({ path }) => path)).toEqual(["test/shape.test.ts", "test/square.test.ts"]);
			const exact = await call<FileTests>("tests_for", { file: "src/shape.ts", exact: true });
			expect(exact.tests.find(({ path }) => path === "test/app.test.ts")?.cases).toEqual([
				{ name: "main > adds areas", line: 5 },
			]);
			expect(exact.tests.map(({ path }) => path).sort()).toEqual(["test/app.test.ts", "test/shape.test.ts"]);
			const text = await ws.cli(["tests_for", "src/shape.ts", "--exact"]);
			expect(text.stdout).toContain("5: main > adds areas");
		},
	));

describe("impact refuses", () => {
	test.each([
		["a symbol that is not there", ["src/app.ts", "nowhere"], '"nowhere" does not occur'],
		["a file that is not there", ["src/none.ts"], "src/none.ts does not exist"],
		["a revision that is not there", ["--base", "nope"], 'git knows no revision "nope"'],
	])("%s", async (_, args, message) =>
		withWorkspace(shapes, async (ws) => {
			commitAll(ws);
			const { code, stderr } = await ws.cli(["impact", ...args], { env: withServers(ws.env) });
			expect(stderr).toContain(message);
			expect(code).toBe(2);
		}),
	);
});

test.skipIf(!isThere("pyright-langserver"))("impact refuses a symbol that the server does not list", () =>
	withWorkspace({ "a.py": "import sys\n\nif sys.version_info < (3, 0):\n    def old() -> None: ...\n" }, async (ws) => {
		const { code, stderr } = await ws.cli(["impact", "a.py", "4:old"], { env: withServers(ws.env) });
		expect(stderr).toContain("LSP_SYMBOL_NOT_FOUND: The server lists no symbol 4:old in this file.");
		expect(code).toBe(2);
	}),
);

interface Case {
	readonly program: string;
	readonly files: Files;
	/** The edit, the symbol that it changes, and the files in which the compiler then finds errors. */
	readonly edit: readonly [file: string, from: string, to: string];
	readonly symbol: string;
	readonly broken: readonly string[];
	readonly tests: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
	go: {
		program: "gopls",
		files: {
			"go.mod": "module ex\n\ngo 1.22\n",
			"shape.go": "package ex\n\ntype Shape interface {\n\tArea() int\n}\n",
			"square.go": "package ex\n\ntype Square struct{}\n\nfunc (s *Square) Area() int {\n\treturn 4\n}\n",
			"app.go": "package ex\n\nfunc Total(s Shape) int {\n\treturn s.Area()\n}\n",
			"main.go": "package ex\n\nfunc Main() int {\n\treturn Total(&Square{})\n}\n",
			"app_test.go": 'package ex\n\nimport "testing"\n\nfunc TestMain4(t *testing.T) {\n\tMain()\n}\n',
		},
		edit: ["shape.go", "Area() int", "Area() string"],
		symbol: "Shape",
		broken: ["app.go", "main.go"],
		tests: ["TestMain4"],
	},
	python: {
		program: "pyright-langserver",
		files: {
			"pyproject.toml": "[project]\nname = 'x'\n",
			"shape.py": "class Square:\n    def __init__(self, side: int) -> None:\n        self.side = side\n",
			"app.py": "from shape import Square\n\n\ndef total() -> int:\n    return Square(2).side\n",
			"tests/test_app.py": "from app import total\n\n\ndef test_total() -> None:\n    assert total() == 2\n",
		},
		edit: ["shape.py", "side: int)", "side: int, name: str)"],
		symbol: "Square.__init__",
		broken: ["app.py"],
		tests: ["test_total"],
	},
	rust: {
		program: "rust-analyzer",
		files: {
			"Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\nedition = "2021"\n',
			// Without trust cargo may not write one.
			"Cargo.lock": 'version = 3\n\n[[package]]\nname = "ex"\nversion = "0.1.0"\n',
			"src/lib.rs": "pub mod app;\npub mod shape;\n",
			"src/shape.rs": "pub trait Shape {\n    fn area(&self) -> u32;\n}\n",
			"src/app.rs": [
				"use crate::shape::Shape;",
				"pub struct Square;",
				"impl Shape for Square {",
				"    fn area(&self) -> u32 {",
				"        4",
				"    }",
				"}",
				"pub fn total(shape: &dyn Shape) -> u32 {",
				"    shape.area()",
				"}",
				"#[cfg(test)]",
				"mod tests {",
				"    use super::*;",
				"    #[test]",
				"    fn adds() {",
				"        total(&Square);",
				"    }",
				"}",
				"",
			].join("\n"),
		},
		edit: ["src/shape.rs", "-> u32", "-> u64"],
		symbol: "Shape.area",
		broken: ["src/app.rs"],
		tests: ["tests.adds"],
	},
};

describe("a changed signature", () => {
	for (const [language, { program, files, edit, symbol, broken, tests }] of Object.entries(cases))
		test.skipIf(!isThere(program))(
			`of ${language} names the files that break, and the tests`,
			() =>
				withWorkspace(files, async (ws) => {
					commitAll(ws);
					const [file, from, to] = edit;
					ws.write(file, ws.read(file).replace(from, to));
					// Rust's toolchain is in the home directory.
					const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
					const env = { ...withServers(ws.env), RUSTUP_HOME };
					const whole = async () => {
						const { stdout } = await ws.cli(["impact", "--changed", "--json"], { env });
						const { incomplete, ...found } = JSON.parse(stdout) as ImpactReport;
						// In the sandbox cargo may not be able to find the libraries, which rust-analyzer reports.
						const isWhole = incomplete === undefined || incomplete.startsWith("rust-analyzer said");
						return isWhole ? met(found) : notYet(incomplete);
					};
					const found = await until("the project is read", whole, { timeoutMs: 100_000, everyMs: 1_000 });
					expect(found.unread).toEqual([]);
					const changed = find(found, symbol);
					expect(changed.change).toBe("signature");
					expect(filesOf(changed)).toEqual(expect.arrayContaining([...broken]));
					expect(changed.tests.map((each) => each.test)).toEqual(tests);
				}),
			150_000,
		);
});
