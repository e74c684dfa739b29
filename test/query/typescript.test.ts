import { describe, expect, test } from "vitest";
import type { LspError } from "../../src/contract/errors.ts";
import type { Project } from "../diagnostics/project.ts";
import { withProject } from "../diagnostics/project.ts";
import { projects } from "./projects.ts";

interface Found {
	readonly candidates: readonly { symbol: string; path: string; line: number; match: string; test?: boolean }[];
	readonly total: number;
	readonly similar?: readonly string[];
}
interface Source {
	readonly symbol?: string;
	readonly path: string;
	readonly line: number;
	readonly endLine: number;
	readonly source: string;
	readonly omitted?: number;
}
interface Listed {
	readonly symbols: readonly { symbol: string; path: string; line: number; test?: boolean; hover?: string }[];
	readonly total: number;
	readonly capped?: readonly string[];
	readonly outside?: number;
}
interface Outlined {
	readonly name: string;
	readonly children: readonly Outlined[];
}

const names = (list: readonly Outlined[]): string[] =>
	list.flatMap(({ name, children }) => [name, ...names(children).map((child) => `${name} > ${child}`)]);
const source = (project: Project, file: string, input: object) => project.call<Source>("source", { file, ...input });
const code = (asking: Promise<unknown>) =>
	asking.then(
		() => "answered",
		({ code }: LspError) => code,
	);

describe("find", () => {
	const find = (project: Project, symbol: string, more: object = {}) =>
		project.call<Found>("find", { symbol, ...more });

	test("finds a dotted path exactly, in other letter case, by its beginning, or by some letters", () =>
		withProject(projects.typescript, async (project) => {
			const best = async (symbol: string) => {
				const { candidates } = await find(project, symbol);
				return candidates.map(({ symbol: path, line, match }) => `${path} ${line} ${match}`);
			};
			expect(await best("Ledger.judge")).toEqual(["Ledger.judge 5 exact"]);
			expect(await best("ledger.JUDGE")).toEqual(["Ledger.judge 5 case"]);
			expect(await best("Ledger.jud")).toEqual(["Ledger.judge 5 prefix"]);
			expect(await best("ldgr")).toEqual(["Ledger 2 fuzzy"]);
			expect(await best("Inner.judge")).toEqual(["Outer.Inner.judge 12 exact"]);
			expect(await best("Other.judge")).toEqual([]);
			expect((await find(project, "judge")).candidates).toHaveLength(2);
			expect((await find(project, "judge", { limit: 1 })).total).toBe(2);
			expect((await find(project, "main", { kind: "class" })).total).toBe(0);
		}));

	test("lists symbols of tests last and marks them", () =>
		withProject({ ...projects.typescript, "src/main.test.ts": "export function main() {}\n" }, async (project) => {
			expect((await find(project, "main")).candidates).toMatchObject([
				{ path: "src/app.ts", line: 5 },
				{ path: "src/main.test.ts", line: 1, test: true },
			]);
		}));

	test("finds a symbol of a new file", () =>
		withProject(projects.typescript, async (project) => {
			expect((await find(project, "fresh")).total).toBe(0);
			project.ws.write("src/fresh.ts", "export function fresh() {}\n");
			expect((await find(project, "fresh")).candidates).toMatchObject([{ path: "src/fresh.ts", line: 1 }]);
		}));

	test("finds symbols only below a directory, or only in a language", () => {
		const files = {
			"src/a/part.ts": "export function part() {}\n",
			"src/b/part.tsx": "export function part() {}\n",
			"src/b/deep/part.js": "export function part() {}\n",
			"src/bb/parting.ts": "export function parting() {}\n",
		};
		return withProject(files, async (project) => {
			const { ws } = project;
			const paths = async (more: object) =>
				(await find(project, "part", more)).candidates.map(({ path }) => path).sort();
			expect(await paths({})).toEqual(["src/a/part.ts", "src/b/deep/part.js", "src/b/part.tsx"]);
			expect(await paths({ directory: "src/b" })).toEqual(["src/b/deep/part.js", "src/b/part.tsx"]);
			expect(await paths({ directory: ws.path("src/b/deep") })).toEqual(["src/b/deep/part.js"]);
			// An exact match elsewhere does not hide a similar one here.
			expect(await paths({ directory: "src/bb" })).toEqual(["src/bb/parting.ts"]);
			expect(await paths({ language: "typescript" })).toEqual(["src/a/part.ts", "src/b/part.tsx"]);
			expect(await paths({ language: "typescriptreact" })).toEqual(["src/b/part.tsx"]);
			expect(await paths({ language: "javascript", directory: "src" })).toEqual(["src/b/deep/part.js"]);
			for (const directory of ["../..", "/etc"])
				expect(await code(find(project, "part", { directory }))).toBe("LSP_OUTSIDE_WORKSPACE");
			expect(await code(find(project, "part", { language: "cobol" }))).toBe("LSP_UNSUPPORTED_FILE");
			expect(await code(find(project, "part", { directory: "src/none" }))).toBe("LSP_FILE_NOT_FOUND");
			const { stdout } = await ws.cli(["find", "nothinglikethis", "--directory", "src/b", "--language", "javascript"]);
			expect(stdout).toBe('Nothing in src/b (javascript) is called "nothinglikethis".\n');
		});
	});

	test("finds a symbol of a project that the workspace's first files do not load", () => {
		const parts = Array.from({ length: 6 }, (_, i) => [
			[`packages/p${i}/tsconfig.json`, '{ "include": ["."] }'],
			[`packages/p${i}/part.ts`, `export function part${i}() {}\n`],
		]);
		return withProject(Object.fromEntries(parts.flat()), async (project) => {
			const there = [{ path: "packages/p5/part.ts", line: 1 }];
			expect((await find(project, "part5", { directory: "packages/p5" })).candidates).toMatchObject(there);
		});
	});
});

