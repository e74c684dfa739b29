import { describe, expect, test } from "vitest";
import { asked, outputOf, projects } from "../../query/projects.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { isThere } from "../languages.ts";

interface Found {
	readonly candidates: readonly { symbol: string; path: string; line: number; column: number; match: string }[];
}
interface Source {
	readonly symbol: string;
	readonly source: string;
}
interface Explored {
	readonly hover: string;
	readonly totalCallers: number;
	readonly references: { readonly total: number };
	readonly tests: readonly { path: string; count: number }[];
	readonly unsupported?: readonly string[];
}
interface Context {
	readonly symbols: readonly { symbol: string }[];
	readonly imports: readonly string[];
	readonly callers: readonly { symbol: string; files: readonly { path: string }[] }[];
	readonly callees: readonly { symbol: string }[];
}

const typescript5 = {
	...TYPESCRIPT_PROJECT,
	...projects.typescript,
	"package.json": '{ "type": "module", "devDependencies": { "typescript": "^5.4.0" } }',
	"tsconfig.json": JSON.stringify({
		compilerOptions: { strict: true, module: "nodenext", types: [], noEmit: true, allowImportingTsExtensions: true },
	}),
};

const languages = [
	{
		server: "typescript-language-server",
		there: true,
		files: typescript5,
		file: "src/ledger.ts",
		user: "src/app.ts",
		path: "Ledger.judge",
		at: { line: 5, column: 2 },
		lower: "ledger.judge",
		letters: "ldgr",
		source: "\tjudge(entry: string): boolean;",
		says: "Says whether it is right.",
		test: "test/ledger.test.ts",
		declares: ["Ledger", "Ledger.judge", "default"],
		imports: ['import whole, { Ledger, } from "./ledger.ts";'],
	},
	{
		server: "pyright",
		there: isThere("pyright-langserver"),
		files: projects.python,
		file: "ledger.py",
		user: "app.py",
		path: "Ledger.judge",
		at: { line: 10, column: 9 },
		lower: "ledger.Ledger.judge",
		letters: "ldgr",
		source: "    def judge(self, entry: int) -> bool:",
		says: "-> bool",
		test: "tests/test_ledger.py",
		declares: ["Ledger", "Ledger.Inner", "Ledger.Inner.judge", "Ledger.judge"],
		imports: ["from ledger import Ledger"],
	},
	{
		server: "gopls",
		there: isThere("gopls"),
		files: projects.go,
		file: "ledger.go",
		user: "app.go",
		path: "Ledger.Judge",
		at: { line: 9, column: 18 },
		lower: "ledger.judge",
		letters: "ldgr",
		source: "func (l *Ledger) Judge(entry int) bool {",
		says: "Judge says whether it is right.",
		test: "ledger_test.go",
		declares: ["Ledger", "Ledger.Judge"],
		imports: ['import "fmt"'],
	},
];

describe.each(languages)("$server", ({ there, files, file, user, path, at, lower, letters, ...expected }) => {
	const inProject = (body: (ws: Workspace) => Promise<void>) => withWorkspace(files, body);

	test.skipIf(!there)("finds a symbol of a file that was never opened, by its path and by its letters", () =>
		inProject(async (ws) => {
			const { candidates } = await asked<Found>(ws, "find", path);
			expect(candidates).toMatchObject([{ symbol: path, path: file, ...at, match: "exact" }]);
			const loosely = (await asked<Found>(ws, "find", lower)).candidates;
			expect(loosely).toMatchObject([{ symbol: path, path: file }]);
			const bits = (await asked<Found>(ws, "find", letters)).candidates;
			expect(bits).toMatchObject([{ symbol: "Ledger", match: "fuzzy" }]);
			expect(await outputOf(ws, "find", path)).toContain(`Its text: pi-lsp source ${file} ${path}`);
			expect(await outputOf(ws, "workspace_symbols", "ledger")).toMatch(new RegExp(`${file}\n  \\d+: \\w+ Ledger`));
			expect(await outputOf(ws, "find", "nothinglikethis")).toBe(
				'Nothing in the workspace is called "nothinglikethis".',
			);
		}),
	);

	test.skipIf(!there)("shows the source of a method, and its hover", () =>
		inProject(async (ws) => {
			const { source } = await asked<Source>(ws, "source", file, path);
			expect(source.split("\n")[0]).toBe(expected.source);
			const found = await asked<Explored>(ws, "explore", file, path);
			expect(found.hover).toContain(expected.says);
			expect(found.tests).toEqual([{ path: expected.test, count: 1, test: true }]);
			expect(found.references.total).toBeGreaterThanOrEqual(2);
			if (!found.unsupported) expect(found.totalCallers).toBe(2);
			else expect(found.unsupported).toEqual(["callers"]);
		}),
	);

	test.skipIf(!there)("shows the context of a file", () =>
		inProject(async (ws) => {
			const own = await asked<Context>(ws, "context", file);
			expect(own.symbols.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(expected.declares));
			const users = own.callers.find(({ symbol }) => symbol === path)?.files.map(({ path: where }) => where);
			expect(users).toEqual([user, expected.test]);
			const other = await asked<Context>(ws, "context", user);
			expect(other.imports).toEqual(expected.imports);
		}),
	);
});

describe("a workspace of two languages", () => {
	test.skipIf(!isThere("pyright-langserver"))("is searched in both, and names a language whose server is missing", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, ...projects.typescript, ...projects.python }, async (ws) => {
			const both = await outputOf(ws, "workspace_symbols", "Ledger", "--kind", "class");
			expect(both).toContain("ledger.py\n  2: class Ledger");
			expect(both).toContain("src/ledger.ts\n  2: class Ledger");
		}),
	);

	test("names the language whose server is missing", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, ...projects.typescript, "a.hs": "main = print 1\n" }, async (ws) => {
			const { stdout } = await ws.cli(["find", "Ledger"]);
			expect(stdout).toMatch(/^src\/ledger\.ts:2: class Ledger\nhaskell was not asked: .+/);
		}));
});
