import { describe, expect, test } from "vitest";
import { isThere } from "../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { asked, outputOf } from "./projects.ts";

interface Start {
	readonly path: string;
	readonly line: number;
	readonly how: string;
	readonly through?: string;
	readonly caller?: { readonly name: string };
	readonly test?: boolean;
}
interface Answer {
	readonly concurrent: { readonly starts: readonly Start[]; readonly omitted: number; readonly unread?: string[] };
	readonly incoming?: { readonly steps: readonly { readonly name: string }[] };
}

const typescript: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000, "graceMs": 20000 }',
	"src/store.ts": [
		"export class Store {",
		"\tcount = 0;",
		"\tadd(by: number): void {",
		"\t\tthis.count += by;",
		"\t}",
		"}",
		"export async function save(store: Store): Promise<void> {",
		"\tstore.add(1);",
		"}",
		"",
	].join("\n"),
	"src/app.ts": [
		'import { save, Store } from "./store.ts";',
		"",
		"export async function main(stores: Store[]): Promise<void> {",
		"\tawait save(new Store());",
		"\tawait Promise.all(stores.map((each) => save(each)));",
		"}",
		"",
		"export class Runner {",
		"\tstart(store: Store): void {",
		"\t\tsetTimeout(() => store.add(2), 10);",
		"\t}",
		"}",
		"",
	].join("\n"),
	"test/store.test.ts": [
		'import { save, Store } from "../src/store.ts";',
		"",
		"export function checks(): void {",
		"\tsetTimeout(save, 1, new Store());",
		"}",
		"",
	].join("\n"),
};

const python: Files = {
	"pyproject.toml": "[project]\nname = 'x'\n",
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"store.py": [
		"class Store:",
		"    def __init__(self) -> None:",
		"        self.count = 0",
		"",
		"    def add(self, by: int) -> None:",
		"        self.count += by",
		"",
		"",
		"async def save(store: Store) -> None:",
		"    store.add(1)",
		"",
	].join("\n"),
	"app.py": [
		"import asyncio",
		"import threading",
		"",
		"from store import Store, save",
		"",
		"",
		"async def main(stores: list[Store]) -> None:",
		"    await save(stores[0])",
		"    await asyncio.gather(*[save(each) for each in stores])",
		"",
		"",
		"class Runner:",
		"    def start(self, store: Store) -> None:",
		"        threading.Thread(target=store.add, args=(2,)).start()",
		"",
	].join("\n"),
	"tests/test_store.py": [
		"import asyncio",
		"",
		"from store import Store, save",
		"",
		"",
		"async def test_save() -> None:",
		"    asyncio.create_task(save(Store()))",
		"",
	].join("\n"),
};

const go: Files = {
	"go.mod": "module ex\n\ngo 1.22\n",
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"store.go": [
		"package ex",
		"",
		"type Store struct {",
		"\tcount int",
		"}",
		"",
		"func (s *Store) Add(by int) {",
		"\ts.count += by",
		"}",
		"",
		"func Save(s *Store) {",
		"\ts.Add(1)",
		"}",
		"",
	].join("\n"),
	"app.go": [
		"package ex",
		"",
		"func Main(stores []*Store) {",
		"\tSave(stores[0])",
		"\tfor _, each := range stores {",
		"\t\tgo Save(each)",
		"\t}",
		"}",
		"",
		"type Runner struct{}",
		"",
		"func (Runner) Start(s *Store) {",
		"\tgo func() { s.Add(2) }()",
		"}",
		"",
	].join("\n"),
	"store_test.go": [
		"package ex",
		"",
		'import "testing"',
		"",
		"func TestSave(t *testing.T) {",
		"\tgo Save(&Store{})",
		"}",
		"",
	].join("\n"),
};

const languages = [
	{
		server: "typescript-language-server",
		there: true,
		files: typescript,
		file: "src/store.ts",
		names: { save: "save", add: "Store.add", count: "Store.count" },
		app: "src/app.ts",
		tests: "test/store.test.ts",
		of: {
			save: { line: 5, how: "Promise.all", caller: "main" },
			inTest: { line: 4, how: "setTimeout", caller: "checks" },
			add: { line: 10, how: "setTimeout", caller: "Runner.start" },
		},
	},
	{
		server: "pyright",
		there: isThere("pyright-langserver"),
		files: python,
		file: "store.py",
		names: { save: "save", add: "Store.add", count: "Store.count" },
		app: "app.py",
		tests: "tests/test_store.py",
		of: {
			save: { line: 9, how: "asyncio.gather", caller: "main" },
			inTest: { line: 7, how: "asyncio.create_task", caller: "test_save" },
			add: { line: 14, how: "threading.Thread", caller: "Runner.start" },
		},
	},
	{
		server: "gopls",
		there: isThere("gopls"),
		files: go,
		file: "store.go",
		names: { save: "Save", add: "Store.Add", count: "Store.count" },
		app: "app.go",
		tests: "store_test.go",
		of: {
			save: { line: 6, how: "go", caller: "Main" },
			inTest: { line: 6, how: "go", caller: "TestSave" },
			add: { line: 13, how: "go", caller: "Runner.Start" },
		},
	},
];

describe.each(languages)("$server", ({ there, files, file, names, app, tests, of }) => {
	const start = (path: string, { caller, ...at }: (typeof of)["save"]) => ({ path, ...at, caller: { name: caller } });
	const inProject = (
		body: (starts: (symbol: string, ...words: string[]) => Promise<readonly Start[]>, ws: Workspace) => Promise<void>,
	) =>
		withWorkspace(files, (ws) =>
			body(async (symbol, ...words) => {
				const { concurrent } = await asked<Answer>(ws, "calls", file, symbol, "--concurrent", ...words);
				return concurrent.starts;
			}, ws),
		);

	test.skipIf(!there)("names the callers that start a function elsewhere, tests last, and no others", () =>
		inProject(async (starts, ws) => {
			const expected = [start(app, of.save), { ...start(tests, of.inTest), test: true }];
			expect(await starts(names.save)).toMatchObject(expected);
			expect(await starts(names.save)).toHaveLength(2);
			expect(await starts(names.add)).toMatchObject([start(app, of.add)]);
			const text = await outputOf(ws, "calls", file, names.add, "--concurrent", "--direction", "incoming");
			expect(text).toContain("1 use starts on another goroutine, thread, task or worker\n");
			expect(text).toContain(`${of.add.caller}  ${app}:${of.add.line}  by ${of.add.how}\n`);
		}),
	);

	test.skipIf(!there)("follows a method and a field through the functions that are started", () =>
		inProject(async (starts) => {
			const through = names.save;
			const all = [
				start(app, of.add),
				{ ...start(app, of.save), through },
				{ ...start(tests, of.inTest), through, test: true },
			];
			expect(await starts(names.add, "--depth", "2")).toMatchObject(all);
			expect(await starts(names.count)).toEqual([]);
			const [first, second, third] = all;
			expect(await starts(names.count, "--depth", "3")).toMatchObject([
				{ ...first, through: names.add.split(".").at(-1) },
				second,
				third,
			]);
		}),
	);
});
