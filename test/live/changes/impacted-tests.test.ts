import { describe, expect, test } from "vitest";
import type { Build } from "../../../src/operations/build.ts";
import { commitAll } from "../../changes/repository.ts";
import { linkVitest, runTests } from "../../changes/tests-command.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { isThere, withServers } from "../languages.ts";

const script: Files = {
	...TYPESCRIPT_PROJECT,
	"package.json": '{ "name": "sample", "type": "module", "scripts": { "test": "vitest run" } }',
	".gitignore": "node_modules\n",
	"src/cart.ts": [
		'import { round } from "./round.ts";',
		"export function total(prices: number[]) {",
		"\treturn round(prices.reduce((sum, price) => sum + price, 0));",
		"}",
		"export function count(prices: number[]) {",
		"\treturn prices.length;",
		"}",
		"",
	].join("\n"),
	"src/round.ts": "export function round(n: number) {\n\treturn Math.round(n * 100) / 100;\n}\n",
	"src/index.ts": 'export { total as sum } from "./cart.ts";\n',
	"src/started.ts": 'import { count } from "./cart.ts";\nexport const started = count([]) === 0;\n',
	"test/total.test.ts": testOf('import { sum } from "../src/index.ts";', "sum([1, 2])", "3"),
	"test/count.test.ts": testOf('import { count } from "../src/cart.ts";', "count([1, 2])", "2"),
	"test/started.test.ts": testOf('import { started } from "../src/started.ts";', "started", "true"),
	"test/other.test.ts": testOf("", "1", "1"),
};

function testOf(importing: string, value: string, expected: string): string {
	return [
		'import { expect, test } from "vitest";',
		importing,
		`test("holds", () => {\n\texpect(${value}).toBe(${expected});\n});`,
		"",
	].join("\n");
}

function impacted(ws: Workspace, ...more: readonly string[]) {
	return runTests(ws, "--impacted", ...more);
}

/** The files of tests that a command names. */
function chosen({ command }: Build): string[] {
	return command.match(/\S*test\/\S+\.test\.ts/g)?.sort() ?? [];
}

/** The changed symbols, as `file symbol`, that reach the failed tests, by their file. */
function causes({ failures }: Build): Record<string, string[]> {
	const all = failures.map(({ file = "", changed = [] }) => {
		return [file, changed.map((each) => `${each.file} ${each.symbol}`).sort()] as const;
	});
	return Object.fromEntries(all);
}

