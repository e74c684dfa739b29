import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Project, withProject } from "../diagnostics/project.ts";
import type { Files } from "../support/workspace.ts";

interface Locations {
	readonly places: readonly { readonly path: string; readonly line: number; readonly column: number }[];
	readonly total: number;
	readonly nothing?: string;
}

const greet = [
	"/** Says hello. */",
	"export function greet(name: string): string {",
	"\treturn name;",
	"}",
	"export class Greeter {",
	"\tgreet(name: string) { return greet(name); }",
	"\tother() { return this.greet('x'); }",
	"}",
	"export class Loud {",
	"\tgreet() { return 1; }",
	"}",
	"",
];

const files: Files = { "src/greet.ts": greet.join("\n") };
const file = "src/greet.ts";

const definition = (project: Project, input: object) => project.call<Locations>("definition", { file, ...input });

async function foundAt(project: Project, input: object): Promise<string[]> {
	const { places } = await definition(project, input);
	return places.map(({ path, line, column }) => `${path}:${line}:${column}`);
}

interface Failure {
	readonly code: string;
	readonly message: string;
	readonly details: Readonly<Record<string, unknown>>;
}

async function failure(asked: Promise<unknown>): Promise<Failure> {
	return asked.then(
		(answer) => {
			throw new Error(`answered ${JSON.stringify(answer)}`);
		},
		(error: Failure) => ({ code: error.code, message: error.message, details: error.details }),
	);
}

test("a position is a pattern, a dotted path, a name on a line, a name with its line, or line and column", () =>
	withProject(files, async (project) => {
		const asks: [object, string][] = [
			[{ pattern: "return @@greet(name)" }, "2:17"],
			[{ pattern: "{ return this.@@greet" }, "6:2"],
			[{ symbol: "return @@greet(name)" }, "2:17"],
			// The line scope makes it one of three.
			[{ pattern: "@@greet(", line: 7, end_line: 7 }, "6:2"],
			[{ pattern: "class\n@@Loud" }, "9:14"],
			[{ symbol: "Greeter.greet" }, "6:2"],
			[{ symbol: "Greeter#greet" }, "6:2"],
			[{ symbol: "Greeter::greet" }, "6:2"],
			[{ symbol: "Loud.greet" }, "10:2"],
			[{ symbol: "greet", line: 2 }, "2:17"],
			[{ symbol: "2:greet" }, "2:17"],
			[{ symbol: "6:33" }, "2:17"],
			[{ line: 6, column: 33 }, "2:17"],
			[{ symbol: "name", line: 3 }, "2:23"],
		];
		for (const [input, position] of asks)
			expect(await foundAt(project, input), JSON.stringify(input)).toEqual([`${file}:${position}`]);
	}));

test("the error of an ambiguous name has the arguments that select each candidate", () =>
	withProject(files, async (project) => {
		const { code, message, details } = await failure(definition(project, { symbol: "greet" }));
		expect(code).toBe("LSP_SYMBOL_AMBIGUOUS");
		expect(message).toBe(
			'"greet" is declared 3 times: 2:greet (function greet), Greeter.greet (method, line 6), Loud.greet (method, line 10).',
		);
		const candidates = details.candidates as { readonly at: string; readonly line: number }[];
		expect(candidates.map(({ line }) => line)).toEqual([2, 6, 10]);
		for (const { at, line } of candidates)
			expect(await foundAt(project, { symbol: at }), at).toMatchObject([expect.stringContaining(`${file}:${line}:`)]);
		const pattern = await failure(definition(project, { pattern: "@@greet(" }));
		expect(pattern).toMatchObject({
			code: "LSP_SYMBOL_AMBIGUOUS",
			details: { candidates: [{ line: 2, at: "2:17" }, { line: 6 }, { line: 6 }, { line: 7 }, { line: 10 }] },
		});
	}));

test("the error of a missing name has the nearest names, and the lines of a name on other lines", () =>
	withProject(files, async (project) => {
		expect(await failure(definition(project, { symbol: "Greter" }))).toMatchObject({
			code: "LSP_SYMBOL_NOT_FOUND",
			message: '"Greter" does not occur in this file. Nearest: Greeter, greet, Greeter.greet, Loud.greet.',
			details: { candidates: expect.arrayContaining([{ symbol: "Greeter" }]) },
		});
		expect(await failure(definition(project, { symbol: "zzzzzzzz" }))).toMatchObject({
			code: "LSP_SYMBOL_NOT_FOUND",
			message: '"zzzzzzzz" does not occur in this file.',
		});
		expect(await failure(definition(project, { symbol: "Loud", line: 2 }))).toMatchObject({
			code: "LSP_SYMBOL_NOT_FOUND",
			message: expect.stringContaining("It stands on line 9"),
			details: { candidates: [{ line: 9, at: "9:Loud" }] },
		});
		expect(await failure(definition(project, { pattern: "no such @@text" }))).toMatchObject({
			code: "LSP_SYMBOL_NOT_FOUND",
		});
	}));

