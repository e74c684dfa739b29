import { describe, expect, test } from "vitest";
import { readJson } from "../../../src/config/json-reader.ts";
import { WrongContainer, withItem, without, withProperty } from "../../../src/faces/agents/json-text.ts";

/** A text, and what it becomes with one more property at `a.b` and one more item in `list`. */
const texts: readonly [what: string, text: string, property: string, item: string][] = [
	["nothing", "", '{\n  "a": {\n    "b": 1\n  }\n}\n', '{\n  "list": [\n    1\n  ]\n}\n'],
	["an empty object", "{}", '{\n  "a": {\n    "b": 1\n  }\n}', '{\n  "list": [\n    1\n  ]\n}'],
	["one line", '{"x":0}', '{"x":0, "a": {"b":1}}', '{"x":0, "list": [1]}'],
	[
		"a trailing comma in one line",
		'{ "a": { "x": 0, }, "list": [ 0, ] }',
		'{ "a": { "x": 0, "b": 1, }, "list": [ 0, ] }',
		'{ "a": { "x": 0, }, "list": [ 0, 1, ] }',
	],
	[
		"tabs",
		'{\n\t"a": {\n\t\t"x": 0\n\t},\n\t"list": [\n\t\t0\n\t]\n}\n',
		'{\n\t"a": {\n\t\t"x": 0,\n\t\t"b": 1\n\t},\n\t"list": [\n\t\t0\n\t]\n}\n',
		'{\n\t"a": {\n\t\t"x": 0\n\t},\n\t"list": [\n\t\t0,\n\t\t1\n\t]\n}\n',
	],
	[
		"CRLF",
		'{\r\n  "a": {},\r\n  "list": []\r\n}',
		'{\r\n  "a": {\r\n    "b": 1\r\n  },\r\n  "list": []\r\n}',
		'{\r\n  "a": {},\r\n  "list": [\r\n    1\r\n  ]\r\n}',
	],
	[
		"a comment behind the last value",
		'{\n  "a": {\n    "x": 0 // x, y\n  },\n  "list": [\n    0 /* z */ // w\n  ]\n}',
		'{\n  "a": {\n    "x": 0, // x, y\n    "b": 1\n  },\n  "list": [\n    0 /* z */ // w\n  ]\n}',
		'{\n  "a": {\n    "x": 0 // x, y\n  },\n  "list": [\n    0, /* z */ // w\n    1\n  ]\n}',
	],
	[
		"comments alone",
		'{\n  "a": {\n    // none\n  },\n  "list": [ /* none */ ]\n}',
		'{\n  "a": {\n    // none\n    "b": 1\n  },\n  "list": [ /* none */ ]\n}',
		'{\n  "a": {\n    // none\n  },\n  "list": [ /* none */\n    1\n  ]\n}',
	],
	[
		"a bracket behind the last value",
		'{ "a": {\n  "x": 0 }, "list": [\n  0 ] }',
		'{ "a": {\n  "x": 0,\n  "b": 1 }, "list": [\n  0 ] }',
		'{ "a": {\n  "x": 0 }, "list": [\n  0,\n  1 ] }',
	],
];

describe("an added value", () => {
	test.each(texts)("in a text with %s leaves every other byte as it is", (_, text, property, item) => {
		expect(withProperty(text, ["a", "b"], 1)).toBe(property);
		expect(withItem(text, ["list"], 1)).toBe(item);
		for (const each of [property, item]) expect(() => readJson(each)).not.toThrow();
	});

	test("is refused if its container has another type", () => {
		expect(() => withProperty('{ "a": 1 }', ["a", "b"], 1)).toThrow(WrongContainer);
		expect(() => withProperty('{ "a": [] }', ["a", "b"], 1)).toThrow(WrongContainer);
		expect(() => withItem('{ "a": {} }', ["a"], 1)).toThrow(WrongContainer);
		expect(() => withProperty("[]", ["a"], 1)).toThrow(WrongContainer);
	});
});

describe("a removed value", () => {
	test.each(texts.filter(([, text]) => /\{.*\{/s.test(text)))(
		"in a text with %s restores the text, except for white space",
		(_, text, property, item) => {
			const folded = (each: string) => each.replace(/\s+/g, "");
			expect(folded(without(property, ["a", "b"]))).toBe(folded(text));
			const { value } = readJson(item);
			const list = (value as { readonly list: unknown[] }).list;
			expect(folded(without(item, ["list", list.length - 1]))).toBe(folded(text));
		},
	);

	test("leaves the comments of the others", () => {
		const text = '{\n  // first\n  "a": 1, // of a\n  // second\n  "b": 2 // of b\n}\n';
		expect(without(text, ["b"])).toBe('{\n  // first\n  "a": 1 // of a\n  // second\n // of b\n}\n');
		expect(without(text, ["a"])).toBe('{\n  // first\n // of a\n  // second\n  "b": 2 // of b\n}\n');
		expect(without(text, ["c"])).toBe(text);
	});

	test("from the middle of a line takes the comma after it along", () => {
		expect(without("[1, 2, 3]", [1])).toBe("[1, 3]");
		expect(without("[1, 2, 3]", [2])).toBe("[1, 2]");
		expect(without('{"a":1}', ["a"])).toBe("{}");
	});
});
