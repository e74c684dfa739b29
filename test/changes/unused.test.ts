import { describe, expect, test } from "vitest";
import type { UnusedReport } from "../../src/operations/unused.ts";
import { isThere, withServers } from "../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

async function unused(ws: Workspace, ...args: readonly string[]): Promise<UnusedReport> {
	const { stdout } = await ws.cli(["unused", ...args, "--json"], { env: withServers(ws.env), timeoutMs: 120_000 });
	return JSON.parse(stdout) as UnusedReport;
}

/** `name: certainty` of each. */
function told({ unused: found }: UnusedReport): string[] {
	return found.map(({ symbol, certainty }) => `${symbol}: ${certainty}`).sort();
}

const library: Files = {
	...TYPESCRIPT_PROJECT,
	"package.json": '{ "name": "sample", "type": "module", "exports": "./src/index.ts" }',
	"src/index.ts": [
		'import { used } from "./used.ts";',
		"export function offered() {",
		"\treturn used();",
		"}",
		"function dead() {}",
		"function byName() {}",
		'export const names = ["byName"];',
		"class Base {",
		"\trun() {}",
		"}",
		"export class Derived extends Base {",
		"\toverride run() {}",
		"\tprivate forgotten() {}",
		"}",
		"",
	].join("\n"),
	"src/used.ts": "export function used() {}\nexport function tested() {}\n",
	"test/used.test.ts": 'import { tested } from "../src/used.ts";\ntested();\n',
	"tsconfig.json": TYPESCRIPT_PROJECT["tsconfig.json"]?.replace('["src"]', '["src", "test"]') ?? "",
};

describe("unused", { timeout: 180_000 }, () => {
	test("tells certain, probable and exported apart, and delete_symbol takes what is certain", () =>
		withWorkspace(library, async (ws) => {
			const report = await unused(ws);
			expect(told(report)).toEqual([
				"Derived: exported",
				"byName: probable",
				"dead: certain",
				"names: exported",
				"offered: exported",
				"tested: probable",
			]);
			expect(report.unused[0]).toMatchObject({ file: "src/index.ts", line: 5, kind: "function" });
			const text = await ws.cli(["unused", "src/index.ts", "--certainty", "certain"]);
			expect(text.stdout).toContain("certain:\n  function dead  src/index.ts:5\n");
			const deleted = await ws.cli(["delete_symbol", "src/index.ts", "dead"]);
			expect(deleted.code).toBe(0);
			expect(told(await unused(ws, "src", "--certainty", "certain"))).toEqual([]);
		}));

	test("a module that nobody else can install has no exports that others may use", () =>
		withWorkspace(
			{ ...library, "package.json": '{ "name": "sample", "type": "module", "private": true }' },
			async (ws) => {
				expect(told(await unused(ws, "src/index.ts"))).toContain("offered: certain");
			},
		));

	test("a file that is not there, and one without a server, are refused", () =>
		withWorkspace({ "notes.xyz": "" }, async (ws) => {
			expect((await ws.cli(["unused", "nowhere.ts"])).stderr).toContain("LSP_FILE_NOT_FOUND");
			expect((await ws.cli(["unused", "notes.xyz"])).stderr).toContain("LSP_UNSUPPORTED_FILE");
		}));

	test.skipIf(!isThere("gopls"))("knows entry points, tests, and an import that would be left alone (gopls)", () =>
		withWorkspace(
			{
				"go.mod": "module example.org/shop\n\ngo 1.21\n",
				"main.go": [
					"package main",
					"",
					"import (",
					'\t"fmt"',
					'\t"os"',
					")",
					"",
					"func init() { fmt.Println() }",
					"",
					"func main() {}",
					"",
					"func dead() {}",
					"",
					"func lone() { os.Exit(1) }",
					"",
				].join("\n"),
				"main_test.go": 'package main\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {}\n',
			},
			async (ws) => expect(told(await unused(ws))).toEqual(["dead: certain", "lone: probable"]),
		),
	);

	test.skipIf(!isThere("pyright-langserver"))("knows decorators, special methods and underscores (pyright)", () =>
		withWorkspace(
			{
				"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
				"shop/cart.py": [
					"import atexit",
					"",
					"@atexit.register",
					"def _bye() -> None:",
					"    pass",
					"",
					"def _dead() -> None:",
					"    pass",
					"",
					"def offered() -> None:",
					"    pass",
					"",
					"class Cart:",
					"    def __len__(self) -> int:",
					"        return 0",
					"",
				].join("\n"),
			},
			async (ws) =>
				expect(told(await unused(ws))).toEqual([
					"Cart: exported",
					"_bye: probable",
					"_dead: certain",
					"offered: exported",
				]),
		),
	);
});