test("several positions are answered in one call, whether or not one of them is wrong", () =>
	withProject({ ...files, "src/b.ts": 'import { greet } from "./greet.ts";\ngreet("b");\n' }, async (project) => {
		const { several } = await project.call<{ several: readonly Readonly<Record<string, unknown>>[] }>("definition", {
			file,
			at: ["Greeter.greet", "2:greet", "6:33", "src/b.ts:2:1", "src/b.ts#greet", "src/b.ts:2:greet", "nope", "@@nope"],
		});
		expect(several.map(({ asked }) => asked)).toHaveLength(8);
		const [own, line, column, position, name, lineName, ...wrong] = several;
		expect(own).toMatchObject({ asked: "Greeter.greet", places: [{ path: file, line: 6 }] });
		for (const answer of [line, column, position, name, lineName])
			expect(answer, String(answer?.asked)).toMatchObject({ places: [{ path: file, line: 2, column: 17 }] });
		for (const answer of wrong)
			expect(answer).toMatchObject({
				error: { code: "LSP_SYMBOL_NOT_FOUND", message: expect.stringContaining("nope") },
			});
		const text = await project.ws.cli(["definition", file, "2:greet", "6:33", "nope"]);
		expect(text.stdout).toContain("2:greet:\n1 definition in 1 file");
		expect(text.stdout).toContain("nope:\nLSP_SYMBOL_NOT_FOUND");
		expect(text.code).toBe(0);
		expect((await project.ws.cli(["definition", file, "nope", "nor this"])).code).toBe(2);
	}));

describe("a position without a symbol", () => {
	test("is described by its text", () =>
		withProject(files, async (project) => {
			const nothing = async (input: object) => (await definition(project, input)).nothing;
			expect(await nothing({ line: 1, column: 5 })).toBe("At 1:5 stands Says: /** Says hello. */");
			expect(await nothing({ line: 12, column: 1 })).toBe("Nothing stands at 12:1: the line is blank.");
			expect(await nothing({ line: 4, column: 2 })).toBe("No name stands at 4:2: }");
			const { stdout } = await project.ws.cli(["references", `${file}:1:5`]);
			expect(stdout.trimEnd()).toBe("No references found. At 1:5 stands Says: /** Says hello. */");
			const { stdout: calls } = await project.ws.cli(["calls", `${file}:12:1`]);
			expect(calls.trimEnd()).toBe("No function found. Nothing stands at 12:1: the line is blank.");
		}));

	test.each<[string, object, string, string]>([
		[
			"past the last line",
			{ line: 13, column: 1 },
			"LSP_INVALID_INPUT",
			"Line 13 is past the end: the file has 12 lines.",
		],
		[
			"past the end of a line",
			{ line: 4, column: 3 },
			"LSP_INVALID_INPUT",
			"Column 3 is past the end: line 4 has 1 characters.",
		],
		["on line 0", { line: 0, column: 1 }, "LSP_INVALID_INPUT", "line"],
		["in column 0", { line: 1, column: 0 }, "LSP_INVALID_INPUT", "column"],
		["on line 0, as one word", { symbol: "0:greet" }, "LSP_INVALID_INPUT", "Lines count from 1, not from 0."],
		["in column 0, as one word", { symbol: "1:0" }, "LSP_INVALID_INPUT", "Columns count from 1, not from 0."],
		["a line alone", { line: 2 }, "LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column."],
		["nothing at all", {}, "LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column."],
		["an empty name", { symbol: " " }, "LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column."],
		["a pattern without a mark", { pattern: "greet" }, "LSP_INVALID_INPUT", "@@"],
		["a pattern with two", { pattern: "@@gr@@eet" }, "LSP_INVALID_INPUT", "@@"],
		["a pattern that is only a mark", { pattern: "@@" }, "LSP_INVALID_INPUT", "@@"],
	])("%s is reported as such", (_, input, code, message) =>
		withProject(files, async (project) => {
			expect(await failure(definition(project, input))).toMatchObject({
				code,
				message: expect.stringContaining(message),
			});
		}),
	);

	test("at the end of a line is valid", () =>
		withProject(files, async (project) => {
			expect(await foundAt(project, { line: 3, column: 13 })).toEqual([`${file}:2:23`]);
		}));
});

describe("texts", () => {
	test.each<[string, string]>([
		["LF", "\n"],
		["CRLF", "\r\n"],
		["CR", "\r"],
	])("with line ends %s have the same positions", (_, end) =>
		withProject({ "src/greet.ts": greet.join(end) }, async (project) => {
			expect(await foundAt(project, { symbol: "Greeter.greet" })).toEqual([`${file}:6:2`]);
			expect(await foundAt(project, { pattern: "{ return this.@@greet" })).toEqual([`${file}:6:2`]);
			expect(await foundAt(project, { line: 6, column: 33 })).toEqual([`${file}:2:17`]);
		}),
	);

	test("have columns that count UTF-16 units, whatever the server counts", () =>
		withProject({ "src/greet.ts": 'const a = "😀😀";\nconst b = ["😀é", a];\nexport { b };\n' }, async (project) => {
			// Each of the two emoji has two units: `a` is in column 19.
			expect(await foundAt(project, { pattern: "@@a];" })).toEqual([`${file}:1:7`]);
			expect(await foundAt(project, { line: 2, column: 19 })).toEqual([`${file}:1:7`]);
			const { places } = await project.call<Locations>("references", { file, symbol: "a", declaration: true });
			expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:7", "2:19"]);
		}));
});

