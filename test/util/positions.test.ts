import { describe, expect, test } from "vitest";
import { linesOf, type PositionEncoding, toPath, toPosition, toSpot, toUri } from "../../src/util/positions.ts";
import { random } from "../jsonrpc/reading.ts";

const encodings: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];
const alphabet = [
	"a",
	"Z",
	" ",
	"\t",
	"é",
	"ß",
	"e\u0301",
	"日",
	"本",
	"👍",
	"👩‍👩‍👧",
	"𝒳",
	"\u{10ffff}",
	"\ufeff",
	"\u200d",
	"{",
];

/** The position in a line of a column of an encoding, counted from the bytes and code points themselves. */
function columnOf(text: string, utf16: number, encoding: PositionEncoding): number {
	const before = text.slice(0, utf16);
	if (encoding === "utf-8") return new TextEncoder().encode(before).length;
	return encoding === "utf-16" ? before.length : Array.from(before).length;
}

/** The positions between two characters: all but those inside a surrogate pair. */
function boundaries(text: string): number[] {
	const places = [0];
	for (const character of text) places.push((places.at(-1) ?? 0) + character.length);
	return places;
}

test("each of 100,000 positions is converted to a server's position and back unchanged, in every encoding", () => {
	const next = random(7);
	let cases = 0;
	while (cases < 100_000) {
		const line = Array.from({ length: Math.floor(next() * 12) }, () => alphabet[Math.floor(next() * alphabet.length)]);
		const text = line.join("");
		const lines = ["first", text, "last"];
		for (const utf16 of boundaries(text)) {
			for (const encoding of encodings) {
				cases++;
				const spot = { line: 2, column: utf16 + 1 };
				const position = toPosition(spot, lines, encoding);
				if (position.line !== 1 || position.character !== columnOf(text, utf16, encoding))
					expect(position, `${JSON.stringify(text)} at ${utf16} in ${encoding}`).toEqual({
						line: 1,
						character: columnOf(text, utf16, encoding),
					});
				const back = toSpot(position, lines, encoding);
				if (back.line !== 2 || back.column !== spot.column)
					expect(back, `${JSON.stringify(text)} at ${utf16} in ${encoding}`).toEqual(spot);
			}
		}
	}
	expect(cases).toBeGreaterThanOrEqual(100_000);
});

describe.each(encodings)("in %s", (encoding) => {
	const lines = ["a👍b", "", "日本"];
	const end = (line: number) => columnOf(lines[line] ?? "", 99, encoding);

	test("a position past the end of a line means its end", () => {
		for (const [line, text] of lines.entries()) {
			expect(toPosition({ line: line + 1, column: 1000 }, lines, encoding)).toEqual({ line, character: end(line) });
			expect(toSpot({ line, character: 1000 }, lines, encoding)).toEqual({ line: line + 1, column: text.length + 1 });
		}
	});

	test("a position past the end of the file means the end of the file", () => {
		expect(toPosition({ line: 1000, column: 1000 }, lines, encoding)).toEqual({ line: 2, character: end(2) });
		expect(toPosition({ line: 1000, column: 1 }, lines, encoding)).toEqual({ line: 2, character: end(2) });
	});

	test("a position before the beginning means the beginning", () => {
		expect(toPosition({ line: 0, column: 0 }, lines, encoding)).toEqual({ line: 0, character: 0 });
		expect(toPosition({ line: -5, column: -5 }, lines, encoding)).toEqual({ line: 0, character: 0 });
	});

	test("an empty document has one position", () => {
		expect(toPosition({ line: 3, column: 9 }, linesOf(""), encoding)).toEqual({ line: 0, character: 0 });
	});

	test("a position inside a character leads to a position between two characters", () => {
		for (let character = 0; character < 8; character++) {
			const { column } = toSpot({ line: 0, character }, lines, encoding);
			if (encoding !== "utf-16") expect(boundaries(lines[0] ?? "")).toContain(column - 1);
		}
	});
});

test("lines end as LSP defines: LF, CRLF and CR, and nothing else", () => {
	expect(linesOf("a\nb\r\nc\rd\u2028e\u0085f\n")).toEqual(["a", "b", "c", "d\u2028e\u0085f", ""]);
	expect(linesOf("")).toEqual([""]);
	expect(linesOf("\r\r\n\n")).toEqual(["", "", "", ""]);
});

test.each([
	"/a/b.ts",
	"/a b/(auth)/#x?.ts",
	"/100%/%41.ts",
	"/c:/d.ts",
	"/ünï/日本/👍.ts",
	"/new\nline/'q'\".ts",
	"/a\\b.ts",
])("the path %j survives the conversion to a URI", (path) => {
	expect(toPath(toUri(path))).toBe(path);
});

test("a URI is understood however a server escapes it", () => {
	expect(toPath("file:///a/%28auth%29/b.ts")).toBe("/a/(auth)/b.ts");
	expect(toPath("file:///a/(auth)/b.ts")).toBe("/a/(auth)/b.ts");
	expect(toPath("file:///c%3A/b.ts")).toBe("/c:/b.ts");
});

test.each(["jdt://contents/x", "untitled:Untitled-1", "file://%ZZ", "file:///a%2Fb", "", "http://x/y"])(
	"%j is neither a path nor a failure",
	(uri) => {
		expect(toPath(uri)).toBeUndefined();
	},
);
