import { describe, expect, test } from "vitest";
import { languageOf } from "../../../src/impact/outline/languages.ts";
import { NotUnderstood, parsing, partsOf, SourceFile } from "../../../src/impact/outline/source-file.ts";
import { parserOf } from "../../../src/impact/outline/syntax.ts";

/** The declarations of a text, read in its parts; undefined if it cannot be parsed, or its language is not read. */
async function outlineOf(path: string, text: string) {
	const language = languageOf(path);
	if (!language) return undefined;
	const parser = await parserOf(language);
	try {
		const file = new SourceFile(path, text, language, {
			parse: parsing(parser, language),
			isWhole: false,
			turn: async () => {},
		});
		await file.readAll();
		return file.outline;
	} catch (error) {
		if (error instanceof NotUnderstood || error instanceof RangeError) return undefined;
		throw error;
	}
}

/** The paths of the declarations of a text, in its order. */
async function paths(path: string, text: string): Promise<string[]> {
	return (await outlineOf(path, text))?.declarations.map((each) => each.path) ?? ["not understood"];
}

/** The visible part of the first declaration, and the part that its type is inferred from. */
async function first(path: string, text: string): Promise<readonly [visible: string, inferred: string]> {
	const [declaration] = (await outlineOf(path, text))?.declarations ?? [];
	return declaration ? [declaration.visible.trim(), declaration.inferred] : ["", ""];
}

/** The names by which other files refer to a file's declarations. */
async function seen(path: string, text: string): Promise<string[]> {
	return [...((await outlineOf(path, text))?.seen.keys() ?? [])].sort();
}

describe("the end of a declaration of a script", () => {
	test.each([
		["a line break between two values", "const a = b\nconst c = d", ["a", "c"]],
		["a property that is called like an operator", "const a = b.as\nconst c = b.in\nconst d = 1", ["a", "c", "d"]],
		["a line that goes on with an operator", "const a = b\n\t.c\n\t|| d\nconst e = 1", ["a", "e"]],
		["a line that begins with an operator of letters", "const a = b\n\tinstanceof C, d = 1", ["a", "d"]],
		["a slash behind a brace", "const a = { b } / 2, c = 3 / 4", ["a", "c"]],
		["a regular expression in a template", "const a = `$\x7b/'/.test(b)}`\nconst c = 1", ["a", "c"]],
		["a less-than sign that compares", "const a = b < c\nconst d = e > (f)", ["a", "d"]],
		["a list of type parameters with defaults", "const a = <A, E = never>(b: A): E => c, d = 1", ["a", "d"]],
		["a type argument with a brace", "class A extends B('c')<{ d: 1 }> { e = 1 }\nconst f = 1", ["A", "A.e", "f"]],
		["a type that ends with an angle bracket", "type A = B<C>\n@d class E {}\ninterface F {}", ["A", "E", "F"]],
		["a body that returns an arrow", "const a = (b: B): ((c: C) => D) => (c) => d\nconst e = 1", ["a", "e"]],
		["overloads", "function a(b: B): C\nfunction a(b: D): E\nfunction a() {}\nlet f: G", ["a", "a", "a", "f"]],
		["a block", "if (a) { const b = 1 } else { c() }\nfor (const d of e) {}\nconst f = 1", ["f"]],
		["a regular expression with a quote behind a condition", "if (a) /'/.test(b)\nconst c = 1", ["c"]],
		["a template within a template", "const a = `$\x7bb(`}`)}`\nconst c = 1", ["a", "c"]],
		["a key that is called like a keyword", "const a = { class: 1, function() {}, get: 2 }\nconst b = 1", ["a", "b"]],
		["`var` in a block", "try { var a = 1 } catch { b() }", ["a"]],
	])("%s", async (_, text, expected) => expect(await paths("/p/a.ts", text)).toEqual(expected));

	test.each([
		["type parameters are no element", "const a = <T extends B>(c: T) => c\nconst d = <T,>(c: T) => c", ["a", "d"]],
		["a fragment is one", "const a = <>it's {b ? <C d='>' /> : `'`}</>\nconst e = 1", ["a", "e"]],
		["a comparison is none", "const a = b < c && d > e\nconst f = 1", ["a", "f"]],
		["a type of a function is none", "type A = <T>(b: T) => void\nconst c = 1", ["A", "c"]],
	])("in a file with elements: %s", async (_, text, expected) =>
		expect(await paths("/p/a.tsx", text)).toEqual(expected),
	);
});

describe("the visible text of a declaration", () => {
	test.each([
		[
			"/p/a.ts",
			"export async function a<B>(c = 1): Promise<B> { return d }",
			"async function a < B > ( c = 1 ) : Promise < B >",
			"",
		],
		["/p/a.ts", "const a = (b: B) => c", "const a = ( b : B ) =>", "c"],
		["/p/a.ts", "const a: B = c", "const a : B", ""],
		[
			"/p/a.ts",
			"const a = function () { class B {} return B }",
			"const a = function ( ) { class B { } return B ; }",
			"",
		],
		["/p/a.py", "@a\nasync def b(c: C = 1) -> D:\n    return 1\n", "@ a async def b ( c : C = 1 ) -> D :", ""],
		["/p/a.py", "a: B = 1", "a : B = ;", ""],
		["/p/a.go", "func a(b B) (c C) { return }", "func a ( b B ) ( c C )", ""],
		["/p/a.go", "var a = b", "a =", "b"],
		["/p/a.h", "static inline int a(int b) { return 1; }", "static inline int a ( int b )", ""],
		[
			"/p/a.rs",
			"pub fn a<'b>(c: &'b str) -> D where E: F { 1 }",
			"{ pub fn a < ' b > ( c : & ' b str ) -> D where E : F",
			"",
		],
	])("%s: %s", async (path, text, visible, inferred) => {
		const [head, body] = await first(path, text);
		expect([head, body]).toEqual([visible, inferred]);
	});
});