describe("workspace_symbols", () => {
	const search = (project: Project, input: object) => project.call<Listed>("workspace_symbols", input);

	test("come page by page, and name a server at its limit", () => {
		const many = Array.from({ length: 300 }, (_, i) => `export function thing${i}() {}`).join("\n");
		return withProject({ ...projects.typescript, "src/many.ts": many }, async (project) => {
			const first = await search(project, { query: "thing", limit: 3 });
			expect(first).toMatchObject({ total: 256, capped: ["typescript"] });
			const second = await search(project, { query: "thing", limit: 3, offset: 3 });
			expect(new Set([...first.symbols, ...second.symbols].map(({ symbol }) => symbol)).size).toBe(6);
			expect(await search(project, { query: "thing299" })).toMatchObject({ total: 1 });
			expect((await search(project, { query: "thing299" })).capped).toBeUndefined();
			const { stdout } = await project.ws.cli(["workspace_symbols", "thing", "--limit", "2"]);
			expect(stdout).toContain('256 symbols like "thing", 2 of them here');
			expect(stdout).toContain("The other 254: pi-lsp workspace_symbols thing --limit 2 --offset 2");
		});
	});

	test("match in other letter case and by kind", () =>
		withProject(projects.typescript, async (project) => {
			expect((await search(project, { query: "LEDGER" })).symbols).toMatchObject([
				{ symbol: "ledger", path: "src/app.ts" },
				{ symbol: "Ledger", path: "src/ledger.ts" },
			]);
			const methods = await search(project, { query: "judge", kind: "method" });
			expect(methods.symbols.map(({ symbol }) => symbol)).toEqual(["Ledger.judge", "Inner.judge"]);
			expect(await search(project, { query: "judge", kind: "class" })).toMatchObject({ total: 0 });
			expect(await search(project, { query: "nothinglikethis" })).toEqual({ symbols: [], total: 0 });
		}));

	test("have hovers for some of the listed symbols", () =>
		withProject(projects.typescript, async (project) => {
			const hovers = async (input: object) => (await search(project, input)).symbols.map(({ hover }) => hover);
			expect(await hovers({ query: "judge" })).toEqual([undefined, undefined]);
			const method = expect.stringContaining("Ledger.judge");
			expect(await hovers({ query: "judge", hover: 1 })).toEqual([method, undefined]);
			const inner = expect.stringContaining("Inner.judge");
			expect(await hovers({ query: "judge", hover: 5, hover_offset: 1 })).toEqual([undefined, inner]);
			expect(await hovers({ query: "judge", offset: 1, hover: 1 })).toEqual([inner]);
		}));

	test("are none in an empty workspace", () =>
		withProject({ "a.txt": "x\n" }, async (project) => {
			const { ws } = project;
			for (const file of ["package.json", "tsconfig.json"]) ws.write(file, "{}");
			expect(await code(search(project, { query: "x" }))).toBe("LSP_UNSUPPORTED_FILE");
		}));

	test("come from two projects side by side", () =>
		withProject(
			{
				"tsconfig.json": "{}",
				"one/tsconfig.json": "{}",
				"one/a.ts": "export function left() {}\n",
				"two/tsconfig.json": "{}",
				"two/b.ts": "export function leftover() {}\n",
			},
			async (project) => {
				const { symbols } = await search(project, { query: "left" });
				expect(symbols.map(({ path }) => path)).toEqual(["one/a.ts", "two/b.ts"]);
			},
		));
});

