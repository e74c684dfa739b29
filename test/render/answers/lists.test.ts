import { describe, expect, test } from "vitest";
import { listPlaces } from "../../../src/render/answers/locations.ts";
import { outline } from "../../../src/render/answers/outline.ts";
import { duration, megabytes, statusText } from "../../../src/render/status/status.ts";

const words = { one: "reference", many: "references", none: "No references found." };
const place = (path: string, line: number, text?: string) => ({
	path,
	line,
	column: 3,
	...(text === undefined ? {} : { text }),
});

describe("places", () => {
	test("none are a sentence", () => {
		expect(listPlaces([], words)).toBe("No references found.");
	});

	test("one is in the singular", () => {
		expect(listPlaces([place("a.ts", 1, "x")], words)).toBe("1 reference in 1 file\na.ts\n  1: x");
	});

	test("are grouped by file; a place without its line of source has its column", () => {
		expect(listPlaces([place("a.ts", 1, "x"), place("b.ts", 2), place("a.ts", 9, "y")], words)).toBe(
			"3 references in 2 files\na.ts\n  1: x\n  9: y\nelsewhere:\nb.ts  2:3",
		);
	});

	test("what was cut is counted", () => {
		expect(listPlaces([place("a.ts", 1, "x")], { ...words, total: 7 })).toBe(
			"7 references; 1 to 1 in 1 file\na.ts\n  1: x\n... and 6 more from offset 1 on",
		);
		expect(listPlaces([place("a.ts", 1, "x")], { ...words, total: 7, offset: 6 })).toBe(
			"7 references; 7 to 7 in 1 file\na.ts\n  1: x",
		);
		expect(listPlaces([], { ...words, total: 7, offset: 9 })).toBe("7 references, none of them behind the first 9.");
	});

	test("those in tests come last, and are counted", () => {
		const inTest = { ...place("test/a.ts", 2, "y"), test: true };
		expect(listPlaces([place("a.ts", 1, "x"), inTest], words)).toBe(
			"2 references in 2 files, 1 of them in tests\na.ts\n  1: x\ntests:\ntest/a.ts\n  2: y",
		);
		expect(listPlaces([inTest], words)).toBe("1 reference in 1 file, all in tests\ntest/a.ts\n  2: y");
		expect(listPlaces([place("a.ts", 1, "x")], { ...words, total: 3, tests: 2 })).toContain("2 of them in tests");
	});

	test("a line of source with several of them is told once", () => {
		expect(listPlaces([place("a.ts", 1, "x x"), { ...place("a.ts", 1, "x x"), column: 9 }], words)).toBe(
			"2 references in 1 file\na.ts\n  1: x x",
		);
	});

	test("a line of source with control characters stays one line", () => {
		expect(listPlaces([place("a.ts", 1, "x\u001b[2J\u202ey")], words)).not.toMatch(/[\u001b\u202e]/);
	});
});

describe("an outline", () => {
	test("shows kinds, names and lines, members indented", () => {
		const member = { name: "run", kind: "method", line: 2, endLine: 2, children: [] };
		expect(outline([{ name: "A", kind: "class", line: 1, endLine: 3, children: [member] }])).toBe(
			"class A  1-3\n  method run  2",
		);
	});

	test("of an empty file is a sentence", () => {
		expect(outline([])).toBe("The file declares nothing.");
	});
});

describe("a status", () => {
	const daemon = { pid: 42, upMs: 61_000, memoryBytes: 58_400_000 };

	test("says when nothing runs", () => {
		expect(statusText({ daemon, servers: [], problems: [] })).toBe(
			"daemon: pid 42, up 1 min, 58 MB\nNo language server is running.",
		);
	});

	test("names each server, what it does and what went wrong, and then the problems of the configuration", () => {
		const server = { id: "typescript", root: "/p", state: "broken", error: "it crashed" };
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
	])("%i ms are %s", (ms, words) => {
		expect(duration(ms)).toBe(words);
	});

	test("bytes are told in megabytes", () => {
		expect(megabytes(74_600_000)).toBe("75 MB");
	});
});
