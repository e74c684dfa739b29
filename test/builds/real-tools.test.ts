import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { Build } from "../../src/operations/build.ts";
import { isThere } from "../live/languages.ts";
import { REPOSITORY } from "../support/repository.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";

interface Case {
	readonly tool: string;
	/** The program that the case needs; without it the tool is bundled. */
	readonly needs?: string;
	readonly files: Files;
	/** The arguments of `pi-lsp`. */
	readonly args: readonly string[];
	readonly command: string | RegExp;
	readonly failures: readonly Partial<Build["failures"][number]>[];
	readonly counts?: Build["counts"];
	/** A file and its text with which it passes. */
	readonly mended: readonly [file: string, text: string];
}

const goModule = "module example.org/shop\n\ngo 1.21\n";
const cargoManifest = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n';
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId>
<artifactId>shop</artifactId><version>1</version><properties><maven.compiler.source>17</maven.compiler.source>
<maven.compiler.target>17</maven.compiler.target></properties></project>`;

const cases: readonly Case[] = [
	{
		tool: "npm",
		files: {
			"package.json": '{ "name": "shop", "scripts": { "build": "node build.js" } }',
			"build.js": 'console.error("src/a.ts(2,3): error TS1005: expected."); process.exit(3);',
		},
		args: ["build"],
		command: "npm run build",
		failures: [{ file: "src/a.ts", line: 2, column: 3, code: "TS1005", message: "expected." }],
		mended: ["build.js", ""],
	},
	{
		tool: "tsc",
		files: {
			"tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] } }',
			"src/a.ts": "export const n: number = 1;\nexport const m: number = 'x';\n",
		},
		args: ["build"],
		command: "tsc --noEmit --pretty false",
		failures: [{ file: "src/a.ts", line: 2, column: 14, code: "TS2322" }],
		mended: ["src/a.ts", "export const n = 1;\n"],
	},
	{
		tool: "npm",
		files: {
			"package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "vitest" } }',
			"test/cart.test.ts": [
				'import { describe, expect, test } from "vitest";',
				'describe("cart", () => {',
				'\ttest("adds <two> & more", () => {',
				"\t\texpect(1 + 1).toBe(3);",
				"\t});",
				'\ttest("is empty", () => {});',
				"});",
				"",
			].join("\n"),
		},
		args: ["test"],
		command: /^npm test -- --run --reporter=default --reporter=junit --outputFile.junit=\S+$/,
		failures: [
			{
				file: "test/cart.test.ts",
				line: 4,
				test: "cart > adds <two> & more",
				message: "expected 2 to be 3 // Object.is equality",
			},
		],
		counts: { passed: 1, failed: 1, skipped: 0 },
		mended: ["test/cart.test.ts", 'import { test } from "vitest";\ntest("is", () => {});\n'],
	},
	{
		tool: "npm",
		files: {
			"package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }',
			"cart.test.js": [
				'const { test } = require("node:test");',
				'test("adds", () => {',
				'\trequire("node:assert").strictEqual(1 + 1, 3);',
				"});",
				'test("is empty", () => {});',
				"",
			].join("\n"),
		},
		args: ["test"],
		command: "npm test",
		failures: [{ file: "cart.test.js", line: 3, test: "adds", message: expect.stringContaining("2 !== 3") }],
		counts: { passed: 1, failed: 1, skipped: 0 },
		mended: ["cart.test.js", ""],
	},
	{
		tool: "go",
		needs: "go",
		files: { "go.mod": goModule, "cart.go": "package shop\n\nfunc Total() int { return missing }\n" },
		args: ["build"],
		command: "go build ./...",
		failures: [{ file: "cart.go", line: 3, column: 27, message: "undefined: missing" }],
		mended: ["cart.go", "package shop\n"],
	},
	{
		tool: "go",
		needs: "go",
		files: {
			"go.mod": goModule,
			"cart/cart.go": "package cart\n\nfunc Total(n int) int { return n }\n",
			"cart/cart_test.go": [
				"package cart",
				'import "testing"',
				"func TestTotal(t *testing.T) {",
				'\tt.Run("of two", func(t *testing.T) {',
				"\t\tif Total(2) != 4 {",
				'\t\t\tt.Errorf("total is %d", Total(2))',
				"\t\t}",
				"\t})",
				"}",
				"func TestPanics(t *testing.T) {",
				'\tpanic("no more")',
				"}",
				"",
			].join("\n"),
			"broken/broken_test.go": 'package broken\nimport "testing"\nfunc TestIt(t *testing.T) { missing() }\n',
		},
		args: ["test"],
		command: "go test -json ./...",
		failures: [
			{ file: "broken/broken_test.go", line: 3, column: 29, message: "undefined: missing" },
			{ file: "cart/cart_test.go", line: 6, test: "TestTotal/of_two", message: "total is 2" },
			{ file: "cart/cart_test.go", line: 11, test: "TestPanics", message: expect.stringContaining("no more") },
		],
		mended: ["broken/broken_test.go", "package broken\n"],
	},
	{
		tool: "cargo",
		needs: "cargo",
		files: { "Cargo.toml": cargoManifest, "src/lib.rs": "pub fn total() -> i32 {\n    missing\n}\n" },
		args: ["build"],
		command: "cargo build --message-format=json",
		failures: [{ file: "src/lib.rs", line: 2, column: 5, code: "E0425" }],
		mended: ["src/lib.rs", "pub fn total() {}\n"],
	},
	{
		tool: "cargo",
		needs: "cargo",
		files: {
			"Cargo.toml": cargoManifest,
			"src/lib.rs": [
				"#[cfg(test)]",
				"mod tests {",
				"    #[test]",
				"    fn adds() {",
				"        assert_eq!(1 + 1, 3);",
				"    }",
				"    #[test]",
				"    fn is_empty() {}",
				"}",
				"",
			].join("\n"),
		},
		args: ["test"],
		command: "cargo test --no-fail-fast --message-format=json",
		failures: [
			{ file: "src/lib.rs", line: 5, column: 9, test: "tests::adds", message: expect.stringContaining("left: 2") },
		],
		counts: { passed: 1, failed: 1, skipped: 0 },
		mended: ["src/lib.rs", "#[test]\nfn is_empty() {}\n"],
	},
	{
		tool: "pytest",
		needs: "pytest",
		files: {
			"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
			"tests/test_cart.py": [
				"import pytest",
				"class TestCart:",
				'    @pytest.mark.parametrize("n", [1, 2])',
				"    def test_total(self, n):",
				"        assert n == 1",
				"def test_empty():",
				"    pass",
				"",
			].join("\n"),
		},
		args: ["test"],
		command: /^pytest -q -o junit_family=xunit1 --junitxml=\S+$/,
		failures: [{ file: "tests/test_cart.py", line: 5, test: "TestCart.test_total[2]", message: "assert 2 == 1" }],
		counts: { passed: 2, failed: 1, skipped: 0 },
		mended: ["tests/test_cart.py", "def test_empty():\n    pass\n"],
	},
	{
		tool: "maven",
		needs: "mvn",
		files: { "pom.xml": pom, "src/main/java/Cart.java": "class Cart {\n  int total() { return missing; }\n}\n" },
		args: ["build"],
		command: "mvn --batch-mode --quiet test-compile",
		failures: [
			{ file: "src/main/java/Cart.java", line: 2, column: 24, message: expect.stringContaining("cannot find symbol") },
		],
		mended: ["src/main/java/Cart.java", "class Cart {}\n"],
	},
	{
		tool: "make",
		needs: "make",
		files: {
			Makefile: "all:\n\tcc -c cart.c\ntest:\n\tfalse\n",
			"cart.c": "int total(void) {\n  return missing;\n}\n",
		},
		args: ["build"],
		command: "make",
		failures: [{ file: "cart.c", line: 2, column: 10, message: expect.stringContaining("missing") }],
		mended: ["cart.c", "int total(void) { return 1; }\n"],
	},
	{
		tool: "make",
		needs: "make",
		files: { Makefile: "check:\n\t@cat result && exit 1\n", result: "1 of 2 checks failed\n" },
		args: ["test"],
		command: "make check",
		failures: [],
		mended: ["Makefile", "check:\n\ttrue\n"],
	},
];

/** Links this repository's programs and their packages into the project. */
function linkPrograms(ws: Workspace): void {
	mkdirSync(ws.path("node_modules/.bin"), { recursive: true });
	for (const [link, target] of [
		["vitest", "vitest"],
		[".bin/vitest", "vitest/vitest.mjs"],
		[".bin/tsc", ".bin/tsc"],
	] as const)
		symlinkSync(join(REPOSITORY, "node_modules", target), ws.path("node_modules", link));
}

/** The private directories of a test hold no toolchain of Rust, and Go would compile its library there. */
const toolchains = {
	GOCACHE: process.env.GOCACHE ?? join(homedir(), ".cache/go-build"),
	RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
};
const trusted = (ws: Workspace) => ({ env: { ...ws.env, PI_LSP_TRUST: "1", ...toolchains }, timeoutMs: 300_000 });

describe.each(cases)(
	"$command",
	{ timeout: 600_000 },
	({ needs, files, args, tool, command, failures, counts, mended: [file, text] }) => {
		test.skipIf(needs !== undefined && !isThere(needs))(
			`${needs ?? tool} reports its failures with their locations`,
			() =>
				withWorkspace(files, async (ws) => {
					linkPrograms(ws);
					const failed = await ws.cli([...args, "--json"], trusted(ws));
					const build = JSON.parse(failed.stdout) as Build;
					expect(build).toMatchObject({ tool, directory: ".", outcome: "failed", omittedBytes: expect.any(Number) });
					expect(build.command).toMatch(command);
					expect(failed.code).toBe(1);
					expect(build.failures).toHaveLength(failures.length);
					for (const failure of failures) expect(build.failures).toContainEqual(expect.objectContaining(failure));
					if (counts) expect(build.counts).toEqual(counts);
					ws.write(file, text);
					if (tool === "go" && args[0] === "test")
						ws.write("cart/cart_test.go", 'package cart\nimport "testing"\nfunc TestIt(t *testing.T) {}\n');
					const passed = await ws.cli(args, trusted(ws));
					expect(passed.code).toBe(0);
					expect(passed.stdout).toContain("passed after");
				}),
		);
	},
);

test("a failure has its location as an LSP Location, and the text names command, file and line", () =>
	withWorkspace(cases[0]?.files ?? {}, async (ws) => {
		const { stdout } = await ws.cli(["build", "--json"], trusted(ws));
		const at = { line: 1, character: 2 };
		expect((JSON.parse(stdout) as Build).failures[0]?.location).toEqual({
			uri: `file://${ws.path("src/a.ts")}`,
			range: { start: at, end: at },
		});
		const output = await ws.cli(["build"], trusted(ws));
		expect(output.stdout).toMatch(
			/^npm run build failed after \d+\.\d s, exit code 3\nsrc\/a\.ts\n {2}2:3: expected\. \(TS1005\)\n$/,
		);
	}));