describe("source", () => {
	test("shows a name, a path or a position with its overloads and the comment above", () =>
		withProject(projects.typescript, async (project) => {
			const judge = await source(project, "src/ledger.ts", { symbol: "Ledger.judge" });
			expect(judge).toMatchObject({ symbol: "Ledger.judge", line: 5, endLine: 9 });
			expect(judge.source.split("\n")).toHaveLength(5);
			const inside = await source(project, "src/ledger.ts", { line: 8, column: 12 });
			expect(inside).toEqual(judge);
			const whole = await source(project, "src/ledger.ts", { symbol: "Ledger", doc: true });
			expect(whole).toMatchObject({ line: 1, endLine: 10 });
			expect(whole.source).toMatch(/^\/\*\* Keeps accounts/);
			expect(await source(project, "src/ledger.ts", { symbol: "default" })).toMatchObject({ line: 11 });
			expect(await source(project, "src/ledger.ts", { symbol: "Inner.judge" })).toMatchObject({
				source: "judge() { return 1; }",
			});
			expect(await source(project, "src/ledger.ts", { symbol: "left" })).toMatchObject({
				source: "export const { left, right } = { left: 1, right: 2 };",
			});
			expect(await source(project, "src/ledger.ts", { pattern: "this.@@#sum" })).toEqual(judge);
		}));

	test("shows a used symbol where it is defined, unless that is a library", () =>
		withProject({ ...projects.typescript, "src/lib.ts": "export const a = [1].map(String);\n" }, async (project) => {
			expect(await source(project, "src/app.ts", { symbol: "Ledger" })).toMatchObject({
				path: "src/ledger.ts",
				line: 2,
			});
			expect(await source(project, "src/lib.ts", { symbol: "map" })).toEqual({ path: "src/lib.ts", source: "" });
		}));

	test("is cut if it is long, and the next call shows the rest", () => {
		const lines = Array.from({ length: 700 }, (_, i) => `\tconsole.log(${i});`);
		const text = ["export function long() {", ...lines, "}"].join("\n");
		return withProject({ "src/long.ts": text }, async (project) => {
			const first = await source(project, "src/long.ts", { symbol: "long" });
			expect(first).toMatchObject({ line: 1, endLine: 702, omitted: 402 });
			const { stdout } = await project.ws.cli(["source", "src/long.ts", "long"]);
			expect(stdout).toContain("... and 402 more lines.");
			const next = /pi-lsp (source .*)$/m.exec(stdout)?.[1] ?? "";
			const rest = await project.ws.cli([...next.split(" "), "--json", "--limit", "1000"]);
			expect(`${first.source}\n${(JSON.parse(rest.stdout) as Source).source}`).toBe(text);
		});
	});

	test("shows several symbols at once, one of them in another file, one of them wrong", () =>
		withProject(projects.typescript, async (project) => {
			const at = ["src/ledger.ts#Outer.Inner", "nowhere"];
			const { several } = await project.call<{ several: { asked: string }[] }>("source", { file: "src/app.ts", at });
			expect(several).toMatchObject([
				{
					symbol: "Outer.Inner",
					path: "src/ledger.ts",
					source: "export class Inner { judge() { return 1; } other() {} }",
				},
				{ error: { code: "LSP_SYMBOL_NOT_FOUND" } },
			]);
		}));

	test("lists the candidates of an ambiguous name, and reports a name without a declaration", () =>
		withProject({ ...projects.typescript, "src/empty.ts": "" }, async (project) => {
			const asking = source(project, "src/ledger.ts", { symbol: "judge" });
			await expect(asking).rejects.toMatchObject({
				code: "LSP_SYMBOL_AMBIGUOUS",
				message: expect.stringContaining("Ledger.judge (method, line 5), Outer.Inner.judge (method, line 12)"),
			});
			expect(await source(project, "src/empty.ts", { line: 1, column: 1 })).toMatchObject({ source: "" });
			const { stdout } = await project.ws.cli(["source", "src/empty.ts:1:1"]);
			expect(stdout).toContain("Nothing is declared there in src/empty.ts");
		}));
});

