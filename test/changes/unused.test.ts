import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { UnusedReport } from "../../src/operations/unused.ts";
import { isThere, withServers } from "../live/languages.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

async function unused(ws: Workspace, ...args: readonly string[]): Promise<UnusedReport> {
	return unusedWith(withServers(ws.env), ws, ...args);
}

async function unusedWith(
	env: Readonly<Record<string, string>>,
	ws: Workspace,
	...args: readonly string[]
): Promise<UnusedReport> {
	const { stdout } = await ws.cli(["unused", ...args, "--json"], { env, timeoutMs: 120_000 });
	return JSON.parse(stdout) as UnusedReport;
}

/** `name: certainty` of each. */
function summary({ unused: found }: UnusedReport): string[] {
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
		"\t#hidden() {}",
		"}",
		"export const derived = new Derived();",
		"export { used as other };",
		"",
	].join("\n"),
	"src/used.ts": "export function used() {}\nexport function tested() {}\n",
	"test/used.test.ts": 'import { tested } from "../src/used.ts";\ntested();\n',
	"tsconfig.json": TYPESCRIPT_PROJECT["tsconfig.json"]?.replace('["src"]', '["src", "test"]') ?? "",
};

const crate: Files = {
	"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
	"src/lib.rs": [
		"mod same;",
		"",
		"pub struct Cart {",
		"    size: u32,",
		"}",
		"",
		"impl Cart {",
		"    fn dead(&self) -> u32 {",
		"        self.size",
		"    }",
		"}",
		"",
		"pub fn size(cart: &Cart) -> u32 {",
		"    cart.size",
		"}",
		"",
		"impl Drop for Cart {",
		"    fn drop(&mut self) {}",
		"}",
		"",
	].join("\n"),
	"src/same.rs": "impl PartialEq for crate::Cart {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n",
};

describe("unused", { timeout: 180_000 }, () => {
	test("distinguishes certain, probable and exported, and delete_symbol accepts the certain ones", () =>
		withWorkspace(library, async (ws) => {
			const report = await unused(ws);
			expect(summary(report)).toEqual([
				"Derived.#hidden: certain",
				"Derived.forgotten: certain",
				"byName: probable",
				"dead: certain",
				"derived: exported",
				"names: exported",
				"offered: exported",
				"other: exported",
				"tested: probable",
			]);
			expect(report.unused[0]).toMatchObject({ file: "src/index.ts", line: 5, kind: "function" });
			const text = await ws.cli(["unused", "src/index.ts", "--certainty", "certain"]);
			expect(text.stdout).toContain("certain:\n  function dead  src/index.ts:5\n");
			const deleted = await ws.cli(["delete_symbol", "src/index.ts", "dead"]);
			expect(deleted.code).toBe(0);
			expect(summary(await unused(ws, "src", "--certainty", "certain"))).toEqual([
				"Derived.#hidden: certain",
				"Derived.forgotten: certain",
			]);
		}));

	test("a module that no other package can install has no exports for others", () =>
		withWorkspace(
			{ ...library, "package.json": '{ "name": "sample", "type": "module", "private": true }' },
			async (ws) => {
				expect(summary(await unused(ws, "src/index.ts"))).toContain("offered: certain");
			},
		));

	test("a missing file, and a file without a server, are refused", () =>
		withWorkspace({ "notes.xyz": "" }, async (ws) => {
			expect((await ws.cli(["unused", "nowhere.ts"])).stderr).toContain("LSP_FILE_NOT_FOUND");
			expect((await ws.cli(["unused", "notes.xyz"])).stderr).toContain("LSP_UNSUPPORTED_FILE");
		}));

	test.skipIf(!isThere("gopls"))("recognizes entry points, tests, and an import that would be left alone (gopls)", () =>
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
			async (ws) => expect(summary(await unused(ws))).toEqual(["dead: certain", "lone: probable"]),
		),
	);

	test.skipIf(!isThere("pyright-langserver"))("recognizes decorators, special methods and underscores (pyright)", () =>
		withWorkspace(
			{
				"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
				"shop/__init__.py": '__title__ = "shop"\n',
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
				expect(summary(await unused(ws))).toEqual([
					"Cart: exported",
					"__title__: exported",
					"_bye: probable",
					"_dead: certain",
					"offered: exported",
				]),
		),
	);

	test.skipIf(!isThere("rust-analyzer"))(
		"recognizes the members of traits, and modules that only implement (rust-analyzer)",
		() =>
			withWorkspace(crate, async (ws) => {
				// Rust's toolchain is in the home directory.
				const env = { ...withServers(ws.env), RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup") };
				const whole = async () => {
					const found = await unusedWith(env, ws);
					// In the sandbox cargo may not be able to find the libraries, which rust-analyzer reports.
					const isWhole = found.incomplete === undefined || found.incomplete.startsWith("rust-analyzer said");
					return isWhole ? met(found) : notYet(found.incomplete ?? "");
				};
				const found = await until("the project is read", whole, { timeoutMs: 100_000, everyMs: 1_000 });
				expect(summary(found)).toEqual(["Cart.dead: certain", "size: exported"]);
			}),
	);

	test.skipIf(!isThere("rust-analyzer"))(
		"reports what its server has reported, without a toolchain (rust-analyzer)",
		() =>
			withWorkspace(crate, async (ws) => {
				const complaining = async () => {
					const found = await unused(ws);
					return found.incomplete?.startsWith("rust-analyzer said: ") ? met(found) : notYet(found.incomplete ?? "");
				};
				const found = await until("the server complains", complaining, { timeoutMs: 100_000, everyMs: 1_000 });
				expect(summary(found)).not.toContain("same: certain");
			}),
	);
});
