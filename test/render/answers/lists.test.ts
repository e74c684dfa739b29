import { describe, expect, test } from "vitest";
import type { Location } from "../../../src/operations/common/inputs.ts";
import { impactText } from "../../../src/render/answers/impact.ts";
import { listLocations } from "../../../src/render/answers/locations.ts";
import { outlineText } from "../../../src/render/answers/outline.ts";
import { duration, megabytes, statusText } from "../../../src/render/status/status.ts";
import { outlineSymbol } from "../reports.ts";

const words = { one: "reference", many: "references", none: "No references found." };
const location = (path: string, line: number, text?: string): Location => ({
	path,
	line,
	column: 3,
	...(text === undefined ? {} : { text }),
});
const list = (...places: Location[]) => listLocations({ places, total: places.length }, words);

describe("a list of locations", () => {
	test("is a sentence if it is empty", () => {
		expect(list()).toBe("No references found.");
	});

	test("has the singular for one location", () => {
		expect(list(location("a.ts", 1, "x"))).toBe("1 reference in 1 file\na.ts\n  1: x");
	});

	test("is grouped by file; a location without its line of source has its column", () => {
		expect(list(location("a.ts", 1, "x"), location("b.ts", 2), location("a.ts", 9, "y"))).toBe(
			"3 references in 2 files\na.ts\n  1: x\n  9: y\nelsewhere:\nb.ts  2:3",
		);
	});

	test("counts the locations on other pages", () => {
		const page = { places: [location("a.ts", 1, "x")], total: 7 };
		expect(listLocations(page, words)).toBe(
			"7 references; 1 to 1 in 1 file\na.ts\n  1: x\n... and 6 more from offset 1 on",
		);
		expect(listLocations(page, words, 6)).toBe("7 references; 7 to 7 in 1 file\na.ts\n  1: x");
		expect(listLocations({ places: [], total: 7 }, words, 9)).toBe("7 references, none of them behind the first 9.");
	});

	test("ends with the locations in tests and counts them", () => {
		const inTest = { ...location("test/a.ts", 2, "y"), test: true };
		expect(list(location("a.ts", 1, "x"), inTest)).toBe(
			"2 references in 2 files, 1 of them in tests\na.ts\n  1: x\ntests:\ntest/a.ts\n  2: y",
		);
		expect(list(inTest)).toBe("1 reference in 1 file, all in tests\ntest/a.ts\n  2: y");
		expect(listLocations({ places: [location("a.ts", 1, "x")], total: 3, tests: 2 }, words)).toContain(
			"2 of them in tests",
		);
	});

	test("shows a line of source with several locations once", () => {
		expect(list(location("a.ts", 1, "x x"), { ...location("a.ts", 1, "x x"), column: 9 })).toBe(
			"2 references in 1 file\na.ts\n  1: x x",
		);
	});

	test("removes control characters from a line of source", () => {
		expect(list(location("a.ts", 1, "x\u001b[2J\u202ey"))).not.toMatch(/[\u001b\u202e]/);
	});
});

describe("an outline", () => {
	test("shows kinds, names and lines, and indents children", () => {
		const member = outlineSymbol("run", "method", 2);
		const symbol = { ...outlineSymbol("A", "class", 1), endLine: 3, children: [member] };
		expect(outlineText([symbol])).toBe("class A  1-3\n  method run  2");
	});

	test("is a sentence for an empty file", () => {
		expect(outlineText([])).toBe("The file declares nothing.");
	});
});

describe("a status", () => {
	const daemon = { pid: 42, upMs: 61_000, memoryBytes: 58_400_000 };

	test("reports that no server runs", () => {
		expect(statusText({ daemon, servers: [], problems: [] })).toBe(
			"daemon: pid 42, up 1 min, 58 MB\nNo language server is running.",
		);
	});

	test("lists each server with its state and error, then the problems of the configuration", () => {
		const server = { id: "typescript", root: "/p", state: "broken" as const, error: "it crashed" };
		expect(statusText({ daemon, servers: [server], problems: ["config.json: bad"] })).toBe(
			"daemon: pid 42, up 1 min, 58 MB\ntypescript: broken, it crashed, /p\nconfig.json: bad",
		);
	});

	test.each([
		[0, "0 ms"],
		[850, "850 ms"],
		[12_000, "12 s"],
		[180_000, "3 min"],
		[7_200_000, "2 h"],
	])("shows %i ms as %s", (ms, words) => {
		expect(duration(ms)).toBe(words);
	});

	test("shows bytes as megabytes", () => {
		expect(megabytes(74_600_000)).toBe("75 MB");
	});
});

describe("an impact", () => {
	const none = { depth: 1, changed: [], omitted: { symbols: 0, callers: 0 }, unread: [], skipped: [] };

	test("of no symbol is a sentence", () => {
		expect(impactText(none)).toBe("No symbol is affected.");
	});

	test("of a file whose symbols are unknown does not claim that none is affected", () => {
		expect(impactText({ ...none, unread: [{ path: "a.go", reason: "gopls not found." }] })).toBe(
			"a.go: its symbols are not known: gopls not found.",
		);
	});
});
