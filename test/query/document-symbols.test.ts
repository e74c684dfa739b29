import { describe, expect, test } from "vitest";
import type { DocumentSymbol, SymbolInformation } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../src/lsp/documents.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { type DocumentSymbolEntry, declaredIn, plainName, toDeclared } from "../../src/query/document-symbols.ts";
import { toSpot } from "../../src/util/positions.ts";

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
const read = (found: readonly (DocumentSymbol | SymbolInformation)[] | null) =>
	toDeclared(found, (position) => toSpot(position, [], "utf-16"));

describe("a flat list is nested", () => {
	test("by what lies within what, in whatever order it comes", () => {
		const found = [
			flat("judge", 2, 3),
			flat("Ledger", 0, 9),
			flat("inner", 4, 8),
			flat("deep", 5, 6),
			flat("last", 10, 11),
		];
		expect(paths(read(found))).toEqual(["Ledger", "Ledger.judge", "Ledger.inner", "Ledger.inner.deep", "last"]);
	});

	test("by the container's name where the ranges are those of the names", () => {
		const found = [flat("Ledger", 0, 0), flat("judge", 2, 2, "Ledger"), flat("free", 3, 3, "unknown")];
		expect(paths(read(found))).toEqual(["Ledger", "Ledger.judge", "free"]);
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

	test("is in the order of the file, with 1-based places", () => {
		const found = read([symbol("B", 5), symbol("A", 1, [symbol("z", 3), symbol("y", 2)])]);
		expect(paths(found)).toEqual(["A", "A.y", "A.z", "B"]);
		expect(found[0]).toMatchObject({ kind: "class", start: { line: 2, column: 1 }, at: { line: 2, column: 7 } });
	});

	test("calls a method of Go as a person writes it", () => {
		expect(paths(read([symbol("(*Ledger).Judge", 1), symbol("(Ledger).Read", 5)]))).toEqual([
			"Ledger.Judge",
			"Ledger.Read",
		]);
	});
});

test.each([[null], [[]]])("%j is nothing declared", (found) => expect(read(found)).toEqual([]));

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
])("%s is written %s", (name, plain) => expect(plainName(name)).toBe(plain));

describe("what a text declares is asked once", () => {
	const documentOf = (languageId: string): OpenDocument => ({
		path: "/a",
		uri: "file:///a",
		languageId,
		version: 1,
		text: "Ledger",
		hash: "",
		sentAt: 0,
	});
	/** How often a server is asked by two questions about each of some documents. */
	async function asked(documents: readonly OpenDocument[], answer: unknown, busy?: string): Promise<number> {
		let requests = 0;
		const server = {
			encoding: "utf-16",
			readiness: { busy },
			offers: () => true,
			require() {},
			async request() {
				requests++;
				return answer;
			},
		} as unknown as LanguageServer;
		for (const document of documents)
			for (let round = 0; round < 2; round++)
				expect(paths(await declaredIn(server, document))).toEqual(
					Array.isArray(answer) && answer.length ? ["Ledger"] : [],
				);
		return requests;
	}
	const found = [flat("Ledger", 0, 0)];

	test("of each document", async () => {
		expect(await asked([documentOf("go"), documentOf("typescript"), documentOf("csharp")], found)).toBe(3);
	});

	test("but not in C, where other files have a say", async () => {
		expect(await asked([documentOf("c"), documentOf("cpp"), documentOf("objective-cpp")], found)).toBe(6);
	});

	test("nor of a server that is busy, or knows nothing of it yet", async () => {
		expect(await asked([documentOf("go")], found, "indexing")).toBe(2);
		expect(await asked([documentOf("go")], [])).toBe(2);
		expect(await asked([documentOf("go")], null)).toBe(2);
	});
});