test("a failure names the declaration that encloses its location, and not the callback of a test", () =>
	withWorkspace(
		{
			"package.json":
				'{ "name": "shop", "type": "module", "scripts": { "build": "tsc --noEmit --pretty false", "test": "vitest" } }',
			"tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }',
			"src/cart.ts":
				"export class Cart {\n\ttotal(): number {\n\t\treturn 'x';\n\t}\n}\nexport const n: number = 'y';\n",
			"test/cart.test.js": [
				'import { expect, test } from "vitest";',
				"function expectTotal(n) {",
				"\texpect(n).toBe(3);",
				"}",
				'test("adds", () => expectTotal(2));',
				'test("is empty", () => {',
				"\texpect(1).toBe(2);",
				"});",
				"",
			].join("\n"),
		},
		async (ws) => {
			linkPrograms(ws);
			const { failures } = JSON.parse((await ws.cli(["build", "--json"], trusted(ws))).stdout) as Build;
			expect(failures.map(({ line, symbol }) => [line, symbol])).toEqual([
				[3, "Cart.total"],
				[6, "n"],
			]);
			expect((await ws.cli(["build"], trusted(ws))).stdout).toContain("  3:3: in Cart.total: Type 'string'");
			const tests = JSON.parse((await ws.cli(["test", "--json"], trusted(ws))).stdout) as Build;
			expect(tests.failures.map(({ test: name, symbol }) => [name, symbol])).toEqual([
				["adds", "expectTotal"],
				["is empty", undefined],
			]);
		},
	));
