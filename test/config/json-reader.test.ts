import { describe, expect, test } from "vitest";
import { JsonMistake, readJson } from "../../src/config/json-reader.ts";

const rightOnes = [
	"{}",
	"[]",
	"null",
	' {"a":[1,-2.5e3,"\\u00e9\\n",true,false,null,{"b":{}}]} ',
	'{"__proto__":{"x":1},"constructor":2}',
	'"\\ud83d\\ude00"',
];

test.each(rightOnes)("%s is read as JSON.parse reads it", (text) => {
	expect(JSON.stringify(readJson(text).value)).toBe(JSON.stringify(JSON.parse(text)));
});

test("comments and commas after the last item are no mistakes", () => {
	const text = '// a\n{ /* b * / **/ "a": [1, 2, ], // "c": 3\n "d": "// no", }';
	expect(readJson(text).value).toEqual({ a: [1, 2], d: "// no" });
});

describe("a mistake has its line and column", () => {
	const wrong: readonly [string, string][] = [
		["", "1:1"],
		["{\n  a: 1 }", "2:3"],
		['{\n "a" 1 }', "2:6"],
		['{"a":1\n,,}', "2:2"],
		['{"a":1 "b":2}', "1:8"],
		["[1\n2]", "2:1"],
		['["a\nb"]', "1:2"],
		['["\\x"]', "1:2"],
		["[01]", "1:2"],
		["[+1]", "1:2"],
		["[NaN]", "1:2"],
		["{} {}", "1:4"],
		["[", "1:2"],
		["/* a", "1:1"],
		["\0", "1:1"],
	];
	test.each(wrong)("%j: %s", (text, position) => {
		let thrown: unknown;
		try {
			readJson(text);
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(JsonMistake);
		const { line, column } = thrown as JsonMistake;
		expect(`${line}:${column}`).toBe(position);
	});
});

test("a missing field or item has the line of the nearest one around it", () => {
	const { lineOf, repeated } = readJson('{\n"a": {\n "b": [\n1,\n{ "c": 2 }]},\n"a": 3}');
	expect([[], ["a"], ["a", "b"], ["a", "b", 1], ["a", "b", 1, "c"], ["a", "x", "y"], ["z"]].map(lineOf)).toEqual([
		1, 6, 3, 5, 5, 6, 1,
	]);
	expect(repeated).toEqual([["a"]]);
});

test("nesting that is too deep is a mistake, not a stack overflow", () => {
	expect(() => readJson("[".repeat(100_000))).toThrow(JsonMistake);
});
