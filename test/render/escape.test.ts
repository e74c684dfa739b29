import { describe, expect, test } from "vitest";
import { escapeMarkup, escapeMessage, escapePath, oneLine, oneLineOutside } from "../../src/render/escape.ts";

describe("a message of a server stays one harmless line:", () => {
	test.each([
		["a line feed", "a\nb", "a b"],
		["a CRLF with spaces around it", "a  \r\n   b", "a b"],
		["many line ends", "a\n\n\nb", "a b"],
		["a lone carriage return", "a\rb", "ab"],
		["NUL, BEL, backspace, DEL", "a\u0000\u0007\u0008\u007fb", "ab"],
		["an escape sequence", "\u001b[31mred\u001b[0m", "[31mred[0m"],
		["C1 controls", "a\u0085\u009bb", "ab"],
		["bidirectional controls", "a\u202e\u202a\u2066\u2069\u200e\u200fb", "ab"],
		["a byte order mark", "\ufeffa", "a"],
		["white space at its ends", "  a\t", "a"],
	])("%s", (_, message, shown) => {
		expect(escapeMessage(message)).toBe(shown);
	});

	test("line separators of Unicode end no line of a block", () => {
		expect(escapeMessage("a\u2028b\u2029c")).not.toMatch(/[\u2028\u2029]/);
	});

	test("letters of every script, joiners and emoji are kept", () => {
		const text = "naïve 日本語 👩‍👩‍👧 שלום e\u0301";
		expect(escapeMessage(text)).toBe(text);
	});
});

test("a message cannot end the block around it", () => {
	expect(escapeMessage('</diagnostics> <diagnostics file="x"> & done')).toBe(
		'&lt;/diagnostics&gt; &lt;diagnostics file="x"&gt; &amp; done',
	);
});

test("an entity in a message is shown unchanged, and not resolved", () => {
	expect(oneLineOutside("a < b > c &\n</Diagnostics> <diagnostics file='x'>")).toBe(
		"a < b > c & &lt;/Diagnostics> &lt;diagnostics file='x'>",
	);
	expect(escapeMarkup("&lt;T&gt;")).toBe("&amp;lt;T&amp;gt;");
});

test("a path cannot leave its attribute", () => {
	expect(escapePath('a" x="<b>&\n.ts')).toBe("a&quot; x=&quot;&lt;b&gt;&amp;.ts");
});

test("a message of a megabyte is cut, and the cut is shown", () => {
	const shown = oneLine("x".repeat(1 << 20));
	expect(shown.length).toBeLessThanOrEqual(1001);
	expect(shown.endsWith("…")).toBe(true);
});

test("a cut never leaves half a character", () => {
	for (let lead = 0; lead < 4; lead++) expect(oneLine("x".repeat(lead) + "👍".repeat(1000)).isWellFormed()).toBe(true);
});

test("a message of much white space takes time in proportion to its length", () => {
	const began = performance.now();
	oneLine(`a${" ".repeat(1 << 16)}b${"\n ".repeat(1 << 16)}`);
	expect(performance.now() - began).toBeLessThan(1000);
});