describe("test --impacted", { timeout: 300_000 }, () => {
	test("runs the tests that a difference reaches: through callers, other names and code that runs when it is loaded", () =>
		withWorkspace(script, async (ws) => {
			linkVitest(ws);
			commitAll(ws);
			const same = await impacted(ws);
			expect(same).toMatchObject({ code: 0, build: { outcome: "unchanged", impacted: { changed: 0 } } });
			ws.write("src/round.ts", ws.read("src/round.ts").replace("n * 100", "100 * n"));
			const passed = await impacted(ws);
			expect(passed).toMatchObject({ code: 0, build: { outcome: "passed", counts: { passed: 1 } } });
			expect(chosen(passed.build)).toEqual(["test/total.test.ts"]);
			ws.write("src/round.ts", ws.read("src/round.ts").replace("100 * n", "1000 * n"));
			const failed = await impacted(ws);
			expect(failed).toMatchObject({
				code: 1,
				build: { outcome: "failed", failures: [{ file: "test/total.test.ts" }] },
			});
			expect(causes(failed.build)).toEqual({ "test/total.test.ts": ["src/round.ts round"] });
			const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
			const text = await ws.cli(["test", "--impacted"], { env, timeoutMs: 300_000 });
			expect(text.stdout).toContain("\n    reached by src/round.ts round\n");
			ws.write("src/round.ts", script["src/round.ts"] ?? "");
			ws.write("src/cart.ts", ws.read("src/cart.ts").replace("prices.length", "prices.length + 1"));
			const loaded = await impacted(ws);
			expect(chosen(loaded.build)).toEqual(["test/count.test.ts", "test/started.test.ts"]);
			expect(loaded.code).toBe(1);
			expect(causes(loaded.build)).toEqual({
				"test/count.test.ts": ["src/cart.ts count"],
				"test/started.test.ts": ["src/cart.ts count"],
			});
		}));

	test("runs a test that differs itself, all tests if a manifest differs, and none for prose", () =>
		withWorkspace(script, async (ws) => {
			linkVitest(ws);
			commitAll(ws);
			ws.write("test/other.test.ts", ws.read("test/other.test.ts").replace("toBe(1)", "toBe(2)"));
			const own = await impacted(ws);
			expect(chosen(own.build)).toEqual(["test/other.test.ts"]);
			expect(own.code).toBe(1);
			expect(causes(own.build)).toEqual({ "test/other.test.ts": ["test/other.test.ts "] });
			ws.write("test/other.test.ts", script["test/other.test.ts"] ?? "");
			ws.write("README.md", "Words.\n");
			const prose = await impacted(ws);
			expect(prose).toMatchObject({ code: 3, build: { outcome: "nothing", impacted: { changed: 1, files: 0 } } });
			ws.write("package.json", ws.read("package.json").replace("sample", "example"));
			const all = await impacted(ws, "--base", "HEAD");
			expect(all.build.impacted?.why).toContain("package.json differs");
			expect(all).toMatchObject({ code: 0, build: { counts: { passed: 4, failed: 0, skipped: 0 } } });
		}));

	test("runs an overriding method's tests only if its class is named, and for a file those of its names", () =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"package.json": script["package.json"] ?? "",
				".gitignore": "node_modules\n",
				"src/shape.ts": [
					"export abstract class Shape {\n\tabstract area(): number;\n\tdouble() {\n\t\treturn this.area() * 2;\n\t}\n}",
					"export class Square extends Shape {\n\tarea() {\n\t\treturn 4;\n\t}\n}",
					"export class Line extends Shape {\n\tarea() {\n\t\treturn 0;\n\t}\n}",
					"export const line = () => new Line();",
					"export type Squares = Square[];\n",
				].join("\n"),
				"test/shape.test.ts": [
					'import { describe, expect, test } from "vitest";',
					'import { line, Square } from "../src/shape.ts";',
					'test("square (2 x 2)", () => {\n\texpect(new Square().double()).toBe(8);\n});',
					'describe("lines", () => {\n\ttest("are flat", () => {\n\t\texpect(line().double()).toBe(0);\n\t});\n});\n',
				].join("\n"),
				"test/line.test.ts": testOf('import { line } from "../src/shape.ts";', "line().double()", "0"),
			},
			async (ws) => {
				linkVitest(ws);
				commitAll(ws);
				const shape = ws.read("src/shape.ts");
				ws.write("src/shape.ts", shape.replace("return 4", "return 5"));
				const square = await impacted(ws);
				expect(chosen(square.build)).toEqual(["test/shape.test.ts"]);
				expect(square.build).toMatchObject({ outcome: "failed", counts: { passed: 0, failed: 1, skipped: 1 } });
				ws.write("src/shape.ts", shape.replace("return 0", "return 1"));
				const lines = await impacted(ws);
				expect(chosen(lines.build)).toEqual(["test/line.test.ts", "test/shape.test.ts"]);
				expect(lines.build).toMatchObject({ outcome: "failed", counts: { passed: 0, failed: 2, skipped: 1 } });
			},
		));

	test("runs the tests of a method that is called through a type which its class does not name", () =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"package.json": script["package.json"] ?? "",
				".gitignore": "node_modules\n",
				"src/square.ts": [
					"export class Square {",
					"\tarea() {\n\t\treturn 4;\n\t}",
					"\tcorners() {\n\t\treturn 4 + 0;\n\t}",
					"}\n",
				].join("\n"),
				"src/counter.ts":
					"let n = 0;\nexport function add() {\n\tn += 1;\n\treturn true;\n}\nexport const counted = () => n;\n",
				"src/double.ts": "export const double = (shape: { area(): number }) => shape.area() * 2;\n",
				"test/area.test.ts": testOf('import { Square } from "../src/square.ts";', "new Square().area()", "4"),
				"test/corners.test.ts": testOf('import { Square } from "../src/square.ts";', "new Square().corners()", "4"),
				"test/counter.test.ts": [
					testOf('import { add, counted } from "../src/counter.ts";\nconst first = add();', "first", "true"),
					'test("counts", () => {\n\texpect(counted()).toBe(1);\n});\n',
				].join(""),
				"test/double.test.ts": testOf(
					'import { double } from "../src/double.ts";\nimport { Square } from "../src/square.ts";',
					"double(new Square())",
					"8",
				),
			},
			async (ws) => {
				linkVitest(ws);
				commitAll(ws);
				const square = ws.read("src/square.ts");
				ws.write("src/square.ts", square.replace("return 4;", "return 5;"));
				const area = await impacted(ws);
				expect(area.build.failures.map(({ file }) => file).sort()).toEqual([
					"test/area.test.ts",
					"test/double.test.ts",
				]);
				ws.write("src/square.ts", square.replace("4 + 0", "4 + 1"));
				const corners = await impacted(ws);
				expect(chosen(corners.build)).toEqual(["test/corners.test.ts"]);
				// Code that runs when a file of tests is loaded may reach all of them.
				ws.write("src/square.ts", square);
				ws.write("src/counter.ts", ws.read("src/counter.ts").replace("+= 1", "+= 2"));
				const counter = await impacted(ws);
				expect(counter.build.failures.map(({ test }) => test)).toEqual(["counts"]);
			},
		));

	test.skipIf(!isThere("cargo") || !isThere("rust-analyzer"))(
		"finds the users of a module that Rust's test programs share, and runs tests in comments (rust-analyzer)",
		() =>
			withWorkspace(
				{
					"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
					".gitignore": "target\nCargo.lock\n",
					"src/lib.rs": [
						"pub struct Cart(pub i32);",
						"impl Cart {",
						"    /// ```\n    /// assert_eq!(shop::Cart(1).more(), 2);\n    /// ```",
						"    pub fn more(&self) -> i32 {\n        self.0 + 1\n    }",
						"    pub fn unused(&self) -> i32 {\n        self.more()\n    }",
						"    pub fn less(&self) -> i32 {\n        self.0 - 1\n    }",
						"}",
						'#[macro_export]\nmacro_rules! fewer {\n    ($cart:expr) => {\n        ("https://", $cart.less()).1\n    };\n}\n',
					].join("\n"),
					"tests/util/mod.rs":
						"#![allow(dead_code)]\npub fn one() -> i32 {\n    1\n}\npub fn more(n: i32) -> i32 {\n    shop::Cart(n).more()\n}\n",
					"tests/a.rs": "mod util;\n#[test]\nfn test() {\n    assert_eq!(util::one(), 1);\n}\n",
					"tests/b.rs": [
						"mod util;",
						"use util::*;",
						"#[test]\nfn test_more() {\n    assert_eq!(more(1), 2);\n}",
						"#[test]\nfn test_less() {\n    assert_eq!(shop::fewer!(shop::Cart(1)), 0);\n}\n",
					].join("\n"),
				},
				async (ws) => {
					commitAll(ws);
					const lib = ws.read("src/lib.rs");
					ws.write("src/lib.rs", lib.replace("self.0 + 1", "self.0 + 2"));
					const more = await impacted(ws);
					expect(more.build.failures.map(({ test: name }) => name).sort()).toEqual([
						"src/lib.rs - Cart::more (line 3)",
						"test_more",
					]);
					expect(more.build.counts).toEqual({ passed: 0, failed: 2, skipped: 0 });
					ws.write("src/lib.rs", lib.replace("self.0 - 1", "self.0 - 2"));
					const less = await impacted(ws);
					expect(less.build.counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
				},
			),
	);

	test.skipIf(!isThere("go") || !isThere("gopls"))("names Go's test functions (gopls)", () =>
		withWorkspace(
			{
				"go.mod": "module example.org/shop\n\ngo 1.21\n",
				"cart.go":
					"package shop\n\nfunc Total(n int) int { return twice(n) }\n\nfunc twice(n int) int {\n\treturn n * 2\n}\n\nfunc Other() int { return 1 }\n",
				"cart_test.go": [
					"package shop",
					'import "testing"',
					"func TestTotal(t *testing.T) {\n\tif Total(2) != 4 {\n\t\tt.Fatal(Total(2))\n\t}\n}",
					"func TestOther(t *testing.T) {\n\tif Other() != 1 {\n\t\tt.Fatal(Other())\n\t}\n}",
					"",
				].join("\n"),
			},
			async (ws) => {
				commitAll(ws);
				ws.write("cart.go", ws.read("cart.go").replace("n * 2", "n * 3"));
				const { code, build } = await impacted(ws);
				expect(build.command).toBe("go test -json -run ^(TestTotal)$ ./");
				expect(build).toMatchObject({
					outcome: "failed",
					failures: [{ file: "cart_test.go", line: 5, test: "TestTotal" }],
				});
				expect(code).toBe(1);
				expect(causes(build)).toEqual({ "cart_test.go": ["cart.go twice"] });
				ws.write("cart.go", ws.read("cart.go").replace("return 1", "return 2"));
				const { failures } = (await impacted(ws)).build;
				expect(failures.map(({ test: name, changed }) => [name, changed]).sort()).toEqual([
					["TestOther", [{ file: "cart.go", symbol: "Other" }]],
					["TestTotal", [{ file: "cart.go", symbol: "twice" }]],
				]);
			},
		),
	);

	test.skipIf(!isThere("go") || !isThere("gopls"))(
		"finds Go methods that templates and interfaces of the library call, and no callers of one that nothing can call (gopls)",
		() =>
			withWorkspace(
				{
					"go.mod": "module example.org/shop\n\ngo 1.21\n",
					"cart.go": [
						"package shop",
						'import (\n\t"fmt"\n\t"strings"\n\t"text/template"\n)',
						"type Cart struct{ n int }",
						"func (c Cart) Line() int { return c.n * 2 }",
						"func (c Cart) String() string { return strings.Repeat(mark(), c.n) }",
						'func mark() string { return "*" }',
						"func (c Cart) hidden() int { return left() }",
						"func left() int { return 1 }",
						"const page = `{{if .}}\n{{with\n\t.Line}}{{.}}{{end}}{{end}}`",
						'func Page(c Cart) string {\n\tvar b strings.Builder\n\ttemplate.Must(template.New("").Parse(page)).Execute(&b, c)\n\treturn b.String()\n}',
						"func Shown(c any) string { return fmt.Sprint(c) }",
						"",
					].join("\n"),
					"cart_test.go": [
						"package shop",
						'import (\n\t"strings"\n\t"testing"\n)',
						'func TestLine(t *testing.T) {\n\tif (Cart{2}).Line() != 4 {\n\t\tt.Fatal("line")\n\t}\n}',
						'func TestPage(t *testing.T) {\n\tif !strings.Contains(Page(Cart{2}), "4") {\n\t\tt.Fatal("page")\n\t}\n}',
						'func TestShown(t *testing.T) {\n\tif Shown(Cart{2}) != "**" {\n\t\tt.Fatal("shown")\n\t}\n}',
						'func TestString(t *testing.T) {\n\tif (Cart{2}).String() != "**" {\n\t\tt.Fatal("string")\n\t}\n}',
						"func TestOther(t *testing.T) {}",
						"",
					].join("\n"),
				},
				async (ws) => {
					commitAll(ws);
					const cart = ws.read("cart.go");
					const failed = async (from: string, to: string) => {
						ws.write("cart.go", cart.replace(from, to));
						const { build } = await impacted(ws);
						return { failed: build.failures.map(({ test: name }) => name).sort(), ...build };
					};
					expect(await failed("c.n * 2", "c.n * 3")).toMatchObject({ failed: ["TestLine", "TestPage"] });
					expect(await failed('"*"', '"+"')).toMatchObject({ failed: ["TestShown", "TestString"] });
					const none = await failed("return 1", "return 2");
					expect(none).toMatchObject({ outcome: "nothing", impacted: { changed: 1, files: 0 } });
				},
			),
	);

	test.skipIf(!isThere("pytest") || !isThere("pyright-langserver"))(
		"names pytest's functions, also behind an import under another name, and takes fixtures for a whole file (pyright)",
		() =>
			withWorkspace(
				{
					"pyproject.toml":
						'[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
					"shop/__init__.py": "",
					"shop/cart.py": [
						"class Cart:",
						"    def __init__(self, n: int):",
						"        self.n = n",
						"    def __len__(self) -> int:",
						"        return self.n",
						"    def more(self) -> int:",
						"        return self.n + 1",
						"",
						"def total(n: int) -> int:",
						"    return n * 2",
						"",
					].join("\n"),
					"shop/bill.py": [
						"from shop.cart import (",
						"    total as _sum,",
						")",
						"",
						"def bill(n: int) -> int:",
						"    return _sum(n)",
						"",
					].join("\n"),
					"tests/test_bill.py": "from shop.bill import bill\n\ndef test_bill():\n    assert bill(2) == 4\n",
					"tests/test_total.py":
						"from shop.cart import total\n\ndef test_total():\n    assert total(2) == 4\n\ndef test_other():\n    pass\n",
					"tests/test_more.py": "from shop.cart import Cart\n\ndef test_more():\n    assert Cart(2).more() == 3\n",
					"tests/test_cart.py": [
						"import pytest",
						"from shop.cart import Cart",
						"",
						"@pytest.fixture",
						"def cart():",
						"    return Cart(2)",
						"",
						"def test_length(cart):",
						"    assert len(cart) == 2",
						"",
						"def test_more(cart):",
						"    assert cart.more() == 3",
						"",
					].join("\n"),
				},
				async (ws) => {
					commitAll(ws);
					ws.write("shop/cart.py", ws.read("shop/cart.py").replace("n * 2", "n * 3"));
					const total = await impacted(ws);
					expect(total.build.command).toMatch(/ tests\/test_total\.py::test_total tests\/test_bill\.py::test_bill$/);
					expect(total.code).toBe(1);
					expect(causes(total.build)).toEqual({
						"tests/test_bill.py": ["shop/cart.py total"],
						"tests/test_total.py": ["shop/cart.py total"],
					});
					ws.write(
						"shop/cart.py",
						ws.read("shop/cart.py").replace("n * 3", "n * 2").replace("return self.n", "return 7"),
					);
					const length = await impacted(ws);
					expect(length.build.command).toMatch(/ tests\/test_cart\.py(?: |$)/);
					expect(length.code).toBe(1);
					expect(causes(length.build)).toEqual({ "tests/test_cart.py": ["shop/cart.py Cart.__len__"] });
					ws.write("shop/cart.py", ws.read("shop/cart.py").replace("return 7", "return self.n").replace("+ 1", "+ 2"));
					const more = await impacted(ws);
					expect(more.build.failures.map(({ file }) => file).sort()).toEqual([
						"tests/test_cart.py",
						"tests/test_more.py",
					]);
				},
			),
	);
});