describe("paths", () => {
	test.each(["src/a b.ts", "src/a#b.ts", "src/a%41b.ts", "src/a😀é.ts", "src/a+b&c.ts", "src/[a](b)/x.ts"])(
		"%s is accepted and reported as it is written",
		(path) =>
			withProject({ [path]: "export const here = 1;\nhere;\n" }, async (project) => {
				const { places } = await project.call<Locations>("references", { file: path, symbol: "here" });
				expect(places).toMatchObject([{ path, line: 2, column: 1, text: "here;" }]);
				const { several } = await project.call<{ several: unknown[] }>("definition", {
					file: path,
					at: [`${path}:2:1`, `${path}#here`],
				});
				for (const answer of several) expect(answer).toMatchObject({ places: [{ path, line: 1, column: 14 }] });
			}),
	);

	test("have an error of their own if they are missing, outside of the workspace, or installed", () =>
		withProject({ ...files, "node_modules/x/index.ts": "export const x = 1;\n" }, async (project) => {
			expect(await foundAt(project, { symbol: "Loud" })).toHaveLength(1);
			rmSync(project.ws.path(file));
			expect(await failure(definition(project, { symbol: "Loud" }))).toMatchObject({
				code: "LSP_FILE_NOT_FOUND",
				message: `${file} does not exist.`,
			});
			const ask = (path: string) => project.call("definition", { file: path, symbol: "x" });
			expect(await failure(ask("../outside.ts"))).toMatchObject({ code: "LSP_OUTSIDE_WORKSPACE" });
			expect(await failure(ask("/etc/passwd"))).toMatchObject({ code: "LSP_OUTSIDE_WORKSPACE" });
			expect(await failure(ask("node_modules/x/index.ts"))).toMatchObject({ code: "LSP_IGNORED_FILE" });
			expect(await failure(ask("src"))).toMatchObject({ code: "LSP_NOT_A_FILE" });
		}));
});

test("a long answer is given in pages, code before tests, and names the call for the rest", () =>
	withProject(
		{
			"tsconfig.json":
				'{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "allowImportingTsExtensions": true, "noEmit": true } }',
			"src/greet.ts": "export const one = 1;\n",
			"src/b.ts": 'import { one } from "./greet.ts";\none;\none;\n',
			"a.test.ts": 'import { one } from "./src/greet.ts";\none;\n',
		},
		async (project) => {
			const page = (input: object) => project.call<Locations>("references", { file, symbol: "one", ...input });
			const all = await page({});
			expect(all.places.map(({ path, line }) => `${path}:${line}`)).toEqual([
				"src/b.ts:1",
				"src/b.ts:2",
				"src/b.ts:3",
				"a.test.ts:1",
				"a.test.ts:2",
			]);
			expect(all).toMatchObject({ total: 5, tests: 2 });
			expect(await page({ limit: 2 })).toEqual({ places: all.places.slice(0, 2), total: 5, tests: 2 });
			expect(await page({ limit: 2, offset: 2 })).toEqual({ places: all.places.slice(2, 4), total: 5, tests: 2 });
			expect(await page({ offset: 9 })).toEqual({ places: [], total: 5, tests: 2 });
			const { stdout } = await project.ws.cli(["references", file, "one", "--limit", "2"]);
			const more = /^The other 3: pi-lsp (.*)$/m.exec(stdout)?.[1]?.split(" ") ?? [];
			expect(more).toEqual(["references", file, "one", "--limit", "2", "--offset", "2"]);
			const { stdout: rest } = await project.ws.cli(more);
			expect(rest).toContain(
				"5 references; 3 to 4 in 2 files, 2 of them in tests\nsrc/b.ts\n  3: one;\ntests:\na.test.ts\n  1:",
			);
		},
	));

test("a function with overloads is one symbol that is found by its name", () =>
	withProject(
		{
			"src/over.ts":
				"export function over(a: string): string;\nexport function over(a: number): number;\nexport function over(a: unknown): unknown {\n\treturn a;\n}\n",
			"src/use.ts": 'import { over } from "./over.ts";\n\nexport const used = [over("a"), over(1)];\n',
		},
		async (project) => {
			const { total, places } = await project.call<Locations>("references", { file: "src/over.ts", symbol: "over" });
			expect(total).toBe(3);
			expect(places.map(({ path, line }) => `${path}:${line}`)).toEqual([
				"src/use.ts:1",
				"src/use.ts:3",
				"src/use.ts:3",
			]);
		},
	));
