import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Build } from "../../../src/operations/build.ts";
import { commitAll, git } from "../../changes/repository.ts";
import { linkVitest, runTests } from "../../changes/tests-command.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { isThere, withServers } from "../languages.ts";

const script: Files = {
	...TYPESCRIPT_PROJECT,
	"package.json": '{ "name": "sample", "type": "module", "scripts": { "test": "vitest run" } }',
	".gitignore": "node_modules\n",
	"src/cart.ts": [
		'import { readFileSync } from "node:fs";',
		"",
		"export class Cart {",
		"\ttotal(prices: number[]): number {",
		"\t\treturn prices.reduce((sum, price) => sum + price, 0);",
		"\t}",
		"\tcount(prices: number[]): number {",
		"\t\treturn prices.length;",
		"\t}",
		"}",
		"export function ask(what: string, prices: number[]): number {",
		'\tconst limit = Number(readFileSync("limit.json", "utf8"));',
		"\tconst cart = new Cart();",
		'\tif (prices.length > limit) throw new Error("too many");',
		'\treturn what === "total" ? cart.total(prices) : cart.count(prices);',
		"}",
		"",
	].join("\n"),
	"limit.json": "9\n",
	"test/total.test.ts": scriptTest("total", 3),
	"test/count.test.ts": scriptTest("count", 2),
};

function scriptTest(what: string, expected: number): string {
	return [
		'import { expect, test } from "vitest";',
		'import { ask } from "../src/cart.ts";',
		`test("holds", () => {\n\texpect(ask("${what}", [1, 2])).toBe(${expected});\n});`,
		"",
	].join("\n");
}

const impacted = async (ws: Workspace) => (await runTests(ws, "--impacted")).build;
const record = async (ws: Workspace) => (await runTests(ws, "--record")).build.recorded;

function namesIn({ command }: Build): string[] {
	return [...new Set(command.match(/(?<=test\/)\w+(?=\.test\.ts)|\bTest[A-Z]\w+|\btest_\w+(?=\.py)/g))].sort();
}

function edit(ws: Workspace, path: string, from: string, to: string): void {
	const text = ws.read(path);
	expect(text).toContain(from);
	ws.write(path, text.replace(from, to));
}