describe("symbols", () => {
	const symbols = (project: Project, file: string, more: object = {}) =>
		project.call<{ symbols: Outlined[]; omitted?: number }>("symbols", { file, ...more });

	test("are nested and without imports, and none in an empty file", () =>
		withProject({ ...projects.typescript, "src/none.ts": "export {};\n", "src/empty.ts": "" }, async (project) => {
			expect(names((await symbols(project, "src/ledger.ts")).symbols)).toEqual([
				"Ledger",
				...["#sum", "judge", "judge", "judge"].map((name) => `Ledger > ${name}`),
				"default",
				"Outer",
				"Outer > Inner",
				"Outer > Inner > judge",
				"Outer > Inner > other",
				"left",
				"right",
			]);
			expect(names((await symbols(project, "src/app.ts", { depth: 1 })).symbols)).toEqual(["main"]);
			for (const file of ["src/none.ts", "src/empty.ts"])
				expect(await symbols(project, file)).toMatchObject({ symbols: [] });
		}));

	test("are cut at a depth and a number, with the count of the rest", () =>
		withProject(projects.typescript, async (project) => {
			expect(await symbols(project, "src/ledger.ts", { depth: 1 })).toMatchObject({ omitted: 7 });
			const cut = await symbols(project, "src/ledger.ts", { limit: 6 });
			expect([names(cut.symbols).length, cut.omitted]).toEqual([6, 6]);
			const { stdout } = await project.ws.cli(["symbols", "src/ledger.ts", "--limit", "2", "--format", "outline"]);
			expect(stdout).toMatch(/^Ledger \[Class\] :2\ndefault \[Function\] :11\n\.\.\. and 10 more/);
			expect(stdout).toContain("All of them: pi-lsp symbols src/ledger.ts");
		}));

	test("are found in a file with CRLF and astral names", () =>
		withProject(
			{ "src/odd.ts": "export const 𝒳 = 1;\r\nexport function 𝒴() {\r\n\treturn 𝒳;\r\n}\r\n" },
			async (project) => {
				expect((await symbols(project, "src/odd.ts")).symbols).toMatchObject([
					{ name: "𝒳", line: 1, endLine: 1 },
					{ name: "𝒴", line: 2, endLine: 4 },
				]);
				expect(await source(project, "src/odd.ts", { symbol: "𝒴" })).toMatchObject({
					source: "export function 𝒴() {\n\treturn 𝒳;\n}",
				});
				expect((await project.call<Found>("find", { symbol: "𝒴" })).candidates).toMatchObject([
					{ line: 2, column: 17 },
				]);
			},
		));
});