describe("the names of a declaration that other files see", () => {
	test.each([
		["/p/a.ts", "export const a = 1, { b, c: [d] } = e\nexport { f as g }\nconst h = 1", ["a", "b", "d", "g"]],
		["/p/a.ts", "export default class A {}\nexport * as b from 'c'\nexport * from 'd'", ["* 'd'", "b", "default"]],
		["/p/a.d.ts", "declare const a: B\nexport interface C {}", ["C", "a"]],
		["/p/a.cjs", "const a = require('a')\nexports.b = 1", ["a", "b"]],
		[
			"/p/a.py",
			"import a.b, c as d\nfrom e import f\nfor g, h in i:\n    j = k = 1\nwith l as m: n: int\n",
			["a", "d", "f", "g", "h", "j", "k", "m", "n"],
		],
		[
			"/p/a.go",
			'package a\nimport "b"\nfunc (c *C[D]) E() {}\nvar f, g = 1, 2\nconst (\n\tH = iota\n\tI\n)',
			["C", "E", "H", "I", "f", "g"],
		],
		[
			"/p/a.h",
			"typedef struct a { int b; } c;\nenum { D, E };\nint f(void), *g[2];\nvoid *h ARGS((int i));",
			["ARGS", "D", "E", "a", "c", "f", "g", "h", "i"],
		],
		[
			"/p/a.rs",
			"use a::b;\npub use c::{self, d as e};\nimpl F for G { fn h() {} }\nmod i { struct J; }",
			["G", "J", "c", "e", "h", "i"],
		],
	])("%s: %s", async (path, text, names) => expect(await seen(path, text)).toEqual(names));

	test("are those of the members of a Python class in its body and its methods", async () => {
		const text =
			"class A:\n    b = 1\n    def c(self):\n        self.d = self.e = 1\n        with f() as self.g: pass\n";
		expect(await paths("/p/a.py", text)).toEqual(["A", "A.b", "A.c", "A.d", "A.e", "A.g"]);
	});

	test("are the names of the operands for an operator of C++", async () =>
		expect(await seen("/p/a.hpp", "bool operator==(const A &b, C d);")).toEqual(["A", "C", "b", "d"]));
});

describe("texts that cannot be read with certainty", () => {
	test.each([
		["/p/a.ts", "const a = (1"],
		["/p/a.ts", "const a = `b"],
		["/p/a.ts", "/* b"],
		["/p/a.tsx", "const a = <b c>"],
		["/p/a.py", "a = (1]"],
		["/p/a.py", 'a = """b'],
		["/p/a.go", "var a = `b"],
		["/p/a.rs", "/* /* */"],
		["/p/a.ts", `const a = ${"[".repeat(10)}`],
		["/p/a.ts", " ".repeat(2_000_001)],
		["/p/a.java", "class A {}"],
	])("%s: %j", async (path, text) => expect(await outlineOf(path, text)).toBeUndefined());

	test("include templates that are nested too deeply", async () =>
		expect(await outlineOf("/p/a.ts", `${"`$\x7b".repeat(5000)}${"}`".repeat(5000)}`)).toBeUndefined());

	test("include modules that are nested too deeply", async () =>
		expect(await outlineOf("/p/a.rs", `${"mod a {".repeat(50_000)}${"}".repeat(50_000)}`)).toBeUndefined());

	test("do not include a text whose `#if 0` leaves out brackets", async () =>
		expect(await seen("/p/a.h", "#if 0\n} don't\n#else\nint a;\n#endif\nint b;")).toEqual(["a", "b"]));

	test("do not include a text with `#if 0` in a comment, which leaves out nothing", async () =>
		expect(await seen("/p/a.h", "/* Use\n#if 0\n*/\nint a;\n// or\nint b;")).toEqual(["a", "b"]));

	test("do not include a text of many brackets and comparisons, which is read to its end", async () => {
		const text = `const a = ${"b < c + d < e | ".repeat(500)}1\n${"const d = (e < f)\n".repeat(16_000)}`;
		expect(await outlineOf("/p/a.ts", text)).toBeDefined();
	});
});

test("each prototype of a C header is parsed by itself, whatever surrounds it", () => {
	const text =
		"#ifndef A\n#define A\nint a(void);\nint b(int c,\n      int d);\n\nstruct e {\n\tint f;\n};\nint g(void);\nint h(void);\n#endif\n";
	const language = languageOf("/p/a.h");
	const parts = language ? partsOf(text, language.shown?.(text) ?? text, language) : [];
	expect(parts.map((part) => part.text.trim().split("\n").at(-1))).toEqual([
		"int a(void);",
		"};",
		"int g(void);",
		"#endif",
	]);
});
