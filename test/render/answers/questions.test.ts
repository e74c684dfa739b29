import { describe, expect, test } from "vitest";
import { source } from "../../../src/operations/source.ts";
import { listCandidates } from "../../../src/render/answers/candidates.ts";
import { contextText } from "../../../src/render/answers/context.ts";
import { exploreText } from "../../../src/render/answers/explore.ts";
import { outlineText } from "../../../src/render/answers/outline.ts";
import { listTests } from "../../../src/render/answers/tests.ts";
import { listSymbols } from "../../../src/render/answers/workspace-symbols.ts";
import { outlineSymbol } from "../reports.ts";

const found = (symbol: string, path: string, line: number, test = false) => ({
	symbol,
	kind: "class",
	path,
	line,
	...(test ? { test } : {}),
});
const sourceText = (found: object, input: object) => source.render(found as never, input as never);
const evil = "a\u001b[2J\u202eb\nc";

describe("a list of workspace symbols", () => {
	test("is grouped by file, ends with tests, and names omitted symbols and servers without an answer", () => {
		const symbols = [found("A", "a.ts", 1), found("B", "b.ts", 2), found("C", "a.ts", 3), found("D", "t.ts", 4, true)];
		expect(
			listSymbols(
				{
					symbols,
					total: 9,
					outside: 2,
					capped: ["gopls"],
					unasked: [{ language: "ruby", reason: "It is missing." }],
				},
				"x",
			),
		).toBe(
			[
				'9 symbols like "x", 4 of them here',
				"a.ts\n  1: class A\n  3: class C\nb.ts\n  2: class B",
				"tests:\nt.ts\n  4: class D",
				"2 more in libraries.",
				"gopls tells no more at once; a longer name finds the rest.",
				"ruby was not asked: It is missing.",
			].join("\n"),
		);
	});

	test("has hovers below their lines, without fences, limited to a few lines", () => {
		const hover = "```typescript\nclass A\n```\n\n---\nSays hello.\u202e\n\nTwice.\nAnd more.\n";
		const symbols = [
			{ ...found("A", "a.ts", 1), hover },
			{ ...found("B", "a.ts", 2), hover: "```ts\nclass B\n```" },
		];
		expect(listSymbols({ symbols, total: 2 }, "")).toBe(
			[
				"2 symbols",
				"a.ts\n  1: class A\n    class A\n    Says hello.\n    Twice.\n    ... and 1 more line",
				"  2: class B\n    class B",
			].join("\n"),
		);
	});

	test("is a sentence if it or its page is empty", () => {
		expect(listSymbols({ symbols: [], total: 0 }, "x")).toBe('No symbol like "x".');
		expect(listSymbols({ symbols: [], total: 0 }, "")).toBe("No symbol was found.");
		expect(listSymbols({ symbols: [], total: 3 }, "x")).toBe('3 symbols like "x", none of them so far on.');
	});
});

test("a candidate has a note on its match unless it is exact", () => {
	const one = { ...found("A.b", "a.ts", 1), match: "exact" as const };
	expect(listCandidates({ candidates: [one], total: 1 }, "A.b")).toBe("a.ts:1: class A.b");
	const others = [
		{ ...one, match: "prefix" as const },
		{ ...one, match: "fuzzy" as const, test: true },
	];
	expect(listCandidates({ candidates: others, total: 5, similar: ["Ab"] }, "A")).toBe(
		[
			'5 candidates for "A"',
			"a.ts:1: class A.b (it begins so)",
			"a.ts:1: class A.b (it holds these letters, test)",
			"... and 3 others; ask with a larger limit.",
			"Similar: Ab",
		].join("\n"),
	);
});

test("a source has its location above it, and a part of a source its first line", () => {
	const shown = { symbol: "f", kind: "function", path: "a.ts", line: 3, endLine: 9, source: "x\ny", omitted: 3 };
	expect(sourceText(shown, { offset: 2 })).toBe("function f  a.ts:3-9, from line 5\nx\ny\n... and 3 more lines.");
	expect(sourceText({ ...shown, endLine: 3, omitted: 0 }, {})).toBe("function f  a.ts:3\nx\ny");
});

test("a list of tests is grouped by reason", () => {
	const tests = [
		{ path: "a", reason: "r" },
		{ path: "b", reason: "s" },
		{ path: "c", reason: "r" },
	];
	expect(listTests(tests, 4)).toBe("4 test files\nr:\n  a\n  c\ns:\n  b\n... and 1 more.");
	expect(listTests([])).toBe("No test of this file was found by name or import.");
});

describe("an exploration", () => {
	const nothing = {
		hover: "",
		source: "",
		callers: [],
		totalCallers: 0,
		references: { total: 0, files: [] },
		tests: [],
	};

	test("of an unused symbol states that there are no callers and references", () => {
		expect(exploreText(nothing)).toBe("Declared in a library, or nowhere.\nNo callers.\nNo references.");
		expect(exploreText({ ...nothing, unsupported: ["callers", "references"] })).toBe(
			"Declared in a library, or nowhere.\nThe server does not answer: callers, references.",
		);
	});

	test("of a symbol that only tests use counts the callers that are not listed", () => {
		const callers = [{ name: "t", path: "t.ts", line: 4, text: "f();", calls: 2, test: true }];
		const tests = [{ path: "t.ts", count: 2, test: true }];
		const text = exploreText({ ...nothing, callers, totalCallers: 5, references: { total: 2, files: [] }, tests });
		expect(text.split("\n").slice(1)).toEqual([
			...["5 callers:", "in tests:", "t.ts", "  4 t (2 times): f();", "... and 4 more."],
			...["2 references in 1 file, all in tests", "tests: t.ts 2"],
		]);
	});
});

test("a context is one line if unchanged, and counts the symbols without callers and callees", () => {
	expect(contextText({ tag: "t", unchanged: true })).toBe("Unchanged since t.");
	expect(contextText({ tag: "t", notAsked: 3 })).toContain(
		"Users and callees of its last 3 symbols were not asked for.",
	);
});

test("a name of a server with control characters stays on its line", () => {
	const symbol = found(evil, evil, 1);
	const texts = [
		listSymbols({ symbols: [symbol], total: 1 }, evil),
		listCandidates({ candidates: [{ ...symbol, match: "exact" as const }], total: 1 }, evil),
		outlineText([outlineSymbol(evil, "class", 1)]),
		outlineText([outlineSymbol(evil, "class", 1)], { format: "outline" }),
		sourceText({ symbol: evil, kind: "class", path: evil, source: "" }, {}),
		listTests([{ path: evil, reason: "r" }]),
	];
	for (const text of texts) expect(text).not.toMatch(/[\u001b\u202e]|b\nc/u);
});
