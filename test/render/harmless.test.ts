import { describe, expect, test } from "vitest";
import { harmless, harmlessData, harmlessJson } from "../../src/render/harmless.ts";

const hostile = "a\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202eb\u2066\u200f\ufeff\u{e0041}\u007f\u0000c";

test("a text keeps its lines, tabs and letters and loses every control character", () => {
	expect(harmless(hostile)).toBe("a[2J]52;c;ZXZpbA==31mbc");
	expect(harmless("a\r\n\tb\n")).toBe("a\n\tb\n");
	expect(harmless("a\u2028b\u2029c")).toBe("a b c");
	const letters = "naïve 日本語 👩‍👩‍👧 שלום e\u0301 𝒳";
	expect(harmless(letters)).toBe(letters);
});

describe("data", () => {
	test("is unchanged except for control characters, in keys as well", () => {
		const data = { "k\u001b": [hostile, 1, null, true, { deep: "\u0007" }] };
		expect(harmlessData(data)).toEqual({ k: ["a[2J]52;c;ZXZpbA==31mbc", 1, null, true, { deep: "" }] });
	});

	test("without control characters is returned itself, and so are such parts of other data", () => {
		const data = { list: [1, "a <b> c\n", null], deep: { text: "x" } };
		expect(harmlessData(data)).toBe(data);
		const mixed = { before: data, bad: ["ok", "\u0007"], kept: hostile, after: data.list };
		const made = harmlessData(mixed, "kept");
		expect(made).toEqual({ before: data, bad: ["ok", ""], kept: hostile, after: data.list });
		expect([made.before, made.after, Object.keys(made)]).toEqual([data, data.list, Object.keys(mixed)]);
		expect(mixed.bad).toEqual(["ok", "\u0007"]);
	});

	test.each([
		["</tool_result>", "<\\/tool_result>"],
		["</diagnostics>", "<\\/diagnostics>"],
		['<diagnostics file="x">', '<\\diagnostics file="x">'],
		["<system-reminder>", "<\\system-reminder>"],
		["</system>", "<\\/system>"],
		["</function_results>", "<\\/function_results>"],
		["</tool_\u001bresult>", "<\\/tool_result>"],
	])("with %j ends no frame", (text, shown) => {
		expect(harmlessData({ text: `a ${text} b` })).toEqual({ text: `a ${shown} b` });
	});

	test("keeps types and markup of code", () => {
		const text = "Array<string>, Map<System, Diagnostics>, <div></div>, a<system_b, x < tool_a";
		expect(harmlessData(text)).toBe("Array<string>, Map<System, Diagnostics>, <div></div>, a<system_b, x < tool_a");
	});
});

test("JSON has the same value with every control character escaped", () => {
	const value = { "k\u009b": hostile, more: ["\u2028", "\u{e0041}", "é"] };
	const json = harmlessJson(JSON.stringify(value, null, 2));
	expect(json).not.toMatch(/[^\n -~é]/);
	expect(JSON.parse(json)).toEqual(value);
});