describe("test --record", { timeout: 300_000 }, () => {
	test("lets --impacted leave out tests that a change can reach and whose runs did not execute it", () =>
		withWorkspace(script, async (ws) => {
			linkVitest(ws);
			commitAll(ws);
			edit(ws, "src/cart.ts", "return prices.length;", "return prices.length + 0;");
			expect(namesIn(await impacted(ws))).toEqual(["count", "total"]);
			expect(await record(ws)).toEqual({ recorded: 2, current: 0, unknown: 0 });
			git(ws, "commit", "-qam", "second");
			edit(ws, "src/cart.ts", "prices.length + 0", "prices.length + 1");
			const narrow = await impacted(ws);
			expect(narrow).toMatchObject({ outcome: "failed", impacted: { changed: 1, files: 1, unaffected: 1 } });
			expect(namesIn(narrow)).toEqual(["count"]);
			const { build: again } = await runTests(ws, "--record", "test/total.test.ts");
			expect(again).toMatchObject({ outcome: "passed", recorded: { recorded: 0, current: 1, unknown: 0 } });
			expect(await record(ws)).toEqual({ recorded: 0, current: 1, unknown: 1 });
			edit(ws, "src/cart.ts", "prices.length + 1", "0 + prices.length");
			expect(await record(ws)).toEqual({ recorded: 1, current: 1, unknown: 0 });
			const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
			const { code, stdout } = await ws.cli(["test", "--impacted"], { env, timeoutMs: 300_000 });
			expect(stdout.trim()).toBe("No test is run: nothing has changed that the recorded tests of 2 files execute.");
			expect(code).toBe(0);
		}));

	test("leaves out no test after a change of loaded files, of data, or of the names of sources", () =>
		withWorkspace(script, async (ws) => {
			linkVitest(ws);
			commitAll(ws);
			await record(ws);
			const all = async (how: string) => {
				git(ws, "add", "-A");
				git(ws, "commit", "-qm", how);
				edit(ws, "src/cart.ts", "return prices.length;", "return 0 + prices.length;");
				expect(namesIn(await impacted(ws)), how).toEqual(["count", "total"]);
				edit(ws, "src/cart.ts", "return 0 + prices.length;", "return prices.length;");
				expect(await record(ws), how).toMatchObject({ unknown: 0 });
				edit(ws, "src/cart.ts", "return prices.length;", "return 0 + prices.length;");
				expect(namesIn(await impacted(ws)), how).toEqual(["count"]);
				edit(ws, "src/cart.ts", "return 0 + prices.length;", "return prices.length;");
			};
			edit(ws, "src/cart.ts", "export function ask", "const start = 0;\nexport function ask");
			await all("code that runs when the file is loaded");
			ws.write("limit.json", "8\n");
			await all("a file that a test reads");
			ws.write("src/cart.js", "export {};\n");
			await all("another file of the directory");
		}));

	test("records no test that fails, and none with a killed process", () =>
		withWorkspace(
			{
				...script,
				"test/killed.test.ts": [
					'import { spawnSync } from "node:child_process";',
					'import { expect, test } from "vitest";',
					'import { ask } from "../src/cart.ts";',
					'test("holds", () => {',
					'\tconst { signal } = spawnSync(process.execPath, ["-e", "process.kill(process.pid, \'SIGKILL\')"]);',
					'\texpect([signal, ask("total", [1])]).toEqual(["SIGKILL", 1]);',
					"});",
					"",
				].join("\n"),
				"test/failing.test.ts": scriptTest("total", 4),
			},
			async (ws) => {
				linkVitest(ws);
				commitAll(ws);
				expect(await record(ws)).toEqual({ recorded: 2, current: 0, unknown: 2 });
				edit(ws, "src/cart.ts", "return prices.length;", "return 0 + prices.length;");
				expect(namesIn(await impacted(ws))).toEqual(["count", "failing", "killed"]);
			},
		));

	test("counts what a test executes in a process that it starts", () =>
		withWorkspace(
			{
				...script,
				"src/program.mjs":
					'export function greet() {\n\treturn "hello";\n}\nif (process.argv[2] === "run") console.log(greet());\n',
				"test/program.test.ts": [
					'import { execFileSync } from "node:child_process";',
					'import { expect, test } from "vitest";',
					'import * as program from "../src/program.mjs";',
					'test("holds", () => {',
					'\tconst printed = execFileSync(process.execPath, ["src/program.mjs", "run"], { encoding: "utf8" });',
					'\texpect([printed, typeof program.greet]).toEqual(["hello\\n", "function"]);',
					"});",
					"",
				].join("\n"),
			},
			async (ws) => {
				linkVitest(ws);
				commitAll(ws);
				expect(await record(ws)).toMatchObject({ recorded: 3, unknown: 0 });
				edit(ws, "src/program.mjs", '"hello"', '"bye"');
				expect(await impacted(ws)).toMatchObject({ outcome: "failed" });
			},
		));

	test.skipIf(!isThere("go") || !isThere("gopls"))(
		"records each test of a Go package, and leaves one for the compiler",
		() =>
			withWorkspace(
				{
					"go.mod": "module example.org/cart\n\ngo 1.21\n",
					"cart.go": [
						"package cart",
						"func Total(prices []int) int {\n\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum\n}",
						"func Count(prices []int) int {\n\treturn len(prices)\n}",
						"func Unused(prices []int) int {\n\treturn 1\n}",
						"func Ask(what string, prices []int) int {",
						'\tswitch what {\n\tcase "total":\n\t\treturn Total(prices)\n\tcase "count":\n\t\treturn Count(prices)\n\t}\n\treturn Unused(prices)\n}',
						"",
					].join("\n"),
					"cart_test.go": [
						"package cart",
						'import "testing"',
						'func TestTotal(t *testing.T) {\n\tif Ask("total", []int{1, 2}) != 3 {\n\t\tt.Fail()\n\t}\n}',
						'func TestCount(t *testing.T) {\n\tif Ask("count", []int{1, 2}) != 2 {\n\t\tt.Fail()\n\t}\n}',
						'func TestOdd(t *testing.T) {\n\tif Ask("total", []int{1}) != 2 {\n\t\tt.Fail()\n\t}\n}',
						"",
					].join("\n"),
				},
				async (ws) => {
					commitAll(ws);
					expect(await record(ws)).toEqual({ recorded: 0, current: 0, unknown: 1 });
					edit(ws, "cart.go", "len(prices)", "len(prices) + 1");
					const narrow = await impacted(ws);
					expect(narrow).toMatchObject({ outcome: "failed" });
					expect(namesIn(narrow)).toEqual(["TestCount", "TestOdd"]);
					edit(ws, "cart_test.go", "[]int{1}) != 2", "[]int{1}) != 1");
					edit(ws, "cart.go", "len(prices) + 1", "len(prices)");
					git(ws, "commit", "-qam", "second");
					expect(await record(ws)).toEqual({ recorded: 1, current: 0, unknown: 0 });
					edit(ws, "cart.go", "len(prices)", "len(prices) + 1");
					expect(namesIn(await impacted(ws))).toEqual(["TestCount"]);
					edit(ws, "cart.go", "len(prices) + 1", "len(prices)");
					edit(ws, "cart.go", "return 1", 'return "1"');
					const broken = await impacted(ws);
					expect(broken).toMatchObject({ outcome: "failed" });
					expect(broken.failures[0]).toMatchObject({ file: "cart.go" });
				},
			),
	);

	test.skipIf(!isThere("go") || !isThere("gopls"))(
		"leaves out no Go test for a method of a suite that it runs, and none behind a file that was written meanwhile",
		() =>
			withWorkspace(
				{
					"go.mod": "module example.org/cart\n\ngo 1.21\n",
					"cart.go": "package cart\n\nfunc Total(prices []int) int {\n\treturn len(prices)\n}\n",
					"cart_test.go": [
						"package cart",
						'import (\n\t"os"\n\t"testing"\n\t"time"\n)',
						"type suite struct{}",
						"func (suite) TestSum(t *testing.T) {\n\tif Total([]int{1}) != 1 {\n\t\tt.Fail()\n\t}\n}",
						"func TestAlone(t *testing.T) {\n\tif Total(nil) != 0 {\n\t\tt.Fail()\n\t}\n}",
						"func TestSuite(t *testing.T) {\n\tsuite{}.TestSum(t)\n}",
						'func TestTouch(t *testing.T) {\n\tos.Chtimes("cart.go", time.Now(), time.Now())\n}',
						"",
					].join("\n"),
				},
				async (ws) => {
					commitAll(ws);
					await record(ws);
					edit(ws, "cart_test.go", "Total([]int{1}) != 1", "Total([]int{1}) != 2");
					expect(await impacted(ws)).toMatchObject({ outcome: "failed", failures: [{ test: "TestSuite" }] });
					edit(ws, "cart_test.go", "Total([]int{1}) != 2", "Total([]int{1}) != 1");
					edit(ws, "cart_test.go", "\tos.Chtimes(", "\tt.Fail()\n\tos.Chtimes(");
					expect(await impacted(ws)).toMatchObject({ outcome: "failed", failures: [{ test: "TestTouch" }] });
				},
			),
	);

	test.skipIf(!isThere("pyright-langserver") || !isThere("pytest"))("records each test file of pytest", () =>
		withWorkspace(
			{
				"pyproject.toml": '[project]\nname = "cart"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
				".gitignore": "__pycache__\n.pytest_cache\n",
				"cart.py": [
					"import functools\n\n",
					"def total(prices):\n    return sum(prices)\n\n",
					"@functools.cache\ndef count(prices):\n    return len(prices)\n\n",
					'def ask(what, prices):\n    return total(prices) if what == "total" else count(prices)\n',
				].join("\n"),
				"test_total.py": 'import cart\n\n\ndef test_total():\n    assert cart.ask("total", (1, 2)) == 3\n',
				"test_apart.py": [
					"import os\nimport subprocess\nimport sys\n\n",
					"def test_apart():",
					'    env = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}',
					'    assert subprocess.run([sys.executable, "-c", ""], env=env, stderr=subprocess.PIPE).stderr == b""\n',
				].join("\n"),
				"test_count.py": 'import cart\n\n\ndef test_count():\n    assert cart.ask("count", (1, 2)) == 2\n',
			},
			async (ws) => {
				commitAll(ws);
				expect(await record(ws)).toEqual({ recorded: 3, current: 0, unknown: 0 });
				edit(ws, "cart.py", "len(prices)", "len(prices) + 1");
				const narrow = await impacted(ws);
				expect(narrow).toMatchObject({ outcome: "failed", impacted: { files: 1, unaffected: 1 } });
				expect(namesIn(narrow)).toEqual(["test_count"]);
			},
		),
	);

	test.skipIf(!isThere("rust-analyzer") || !hasLlvmTools())("records each test of a Rust crate with LLVM's tools", () =>
		withWorkspace(
			{
				"Cargo.toml": '[package]\nname = "cart"\nversion = "0.1.0"\nedition = "2021"\n',
				".gitignore": "target\nCargo.lock\n",
				"src/lib.rs": [
					"pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}",
					"pub fn count(prices: &[u32]) -> usize {\n    prices.len()\n}",
					'pub fn ask(what: &str, prices: &[u32]) -> u32 {\n    if what == "total" { total(prices) } else { count(prices) as u32 }\n}',
					"",
				].join("\n"),
				"tests/cart.rs": [
					'#[test]\nfn adds() {\n    assert_eq!(cart::ask("total", &[1, 2]), 3);\n}',
					'#[test]\nfn counts() {\n    assert_eq!(cart::ask("count", &[1, 2]), 2);\n}',
					"",
				].join("\n"),
			},
			async (ws) => {
				commitAll(ws);
				expect(await record(ws)).toEqual({ recorded: 1, current: 0, unknown: 0 });
				edit(ws, "src/lib.rs", "prices.len()", "prices.len() + 1");
				const narrow = await impacted(ws);
				expect(narrow).toMatchObject({ outcome: "failed" });
				expect(narrow.command).toMatch(/counts/);
				expect(narrow.command).not.toMatch(/adds/);
			},
		),
	);
});

function hasLlvmTools(): boolean {
	if (!isThere("rustc")) return false;
	const libraries = execFileSync("rustc", ["--print", "target-libdir"], { encoding: "utf8" }).trim();
	return existsSync(join(libraries, "../bin/llvm-cov"));
}
