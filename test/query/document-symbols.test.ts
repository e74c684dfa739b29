import { describe, expect, test } from "vitest";
import type { DocumentSymbol, SymbolInformation } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../src/lsp/documents.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { type DocumentSymbolEntry, plainName, symbolTree } from "../../src/query/document-symbols.ts";
import { FileQuery } from "../../src/query/file-query.ts";
import { indexOfWord, nameStart, overloadsIn, requestableIn, selectDeclaration } from "../../src/query/find-symbol.ts";
import { SymbolTrees } from "../../src/query/symbol-trees.ts";

const range = (line: number, endLine: number, character = 0, endCharacter = 1) => ({
	start: { line, character },
	end: { line: endLine, character: endCharacter },
});
const flat = (name: string, line: number, endLine: number, containerName?: string): SymbolInformation => ({
	name,
	kind: 6,
	location: { uri: "file:///a", range: range(line, endLine) },
	...(containerName === undefined ? {} : { containerName }),
});
const paths = (list: readonly DocumentSymbolEntry[]): string[] =>
	list.flatMap(({ path, children }) => [path, ...paths(children)]);
const treeOf = (found: readonly (DocumentSymbol | SymbolInformation)[] | null) => symbolTree(found, [], "utf-16");

describe("a flat list", () => {
	test("is nested by its ranges, whatever its order", () => {
		const found = [
			flat("judge", 2, 3),
			flat("Ledger", 0, 9),
			flat("inner", 4, 8),
			flat("deep", 5, 6),
			flat("last", 10, 11),
		];
		expect(paths(treeOf(found))).toEqual(["Ledger", "Ledger.judge", "Ledger.inner", "Ledger.inner.deep", "last"]);
	});

	test("is nested by the container's name where the ranges are those of the names", () => {
		const found = [flat("Ledger", 0, 0), flat("judge", 2, 2, "Ledger"), flat("free", 3, 3, "unknown")];
		expect(paths(treeOf(found))).toEqual(["Ledger", "Ledger.judge", "free"]);
	});
});

describe("a tree", () => {
	const symbol = (name: string, line: number, children: DocumentSymbol[] = []): DocumentSymbol => ({
		name,
		kind: 5,
		range: range(line, line + 3),
		selectionRange: range(line, line, 6, 9),
		children,
	});

	test("is in the order of the file, with 1-based positions", () => {
		const found = treeOf([symbol("B", 5), symbol("A", 1, [symbol("z", 3), symbol("y", 2)])]);
		expect(paths(found)).toEqual(["A", "A.y", "A.z", "B"]);
		expect(found[0]).toMatchObject({ kind: "class", start: { line: 2, column: 1 }, at: { line: 2, column: 7 } });
	});

	test("has the plain names of Go's methods in its paths", () => {
		expect(paths(treeOf([symbol("(*Ledger).Judge", 1), symbol("(Ledger).Read", 5)]))).toEqual([
			"Ledger.Judge",
			"Ledger.Read",
		]);
	});

	test.each([[null], [[]]])("of %j is empty", (found) => expect(treeOf(found)).toEqual([]));
});

describe("the plain name", () => {
	test.each([
		["(*Ledger).Judge", "Ledger.Judge"],
		["impl<T> Named for Ledger<T>", "Ledger"],
		["greet(String, int)", "greet"],
		["Ledger<T>", "Ledger"],
		["operator<", "operator<"],
		["operator()", "operator()"],
		['test("is right") callback', 'test("is right") callback'],
		["<lambda>", "<lambda>"],
		["größe(int)", "größe"],
	])("of %s is %s", (name, plain) => expect(plainName(name)).toBe(plain));
});

describe("a declaration", () => {
	const lines = ["class Ledger {", "judge()", "judge(int)", "}", "judge", "free"];
	const tree = symbolTree(
		[
			{ ...flat("Ledger", 0, 3), kind: 5 },
			flat("judge", 1, 1),
			flat("judge", 2, 2),
			{ ...flat("judge", 4, 4), kind: 12 },
			flat("free", 5, 5, "unknown"),
		],
		lines,
		"utf-16",
	);
	const starts = (found: readonly DocumentSymbolEntry[] | undefined) => found?.map(({ start }) => start.line);

	test("is selected with its overloads by its dotted path, whatever separates the names", () => {
		for (const path of ["Ledger.judge", "Ledger::judge", "Ledger#judge"])
			expect(starts(selectDeclaration(overloadsIn(tree), path, lines))).toEqual([2, 3]);
		expect(selectDeclaration(overloadsIn(tree), "Other.judge", lines)).toBeUndefined();
	});

	test("is selected by a container that the document does not declare", () => {
		expect(starts(selectDeclaration(overloadsIn(tree), "unknown.free", lines))).toEqual([6]);
	});

	test("with the whole path is selected before others only with that preference", () => {
		expect(starts(selectDeclaration(overloadsIn(tree), "judge", lines, { preferWholePath: true }))).toEqual([5]);
		expect(() => selectDeclaration(overloadsIn(tree), "judge", lines)).toThrow(
			'"judge" is declared 2 times: Ledger.judge (method, line 2), 5:judge (function judge).',
		);
	});

	test("is each signature by itself for a position in a language whose signatures are functions", () => {
		expect(starts(selectDeclaration(requestableIn(tree, "typescript"), "Ledger.judge", lines))).toEqual([2, 3]);
		expect(() => selectDeclaration(requestableIn(tree, "cpp"), "Ledger.judge", lines)).toThrow(
			'"Ledger.judge" is declared 2 times: 2:judge (method Ledger.judge), 3:judge (method Ledger.judge).',
		);
	});

	test("has its name within three lines of where it starts", () => {
		const [symbol] = symbolTree([flat("judge", 0, 3)], ["@mark", "  judge()"], "utf-16");
		expect(symbol && nameStart(symbol, ["@mark", "  judge()"])).toEqual({ line: 2, column: 3 });
		expect(symbol && nameStart(symbol, ["@mark", "", "", "judge()"])).toEqual({ line: 1, column: 1 });
	});
});

test("a name without characters is no word of a text", () => {
	expect(indexOfWord("ledger", "")).toBeUndefined();
});

describe("a query", () => {
	test("requests the symbols of its file at most once", async () => {
		let requests = 0;
		const server = {
			encoding: "utf-16",
			offers: () => true,
			require() {},
			readiness: { busy: "loading" },
			part: () => trees,
			async request() {
				requests++;
				return [flat("Ledger", 0, 0)];
			},
		} as unknown as LanguageServer;
		const trees = new SymbolTrees(server);
		const document: OpenDocument = {
			path: "/a",
			uri: "file:///a",
			languageId: "go",
			version: 1,
			text: "Ledger",
			hash: "",
			sentAt: 0,
		};
		const { signal } = new AbortController();
		const query = new FileQuery(document, { server, workspace: "/", cwd: "/", signal });
		expect(paths(await query.symbols())).toEqual(["Ledger"]);
		expect(await query.position({ symbol: "Ledger" })).toEqual({ line: 0, character: 0 });
		expect((await query.declaration({ symbol: "Ledger" }))?.group).toHaveLength(1);
		expect(requests).toBe(1);
	});
});
