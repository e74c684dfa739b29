import { describe, expect, test } from "vitest";
import type { TextDocumentContentChangeEvent } from "vscode-languageserver-protocol";
import { smallestChange } from "../../src/lsp/smallest-change.ts";
import type { PositionEncoding } from "../../src/util/positions.ts";
import { random } from "../jsonrpc/reading.ts";

const encodings: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];

/**
 * Applies a change as the specification describes it, character by character; shares no code with the tested
 * function.
 */
function apply(before: string, change: TextDocumentContentChangeEvent, encoding: PositionEncoding): string {
	if (!("range" in change)) return change.text;
	const { start, end } = change.range;
	return (
		before.slice(0, offsetOf(before, start, encoding)) + change.text + before.slice(offsetOf(before, end, encoding))
	);
}

function offsetOf(text: string, position: { line: number; character: number }, encoding: PositionEncoding): number {
	let line = 0;
	let units = 0;
	let offset = 0;
	for (const character of text) {
		if (line === position.line && units === position.character) return offset;
		const isEnd = character === "\n" || (character === "\r" && text[offset + 1] !== "\n");
		offset += character.length;
		if (isEnd) {
			if (line === position.line) throw new Error(`line ${line} has no character ${position.character}`);
			line++;
			units = 0;
		} else if (character === "\r") units += 0;
		else if (encoding === "utf-8") units += new TextEncoder().encode(character).length;
		else units += encoding === "utf-16" ? character.length : 1;
	}
	if (line === position.line && units === position.character) return offset;
	throw new Error(`there is no ${position.line}:${position.character} in ${JSON.stringify(text)}`);
}

describe("a seeded search for a change that does not give the new text", () => {
	test.each(encodings)("finds none in 20,000 edits, in %s", (encoding) => {
		const next = random(encodings.indexOf(encoding) + 100);
		const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
		const words = ["a", "b", "ab", "", " ", "👍", "é", "日本", "x = 1;", "}", "𝒳𝒴"];
		const ends = [["\n"], ["\r\n"], ["\n", "\r\n"], ["\r"], ["\n", "\r", "\r\n"]];
		const text = (style: readonly string[]) => {
			const lines = Array.from({ length: Math.floor(next() * 6) }, () => pick(words) + pick(words));
			return lines.map((line) => line + pick(style)).join("") + (next() < 0.5 ? pick(words) : "");
		};
		for (let round = 0; round < 20_000; round++) {
			const style = pick(ends);
			const before = text(style);
			// Half of the edits are small ones: real edits share most of their text.
			const at = Math.floor(next() * (before.length + 1));
			const upTo = Math.min(before.length, at + Math.floor(next() * 4));
			const small = before.slice(0, at) + pick([...words, ...style]) + before.slice(upTo);
			const after = next() < 0.5 ? text(next() < 0.8 ? style : pick(ends)) : small;
			const change = smallestChange(before, after, encoding);
			const got = apply(before, change, encoding);
			if (got !== after) expect({ before, change, got }).toEqual({ before, change, got: after });
		}
	});
});

test("a change in one line of many sends that line only", () => {
	const lines = Array.from({ length: 1000 }, (_, index) => `const v${index} = ${index};`);
	const before = lines.join("\n");
	const after = before.replace("v500 = 500", "v500 = 501");
	expect(smallestChange(before, after, "utf-16")).toEqual({
		range: { start: { line: 500, character: 0 }, end: { line: 501, character: 0 } },
		text: "const v500 = 501;\n",
	});
});

test("texts that are equal are an empty change", () => {
	const change = smallestChange("a\nb\n", "a\nb\n", "utf-16");
	expect(apply("a\nb\n", change, "utf-16")).toBe("a\nb\n");
	expect(change.text).toBe("");
});

test("a text with lone carriage returns is sent whole, since servers do not agree on its lines", () => {
	expect(smallestChange("a\rb\n", "a\rc\n", "utf-16")).toEqual({ text: "a\rc\n" });
});

test.each(["\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])(
	"a text with %j is sent whole, since it ends a line for some servers",
	(end) => {
		expect(smallestChange(`a${end}b\n`, "a\n", "utf-16")).toEqual({ text: "a\n" });
	},
);
