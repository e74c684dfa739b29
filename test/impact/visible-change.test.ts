import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { meaningOf } from "../../src/impact/index/meaning.ts";
import { type ProvenOfChange, passedOn, visibleChange } from "../../src/impact/visible-change.ts";
import { REPOSITORY } from "../support/repository.ts";

/**
 * The visible difference of two texts of a file, in short: names, `*` for any; `+` added, `?` uncertain, `~` lost,
 * `!` everywhere.
 */
async function effectOf(
	path: string,
	before: string | undefined,
	after: string | undefined,
	proven?: ProvenOfChange,
): Promise<string> {
	const { nothing, added, changed, lost, everywhere, uncertain } = await visibleChange(path, before, after, proven);
	const words = [
		...(changed ? [...changed].sort() : ["*"]),
		...[...added].sort().map((name) => `+${name}`),
		...uncertain.map(({ path }) => `?${path}`),
		...[...lost].sort().map((name) => `~${name}`),
		...(everywhere ? ["!"] : []),
	];
	expect(nothing).toBe(words.length === 0);
	if (before !== undefined && after !== undefined && !nothing)
		expect(meaningOf(path, before), "what others see is more than comments and white space").not.toBe(
			meaningOf(path, after),
		);
	return words.join(" ");
}

/** A title, the two texts, and the effect that `effectOf` gives for them. */
type Case = readonly [title: string, before: string, after: string, effect: string];

function check(path: string, cases: readonly Case[]): void {
	test.each(cases)("%s", async (_, before, after, expected) =>
		expect(await effectOf(path, before, after)).toBe(expected),
	);
}

test("A removed name that has another meaning elsewhere changes its dependents", async () => {
	const text = "export function handle(error: Error): void {}";
	const before = `import type { Error } from "./error";\n${text}`;
	expect(await effectOf("/p/a.ts", before, text)).toBe("~Error");
	expect(await effectOf("/p/a.ts", before, text, { hasMeaning: () => true })).toBe("handle");
});

describe("TypeScript", () => {
	check("/p/shop.ts", [
		[
			"the body of a function with a return type is not visible",
			"export function a(b: B): C { return b; }",
			"export function a(b: B): C { return b.c; }",
			"",
		],
		[
			"a removed import on which an inferred type depends is a lost name",
			'import { b } from "./b";\nexport const a = () => b();',
			"export const a = () => b();",
			"~b",
		],
		[
			"a removed import without users is not visible",
			'import { b } from "./b";\nexport const a = (): number => b();',
			"export const a = (): number => 1;",
			"",
		],
		["a parameter is visible", "export function a(b: B): C {}", "export function a(b: B, d?: D): C {}", "a"],
		["a return type is visible", "export function a(): B {}", "export function a(): B | undefined {}", "a"],
		[
			"a return type in braces is no body",
			"export function a(): { b: string } { return x; }",
			"export function a(): { b: number } { return x; }",
			"a",
		],
		[
			"the body of a function without a return type may be visible",
			"export function a() { return 1; }",
			"export function a() { return '1'; }",
			"a ?a",
		],
		[
			"the body of an arrow function with a return type is not visible",
			"export const a = (b: B): C => b.c;\nexport const d = 1",
			"export const a = (b: B): C => {\n\treturn b.d\n}\nexport const d = 1",
			"",
		],
		[
			"the body of an arrow function without a return type may be visible",
			"export const a = async (b: B) => b.c",
			"export const a = async (b: B) => b.d",
			"a ?a",
		],
		["the head of an arrow function is visible", "export const a = (b: B) => b", "export const a = (b: C) => b", "a"],
		[
			"a function as a value with a return type hides its body",
			"export const a = function* (): B { yield 1 }",
			"export const a = function* (): B { yield 2 }",
			"",
		],
		[
			"the body of a function with a return type may decide what the function around it returns",
			"export const a = () => { let x: B | C = b; const d = (): void => {}; return () => x }",
			"export const a = () => { let x: B | C = b; const d = (): void => { x = c }; return () => x }",
			"a ?a",
		],
		[
			"a star is visible although only a body differs otherwise",
			'export * from "./b"\nexport function a(): B {}',
			'export * from "./c"\nexport function a(): B { return b }',
			"*",
		],
		[
			"the value of a variable whose type may be a union narrows what the file infers from the variable",
			"const a: B | C = b\nexport const d = a\nexport const e: F = a",
			"const a: B | C = c\nexport const d = a\nexport const e: F = a",
			"d ?d",
		],
		[
			"the value behind a named type narrows a default export",
			"const a: B = 'x'\nexport default { a }",
			"const a: B = 'y'\nexport default { a }",
			"*",
		],
		[
			"a variable is compared once if its own value differs, too",
			"const a: B | C = b\nexport const d = [a, 1]",
			"const a: B | C = c\nexport const d = [a, 2]",
			"d ?d",
		],
		[
			"the narrowing value of an exported variable is not visible itself",
			"export const a: B = c",
			"export const a: B = d",
			"",
		],
		[
			"the value of a variable with a plain type narrows nothing",
			"const a: string = 'x'\nexport const b = a",
			"const a: string = 'y'\nexport const b = a",
			"",
		],
		[
			"the value of a variable with a type is not visible",
			"export const a: Map<B, C> = new Map()",
			"export const a: Map<B, C> = make()",
			"",
		],
		[
			"the value of a variable without a type may be visible",
			"export const a = new Map<B, C>(), d = 2",
			"export const a = new Map<B, D>(), d = 2",
			"a ?a",
		],
		[
			"each of several variables has its own change",
			"export const a = f<B, C>(x), d = 2",
			"export const a = f<B, C>(x), d = 3",
			"d ?d",
		],
		[
			"a pattern changes all of its names",
			"export const { a, b: { c }, ...d } = e",
			"export const { a, b: { c }, ...d } = f",
			"a c d",
		],
		[
			"a class as a value is visible as a whole",
			"export const a = class { b = 1 }",
			"export const a = class { b = 2 }",
			"a",
		],
		[
			"a type is visible as a whole",
			"export type A = B extends string\n\t? C\n\t: D\nexport type E = F",
			"export type A = B extends string\n\t? C\n\t: G\nexport type E = F",
			"A",
		],
		[
			"an interface is visible as a whole",
			"export interface A extends B<{ c: 1 }> { d(): void }",
			"export interface A extends B<{ c: 1 }> { d(): string }",
			"A",
		],
		["an enumeration is visible as a whole", "export enum A { B, C }", "export enum A { B, D, C }", "A"],
		[
			"a constant enumeration is visible as well",
			"export const enum A { B = 1 }",
			"export const enum A { B = 2 }",
			"A",
		],
		["a decorator is visible", "@a() export class B {}", "@a({}) export class B {}", "B"],
		["a modifier is visible", "export class A {}", "export abstract class A {}", "A"],
		["a new name is added", "export const a = 1", "export const a = 1; export const b = 2", "+b"],
		[
			"a new overload changes its name",
			"export function a(b: B): C {}",
			"export function a(b: B): C\nexport function a(b: D): C {}",
			"a",
		],
		["a removed name has changed", "export const a = 1\nexport const b = 2", "export const a = 1", "b"],
		[
			"a declaration that has moved is the same",
			"export const a = 1\nexport type B = C\n",
			"export type B = C\nexport const a = 1\n",
			"",
		],
		["a private declaration is not visible", "export {}; function a(b: B) {}", "export {}; function a(c: C) {}", ""],
		[
			"an exported declaration that mentions a private one has changed with it",
			"type A = 1\nexport function b(): A {}",
			"type A = 2\nexport function b(): A {}",
			"b",
		],
		[
			"a change is followed through several declarations",
			"type A = 1\ntype B = A[]\nexport interface C { b: B }\nexport const d: string = e",
			"type A = 2\ntype B = A[]\nexport interface C { b: B }\nexport const d: string = e",
			"C",
		],
		[
			"a key that is called like a changed name is no mention of it",
			"export type a = 1\nexport interface C { a: string }",
			"export type a = 2\nexport interface C { a: string }",
			"a",
		],
		[
			"an invisible body mentions nothing",
			"const a = 1\nexport function b(): string { return a }",
			"const a = 2\nexport function b(): string { return a }",
			"",
		],
		[
			"a body that may be visible follows an uncertain name",
			"function a() { return 1 }\nexport const b = () => a()",
			"function a() { return '' }\nexport const b = () => a()",
			"b ?a",
		],
		[
			"an uncertain private name without users is not requested",
			"function a() { return 1 }\nexport const b = 2",
			"function a() { return '' }\nexport const b = 2",
			"",
		],
		[
			"a name that follows one that differs for sure is not uncertain",
			"type A = 1\nexport const b = f<A>(1)",
			"type A = 2\nexport const b = f<A>(2)",
			"b",
		],
		[
			"an import that changes changes what mentions it",
			"import { A, B } from './a'\nexport type C = A\nexport type D = B",
			"import { B } from './a'\nimport { A } from './b'\nexport type C = A\nexport type D = B",
			"C",
		],
		[
			"an import that only bodies use is not visible",
			"export function a(): B { return 1 }",
			"import { c } from './c'\nexport function a(): B { return c() }",
			"",
		],
		[
			"a default import and a namespace are names as well",
			"import A, * as b from './a'\nexport type C = A\nexport type D = b.E\nexport type F = 1",
			"import A, * as b from './b'\nexport type C = A\nexport type D = b.E\nexport type F = 1",
			"C D",
		],
		[
			"an import for its effects may declare anything",
			"export const a = 1",
			"import './globals'\nexport const a = 1",
			"* !",
		],
		["an import of a style sheet declares nothing", "export const a = 1", "import './a.css'\nexport const a = 1", ""],
		[
			"a list of names gives a declaration its outside name",
			"type A = 1\nexport { A as B }",
			"type A = 2\nexport { A as B }",
			"B",
		],
		["a name that is exported now is added", "const a = 1\nexport {}", "const a = 1\nexport { a }", "+a"],
		[
			"a name that passes on another one has changed",
			"const a = 1, b = ''\nexport { a as c }",
			"const a = 1, b = ''\nexport { b as c }",
			"c",
		],
		[
			"a name that is passed on from elsewhere has changed",
			"export { a, b as c, type D } from './a'",
			"export { a, e as c, type D } from './a'",
			"c",
		],
		["all names are unknown where a star is added or removed", "export * from './a'", "export * from './b'", "*"],
		["a star export with a name has that name", "export * as a from './a'", "export * as a from './b'", "a"],
		["the default export has any name", "export default function a(): B {}", "export default function a(): C {}", "*"],
		[
			"a default export may be a name that is declared elsewhere",
			"const a = 1; export default a",
			"const a = ''; export default a",
			"* ?a",
		],
		["a default export may have no name at all", "export default { a: 1 }", "export default { a: 2 }", "*"],
		[
			"a value that is assigned to `export` has any name",
			"declare class A { b: 1 }\nexport = A",
			"declare class A { b: 2 }\nexport = A",
			"*",
		],
		["a comment is not visible", "/** @returns {A} */\nexport const a = 1", "export const a /* b */ = 1 // c", ""],
		[
			"a property that is assigned is a member",
			"export function a(): B {}\na.c = 1",
			"export function a(): B {}\na.c = ''",
			"a ?a.c",
		],
		[
			"a namespace is one name, and its members have their own changes",
			"export namespace A { export function b(): C { return 1 }\nexport const d: E = 1 }",
			"export namespace A { export function b(): C { return 2 }\nexport const d: F = 1 }",
			"A",
		],
		[
			"a private name of a namespace may be visible through an exported one",
			"export namespace A.B { const c = 1 }",
			"export namespace A.B { const c = 2 }",
			"A ?A.B.c",
		],
		[
			"an alias follows its own import",
			"import A = require('./a')\nexport type B = A.C",
			"import A = require('./b')\nexport type B = A.C",
			"B",
		],
		[
			"a template in a type mentions what stands in it",
			"type A = 'b'\nexport type C = `$\x7bA}-d`",
			"type A = 'c'\nexport type C = `$\x7bA}-d`",
			"C",
		],
		[
			"a slash behind a bracket divides",
			"export const a = (b) / 2, c = 3 / 4",
			"export const a = (b) / 2, c = 3 / 5",
			"c ?c",
		],
		[
			"a quote in a regular expression opens no text",
			"export const a: B = /['\"`/]/.exec(c)\nexport type D = 1",
			"export const a: B = /['\"`]/.exec(c)\nexport type D = 2",
			"D",
		],
		[
			"a return type in brackets is no list of parameters",
			"export const a = (b: B): (C | D) => b.c",
			"export const a = (b: B): (C | D) => b.d",
			"",
		],
		[
			"a line of a template that looks like a declaration is none",
			"export const a = `\nexport const b: C = 1\n`",
			"export const a = `\nexport const b: C = 2\n`",
			"a ?a",
		],
		[
			"a quote in a regular expression before such a template opens no text",
			"export const r = /`/\nexport const a = `\nexport const b: C = 1\n`",
			"export const r = /`/\nexport const a = `\nexport const b: C = 2\n`",
			"a ?a",
		],
		[
			"a declaration that begins in the line before is read to its end",
			"export const a = (b: B) =>\nfunction () { return 1 }",
			"export const a = (b: B) =>\nfunction () { return 2 }",
			"a ?a",
		],
		[
			"a quote in a type that is a template ends no text",
			"export type A = `\\`b\\``\nexport type C = A",
			"export type A = `\\`d\\``\nexport type C = A",
			"A C",
		],
		[
			"the variance of a type parameter is visible",
			"export interface A<in T> {}",
			"export interface A<in out T> {}",
			"A",
		],
		["a star of types is no star of values", "export type * from './a'", "export * from './a'", "*"],
		[
			"a call signature on a line of its own is one",
			"export interface A {\n\t(b: B): C\n\t<D>(e: D): F\n}\nexport type G = 1",
			"export interface A {\n\t(b: B): C\n\t<D>(e: D): F\n}\nexport type G = 2",
			"G",
		],
		[
			"`return` on a line of its own returns nothing",
			"export function a() { return\n1 }",
			"export function a() { return 1 }",
			"a ?a",
		],
		["a type may end directly before its value", "export let a: B<C>= 1", "export let a: B<C>= 2", ""],
		[
			"a member's line break may stand for a semicolon",
			"export class A {\n\tb = 1\n\tc = 2\n}",
			"export class A {\n\tb = 1\n\tc = 3\n}",
			"A ?A.c",
		],
	]);

	describe("members of a class", () => {
		check("/p/shop.ts", [
			[
				"a method with a return type hides its body",
				"export class A { b(c: C): D { return 1 } }",
				"export class A { b(c: C): D { return 2 } }",
				"",
			],
			[
				"a method without a return type is uncertain",
				"export class A<T> extends B<T> { static async b(c: C) { return 1 } }",
				"export class A<T> extends B<T> { static async b(c: C) { return 2 } }",
				"A ?A.b",
			],
			[
				"a constructor hides its body",
				"export class A { constructor(private b: B) { f() } }",
				"export class A { constructor(private b: B) { g() } }",
				"",
			],
			[
				"a constructor's parameters are visible",
				"export class A { constructor(private b: B) {} }",
				"export class A { constructor(readonly b: B) {} }",
				"A",
			],
			[
				"a property with a type hides its value",
				"export class A { readonly b?: B<C, D> = f(); #e = 1 }",
				"export class A { readonly b?: B<C, D> = g(); #e = 1 }",
				"",
			],
			[
				"a property without a type is uncertain",
				"export class A { b = 1; c = 2 }",
				"export class A { b = 1; c = 3 }",
				"A ?A.c",
			],
			[
				"a setter hides its body",
				"export class A { set b(c: C) { f() } }",
				"export class A { set b(c: C) { g() } }",
				"",
			],
			[
				"a getter is uncertain",
				"export class A { get b() { return 1 } set b(c: C) {} }",
				"export class A { get b() { return 2 } set b(c: C) {} }",
				"A ?A.b",
			],
			["a new member changes the class", "export class A {}", "export class A { b(): void {} }", "A"],
			[
				"a member that is called like a modifier is one",
				"export class A { get = 1; static() { return 1 } }",
				"export class A { get = 1; static() { return 2 } }",
				"A ?A.static",
			],
			[
				"a computed member is one as well",
				"export class A { [Symbol.iterator](): B { return 1 } [b]: C }",
				"export class A { [Symbol.iterator](): B { return 2 } [b]: D }",
				"A",
			],
			[
				"a static block of a class is not visible",
				"export class A { static { f() } b: B }",
				"export class A { static { g() } b: B }",
				"",
			],
			[
				"a member's name is no mention of what is called like it",
				"export type b = 1\nexport class A { b(): void {} }",
				"export type b = 2\nexport class A { b(): void {} }",
				"b",
			],
		]);
	});

	describe("files that others see without an import", () => {
		check("/p/shop.ts", [
			["a script's names are visible in all files", "function a(): B {}", "function a(): C {}", "a !"],
			[
				"a script that becomes a module removes its names for all files",
				"const a = 1",
				"const a = 1; export {}",
				"a !",
			],
			["an invisible change in a script stays invisible", "function a(): B {}", "function a(): B { f() }", ""],
			[
				"a global declaration is visible in all files",
				"export {}\ndeclare global { interface A { b: 1 } }",
				"export {}\ndeclare global { interface A { c: 1 } }",
				"A b c !",
			],
			[
				"an augmented module is visible in all files",
				"export {}\ndeclare module 'a' { interface B { c: 1 } }",
				"export {}\ndeclare module 'a' { interface B { c: 2 } }",
				"B c !",
			],
			[
				"the rest of a file with a global declaration is not visible in all files",
				"export const a = ''\ndeclare global { interface A { b: 1 } }",
				"export const a: B = ''\ndeclare global { interface A { b: 1 } }",
				"a",
			],
			[
				"the global name of a library is visible in all files",
				"export as namespace A",
				"export as namespace B",
				"A +B !",
			],
			[
				"a reference may bring in anything",
				"export const a = 1",
				'/// <reference types="b" />\nexport const a = 1',
				"* !",
			],
		]);
	});

	test("every name of a created file is added, and every name of a removed file has changed", async () => {
		const text = "export const a = 1\nconst b = 2\nexport type C = 1";
		expect(await effectOf("/p/a.ts", undefined, text)).toBe("+C +a");
		expect(await effectOf("/p/a.ts", text, undefined)).toBe("C a");
		expect(await effectOf("/p/a.ts", undefined, "export default 1")).toBe("+default");
		expect(await effectOf("/p/a.ts", "export default 1", undefined)).toBe("*");
		expect(await effectOf("/p/a.ts", undefined, "const a = 1")).toBe("+a !");
	});

	test("a default export that a file did not have may have any name", async () =>
		expect(await effectOf("/p/a.ts", "export {}", "export default 1")).toBe("*"));

	test("a signature that is the same ends an uncertain change and its consequences", async () => {
		const before = "function a() { return 1 }\nexport const b = () => a()\nexport const c = () => 1";
		const after = "function a() { return 1 + 1 }\nexport const b = () => a()\nexport const c = () => 2";
		expect(await effectOf("/p/a.ts", before, after)).toBe("b c ?a ?c");
		expect(await effectOf("/p/a.ts", before, after, { same: new Set(["a"]) })).toBe("c ?c");
		expect(await effectOf("/p/a.ts", before, after, { same: new Set(["a", "c"]) })).toBe("");
	});

	test("an uncertain declaration is found in both texts", async () => {
		const [before, after] = ["export class A { b() { return 1 } }", "// more\nexport class A { b() { return 2 } }"];
		const { uncertain } = await visibleChange("/p/a.ts", before, after);
		expect(uncertain).toEqual([{ path: "A.b", before: before.indexOf("b("), after: after.indexOf("b(") }]);
	});

	test("a file of declarations exports all of them", async () => {
		expect(
			await effectOf("/p/a.d.ts", "declare const a: B\nexport type C = 1", "declare const a: D\nexport type C = 1"),
		).toBe("a");
	});

	test("an element does not hide the code after it", async () => {
		const text = (type: string) =>
			`export const A = <T,>(b: T): C => <div title="it's">Don't {b && <B />}<p>{'}'}</p></div>\nexport type D = ${type}`;
		expect(await effectOf("/p/a.tsx", text("1"), text("2"))).toBe("D");
		expect(await effectOf("/p/a.tsx", text("1"), text("1").replace("Don't", "Do"))).toBe("");
	});

	test("an element's own text is a part of a body that may be visible", async () => {
		expect(await effectOf("/p/a.tsx", "export const A = () => <p>it's</p>", "export const A = () => <p>its</p>")).toBe(
			"A ?A",
		);
	});
});

describe("JavaScript", () => {
	check("/p/shop.js", [
		[
			"a comment with a type is visible",
			"/** Adds.\n * @param {A} a */\nexport function b(a) {}",
			"/** Adds.\n * @param {B} a */\nexport function b(a) {}",
			"b",
		],
		[
			"a comment without a type is not visible",
			"/** Adds. */\nexport function b(a) {}",
			"/** Adds two. */\nexport function b(a) {}",
			"",
		],
		[
			"a type in a comment is a name",
			"/** @typedef {{ a: 1 }} A */\nexport {}",
			"/** @typedef {{ a: 2 }} A */\nexport {}",
			"A",
		],
		[
			"a property that a constructor assigns is a member",
			"export class A { constructor() { this.b = 1 } }",
			"export class A { constructor() { this.b = '' } }",
			"A",
		],
		[
			"every name of a module of CommonJS is visible",
			"const a = require('a')\nfunction b() { return 1 }",
			"const a = require('a')\nfunction b() { return 2 }",
			"b ?b",
		],
		[
			"a name of its exports is one",
			"exports.a = () => 1\nexports.b = 1",
			"exports.a = () => 2\nexports.b = 1",
			"a ?exports.a",
		],
		[
			"a list of exports has names",
			"function a() {}\nmodule.exports = { a, b: a }",
			"function a(c) {}\nmodule.exports = { a, b: a }",
			"a b",
		],
		[
			"any other export has any name",
			"module.exports = function () { return 1 }",
			"module.exports = function () { return 2 }",
			"*",
		],
		[
			"a string with the start of a comment does not end a module of CommonJS",
			"find('src/*')\nexports.a = () => 1",
			"find('src/*')\nexports.a = () => 2",
			"a ?exports.a",
		],
		["a private name of a module is private here as well", "export {}; const a = 1", "export {}; const a = 2", ""],
	]);
});

describe("Python", () => {
	check("/p/shop.py", [
		[
			"the body of a function with a return type is not visible",
			"def a(b: B) -> C:\n    return 1\n",
			"def a(b: B) -> C:\n    return 2\n",
			"",
		],
		["the head of a function is visible", "def a(b: B) -> C: ...", "def a(b: B = D) -> C: ...", "a"],
		[
			"the body of a function without a return type may be visible",
			"def a(b):\n    return 1\n\nc = 1",
			"def a(b):\n    return 2\n\nc = 1",
			"a ?a",
		],
		[
			"the indentation of a line is visible",
			"def a(b):\n    if b:\n        b()\n        return 1\n",
			"def a(b):\n    if b:\n        b()\n    return 1\n",
			"a ?a",
		],
		[
			"a docstring is not visible",
			'def a(b):\n    """One."""\n    return 1\n',
			'"""All."""\ndef a(b):\n    """Two."""\n    return 1\n',
			"",
		],
		["a comment is not visible", "a = 1", "# b\na = 1  # c", ""],
		["a comment with a type is visible", "a = []  # type: List[int]", "a = []  # type: List[str]", "a ?a"],
		["the value of a variable with a type is not visible", "a: B = 1", "a: B = 2", ""],
		[
			"the value of a variable with a type narrows what the module infers from the variable",
			"a: B = 1\nc = a\nd: E = a",
			"a: B = 2\nc = a\nd: E = a",
			"c ?c",
		],
		["the value of a variable without a type may be visible", "a = 1\nb = 2", "a = 1\nb = 3", "b ?b"],
		["a name with an underscore is visible", "_a = 1", "_a = ''", "_a ?_a"],
		["a value that is a type is visible as a whole", "A = namedtuple('A', 'b')", "A = namedtuple('A', 'b c')", "A"],
		["a constant without a type of its own is uncertain", "a: Final = 1", "a: Final = 2", "a ?a"],
		["several targets change together", "a, (b, c.d) = e", "a, (b, c.d) = f", "a b"],
		["a decorator is visible", "@a\ndef b() -> C: ...", "@d\ndef b() -> C: ...", "b"],
		[
			"a condition around a name is visible",
			"if A:\n    b = 1\nelse:\n    b = 2\n",
			"if B:\n    b = 1\nelse:\n    b = 2\n",
			"b",
		],
		[
			"a block's names are those of the module",
			"try:\n    import a\nexcept E as b:\n    a = None\n",
			"try:\n    import a\nexcept E as b:\n    a = 1\n",
			"a ?a",
		],
		["a call at the top level is not visible", "a = 1\nprint(a)", "a = 1\nprint(a + 1)", ""],
		[
			"code that accesses the module itself may change all names",
			"a = 1\nglobals().update(b)",
			"a = 1\nglobals().update(c)",
			"* !",
		],
		[
			"a list of names changes those that it lists",
			"__all__ = ['a', 'b']\na = 1\nb = 2",
			"__all__ = ['a']\na = 1\nb = 2",
			"__all__ b",
		],
		[
			"a name that a function gives a value to has changed with it",
			"a = 1\ndef b() -> C:\n    global a\n    a = 2\n",
			"a = 1\ndef b() -> C:\n    global a\n    a = ''\n",
			"a",
		],
		["an import binds a name that importers may take", "from a import b as c, d", "from a import e as c, d", "c"],
		["an import of all names may bind any name", "from a import *\nfrom .b import *", "from a import *", "*"],
		["an import of all names from a nested module may bind any name", "from a.b import *\nc = 1", "c = 1", "*"],
		[
			"a class that follows an import has changed with it",
			"from a import A\nclass B(A): ...",
			"from c import A\nclass B(A): ...",
			"A B",
		],
		["a name that is new is added", "a = 1", "a = 1\ndef b() -> C: ...", "+b"],
		[
			"a type in quotes is mentioned",
			"def a() -> 'list[B]': ...\nclass B:\n    c: int\n",
			"def a() -> 'list[B]': ...\nclass B:\n    c: str\n",
			"B a",
		],
	]);

	describe("members of a class", () => {
		check("/p/shop.py", [
			[
				"a method with a return type hides its body",
				"class A(B):\n    def c(self) -> D:\n        return 1\n",
				"class A(B):\n    def c(self) -> D:\n        return 2\n",
				"",
			],
			[
				"a method without a return type is uncertain",
				"class A(B):\n    def c(self):\n        return 1\n",
				"class A(B):\n    def c(self):\n        return 2\n",
				"A ?A.c",
			],
			[
				"an attribute that a method assigns is uncertain",
				"class A:\n    def __init__(self) -> None:\n        self.b = 1\n",
				"class A:\n    def __init__(self) -> None:\n        self.b = ''\n",
				"A ?A.b",
			],
			[
				"an attribute with a type hides its value",
				"class A:\n    def b(self) -> None:\n        self.c: D = 1\n        f()\n",
				"class A:\n    def b(self) -> None:\n        self.c: D = 2\n        g()\n",
				"",
			],
			[
				"an attribute of a local variable changes with the body",
				"class A:\n    def b(self) -> None:\n        d = 1\n        self.c = d\n",
				"class A:\n    def b(self) -> None:\n        d = ''\n        self.c = d\n",
				"A ?A.c",
			],
			[
				"an attribute that comes changes the class",
				"class A:\n    def b(self) -> None:\n        f()\n",
				"class A:\n    def b(self) -> None:\n        self.c = 1\n",
				"A",
			],
			["the presence of a default of a field is visible", "class A:\n    b: int\n", "class A:\n    b: int = 0\n", "A"],
			[
				"the value of a default of a field is not visible",
				"class A:\n    b: int = 1\n",
				"class A:\n    b: int = 0\n",
				"",
			],
			[
				"the arguments of a field's own function are visible",
				"class A:\n    b: int = field(default=1)\n",
				"class A:\n    b: int = field(init=False)\n",
				"A",
			],
			[
				"a class within is a part of the one around it",
				"class A:\n    class Meta:\n        b = 1\n",
				"class A:\n    class Meta:\n        b = 2\n",
				"A ?A.Meta.b",
			],
		]);
	});
});

describe("Go", () => {
	const go = (text: string) => `package shop\n\n${text}\n`;
	test.each<Case>([
		["a body is not visible", "func A(b B) (C, error) {\n\treturn 1\n}", "func A(b B) (C, error) {\n\treturn 2\n}", ""],
		[
			"a result with braces is no body",
			"func a() interface{ B() } {\n\treturn 1\n}",
			"func a() interface{ C() } {\n\treturn 1\n}",
			"a",
		],
		[
			"a method changes its type and its own name",
			"type T struct{}\nfunc (t *T[K]) M(a A) {}",
			"type T struct{}\nfunc (t *T[K]) M(b B) {}",
			"M T",
		],
		["a method that comes changes its type", "type T struct{}", "type T struct{}\nfunc (t T) M() {}", "M T"],
		[
			"a declaration that mentions a type changes with it",
			"type t struct {\n\ta int\n}\nfunc B() *t { return nil }",
			"type t struct {\n\ta string\n}\nfunc B() *t { return nil }",
			"B t",
		],
		[
			"a variable with a type hides its value",
			"var (\n\ta map[string]B = f()\n\tb = 1\n)",
			"var (\n\ta map[string]B = g()\n\tb = 1\n)",
			"",
		],
		[
			"a variable without a type is uncertain",
			"var a = f(func() {\n\tb()\n})",
			"var a = f(func() {\n\tc()\n})",
			"a ?a",
		],
		[
			"a constant's value is visible",
			"const (\n\tA = iota\n\tB\n)\nconst C = 1",
			"const (\n\tA = iota + 1\n\tB\n)\nconst C = 1",
			"A B",
		],
		["the name of an import is followed", 'import b "x/a"\nfunc C(d b.D) {}', 'import b "y/a"\nfunc C(d b.D) {}', "C"],
		["an import that only bodies use is not visible", "func C() {}", 'import "fmt"\nfunc C() { fmt.Println() }', ""],
		[
			"a function that is never called by its name has no name",
			"func init() { f() }\nvar _ A = b",
			"func init() { g() }\nvar _ A = c",
			"",
		],
		["a declaration that cannot be named has no name", "var a B", "var a B\nvar _ A = b\nfunc init() { f() }", ""],
		[
			"each of several types in a group has its own change",
			"type (\n\tA struct{ a int }\n\tB = A\n\tC int\n)",
			"type (\n\tA struct{ b int }\n\tB = A\n\tC int\n)",
			"A B",
		],
		[
			"a quote in a character opens no text",
			"var a byte = '\"'\nvar b = `\"\n`",
			"var a byte = '\"'\nvar b = `'\n`",
			"b ?b",
		],
	])("%s", async (_, before, after, expected) =>
		expect(await effectOf("/p/shop.go", go(before), go(after))).toBe(expected),
	);

	test("a file's build constraint and its package affect all of it", async () => {
		expect(await effectOf("/p/a.go", "package a\nvar B C", "package b\nvar B C")).toBe("* !");
		expect(await effectOf("/p/a.go", "package a\nvar B C", "//go:build linux\n\npackage a\nvar B C")).toBe("* !");
	});
});

describe("C and C++", () => {
	check("/p/shop.h", [
		[
			"a body is not visible",
			"static inline int a(int b) { return 1; }",
			"static inline int a(int b) { return 2; }",
			"",
		],
		["a prototype is visible", "int a(int b);\nint c(void);", "int a(long b);\nint c(void);", "a"],
		[
			"a macro is visible as a whole",
			"#define A(b) \\\n\t(b)\nint c(void);",
			"#define A(b) \\\n\t(b + 1)\nint c(void);",
			"A",
		],
		[
			"a declaration that mentions a macro changes with it",
			"#define A 1\nextern int b[A];\nint c;",
			"#define A 2\nextern int b[A];\nint c;",
			"A b",
		],
		[
			"a macro has another meaning if a name in it is removed",
			"int a(int b);\n#define C(b) \\\n\t(a(b))\n#define D 1",
			"int e(int b);\n#define C(b) \\\n\t(a(b))\n#define D 1",
			"C a +e",
		],
		["an include may change all", '#include "a.h"\nint b;', '#include "c.h"\nint b;', "* !"],
		["a condition may change all", "#if A\nint b;\n#endif", "#if B\nint b;\n#endif", "* !"],
		[
			"branches that share a body do not hide what follows",
			"#if A\nint a(int b) {\n#else\nint a(void) {\n#endif\n}\nint c;",
			"#if A\nint a(int b) {\n#else\nint a(void) {\n#endif\n}\nlong c;",
			"c",
		],
		[
			"a structure and the name that it is given are two names",
			"typedef struct a { int b; } c_t;",
			"typedef struct a { long b; } c_t;",
			"a c_t",
		],
		[
			"a structure without a name has only the name that it is given",
			"typedef struct { int b; } c_t;\nvoid d(c_t *e);",
			"typedef struct { long b; } c_t;\nvoid d(c_t *e);",
			"c_t d",
		],
		["enumerators are names", "enum a { B, C = 2 };", "enum a { B, C = 3 };", "B C a"],
		["a variable's value is not visible", "static const int a = 1;", "static const int a = 2;", ""],
		["a pointer to a function is a name", "typedef int (*a)(int b);", "typedef int (*a)(long b);", "a"],
		[
			"code that cannot be parsed within a body is not visible",
			"int a(int b)\n{\n\treturn new(b);\n}\nint c;",
			"int a(int b)\n{\n\treturn new(b) + 1;\n}\nint c;",
			"",
		],
		[
			"a condition around a whole file hides nothing",
			"#ifndef X\n#define X\nint a(int b);\nstruct c {\n\tint d;\n};\nint e;\n#endif\n",
			"#ifndef X\n#define X\nint a(int b);\nstruct c {\n\tlong d;\n};\nint e;\n#endif\n",
			"c",
		],
		["a macro before a function does not hide its name", "API(x)\nint a(int b);", "API(x)\nint a(long b);", "API a"],
	]);
	check("/p/shop.hpp", [
		[
			"a class behind a macro shows its members",
			"class API A {\n public:\n  void b(int c);\n};",
			"class API A {\n public:\n  void b(long c);\n};",
			"A API b c public",
		],
		[
			"the bodies of methods behind a macro are not visible",
			"class API A {\n public:\n  int b() { return 1; }\n};",
			"class API A {\n public:\n  int b() { return 2; }\n};",
			"",
		],
		[
			"an enumeration behind a macro shows its members",
			"enum class API A { B, C };",
			"enum class API A { B, D };",
			"A API B C +D",
		],
		[
			"a macro that opens a block shows what stands in it",
			"SPACE(a) {\nclass B { int c; };\n}",
			"SPACE(a) {\nclass B { long c; };\n}",
			"B SPACE a c",
		],
		[
			"a macro before a class does not hide its name",
			"BEGIN(a)\nclass B {\n  int c(int d) const API { return 1; }\n};",
			"BEGIN(a)\nclass B {\n  int c(long d) const API { return 1; }\n};",
			"API B BEGIN a c d",
		],
		[
			"a method's body in its class is not visible",
			"class A : B<C> { public: int d() const { return 1; } int e; };",
			"class A : B<C> { public: int d() const { return 2; } int e; };",
			"",
		],
		[
			"the members of a class are visible",
			"class A { int d(); struct E { int f; } g; };",
			"class A { int d(); struct E { long f; } g; };",
			"A",
		],
		[
			"a constructor's list of values is a part of its body",
			"struct A { A() : b{1}, c(2) { f(); } int b, c; };",
			"struct A { A() : b{2}, c(3) { g(); } int b, c; };",
			"",
		],
		[
			"a template is visible as a whole",
			"template <typename T> T a(T b) { return b; }",
			"template <typename T> T a(T b) { return c; }",
			"a",
		],
		[
			"a function whose body gives its type is visible as a whole",
			"auto a() { return 1; }\nconstexpr int b() { return 1; }",
			"auto a() { return 2; }\nconstexpr int b() { return 2; }",
			"a b",
		],
		[
			"the names in a namespace are names",
			"namespace n::m { int a(int b); int c; }",
			"namespace n::m { int a(long b); int c; }",
			"a",
		],
		[
			"a template in a class is visible as a whole",
			"struct A { template <class T> T b(T c) { return c; } };",
			"struct A { template <class T> T b(T c) { return d; } };",
			"A",
		],
		[
			"a method that is defined outside of its class hides its body",
			"A::A(int b) : c{b} { f(); }\nvoid A::d() { f(); }",
			"A::A(int b) : c{b} { g(); }\nvoid A::d() { g(); }",
			"",
		],
		["a raw text may hold anything", 'auto a = R"x(")" })x";\nint b;', 'auto a = R"x(")" })x";\nlong b;', "b"],
	]);
	check("/p/shop.c", [
		[
			"a condition behind a macro may change all",
			"BEGIN\n#if A\nint b;\n#endif",
			"BEGIN\n#if B\nint b;\n#endif",
			"* !",
		],
		[
			"a static function of a source is private",
			"static int a(int b) { return 1; }\nint c;",
			"static int a(long b) { return 1; }\nint c;",
			"",
		],
	]);
});

describe("Rust", () => {
	check("/p/shop.rs", [
		["a body is not visible", "pub fn a<'a>(b: &'a B) -> C { '\\'' }", "pub fn a<'a>(b: &'a B) -> C { 'x' }", ""],
		["a head is visible", "pub fn a(b: B) {}", "pub fn a(b: &B) {}", "a !"],
		[
			"a method changes its type and its own name",
			"impl<T> fmt::Display for A<T> { fn b(&self) {} }",
			"impl<T> fmt::Display for A<T> { fn b(&mut self) {} }",
			"A b !",
		],
		[
			"a method of a trait with a body need not be written",
			"trait A { fn b(&self); }",
			"trait A { fn b(&self) {} }",
			"A b !",
		],
		["a variant changes its enumeration", "enum A { B, C(D) }", "enum A { B, C(E) }", "A B C !"],
		["an attribute is visible", "#[derive(Debug)]\nstruct A(B);", "#[derive(Clone)]\nstruct A(B);", "A !"],
		[
			"a function within a constant's value decides the value",
			"const A: usize = { const fn b() -> usize { 1 } b() };",
			"const A: usize = { const fn b() -> usize { 2 } b() };",
			"A !",
		],
		[
			"a constant's value is visible, and a static's is not",
			"const A: usize = 1;\nstatic B: u8 = 1;",
			"const A: usize = 2;\nstatic B: u8 = 2;",
			"A !",
		],
		[
			"tests are not visible",
			"#[cfg(test)]\nmod tests { fn a() {} }\n#[test]\nfn b() {}",
			"#[cfg(test)]\nmod tests { fn a(c: C) {} }\n#[test]\nfn b(c: C) {}",
			"",
		],
		["a macro is visible as a whole", "macro_rules! a { () => { 1 } }", "macro_rules! a { () => { 2 } }", "a !"],
		[
			"a macro has another meaning if a name in it is removed",
			"pub fn a() {}\nmacro_rules! b { () => { a() } }",
			"pub fn c() {}\nmacro_rules! b { () => { a() } }",
			"a b +c !",
		],
		[
			"each name of a tree of imports has its own change",
			"pub use a::{b, c::{d, e as f}};",
			"pub use a::{b, g::{d}};",
			"d f !",
		],
		[
			"a raw text and a comment in a comment hold anything",
			'const A: &str = r#"" { "#; /* /* { */ */\nstruct B;',
			'const A: &str = r#"" { "#;\nstruct B(C);',
			"B !",
		],
	]);
});

describe("texts that cannot be parsed", () => {
	test("include a script whose brackets do not match, which may have changed any name", async () => {
		expect(await visibleChange("/p/a.ts", "export const a = 1", "export const a = (1")).toMatchObject({
			changed: undefined,
			everywhere: false,
		});
		expect(await visibleChange("/p/a.ts", "const a = 1", "const a = `1")).toMatchObject({
			changed: undefined,
			everywhere: true,
		});
	});

	test("do not change by white space", async () => {
		expect((await visibleChange("/p/a.ts", "export const a = (", "export  const a =\n(")).nothing).toBe(true);
		expect((await visibleChange("/p/Shop.java", "class Shop {}", "class  Shop\n{}")).nothing).toBe(true);
	});

	test("include Objective-C, which has changed by the names in the lines that differ", async () => {
		const before = "@interface A : B\n- (void)c;\n@end\nint d;";
		expect(await effectOf("/p/shop.m", before, before.replace("void", "int"))).toBe("c shop !");
	});

	test("have changed by the words of the lines that differ, without those that every file has", async () => {
		const before = "class Shop {\n\tint total() { return 1; }\n}\n";
		const { changed, gone, everywhere } = await visibleChange(
			"/p/Shop.java",
			before,
			before.replace("int total", "long sum"),
		);
		expect([...(changed ?? [])].sort()).toEqual(["Shop", "sum", "total"]);
		expect([...gone]).toEqual(["total"]);
		expect(everywhere).toBe(true);
	});

	test("do not lose a word that is still elsewhere in the text", async () => {
		const before = "class Shop {\n\tint total() { return 1; }\n\tint all() { return total(); }\n}\n";
		const { gone } = await visibleChange("/p/Shop.java", before, before.replace("int total", "int sum"));
		expect([...gone]).toEqual([]);
	});

	test("have no visible change by words of PHP that name nothing of a file", async () => {
		const before = "<?php\nclass Shop {\n\tfunction total() { return self::sum($this); }\n}\n";
		const { changed } = await visibleChange("/p/Shop.php", before, before.replace("sum", "all"));
		expect([...(changed ?? [])].sort()).toEqual(["Shop", "all", "sum", "total"]);
	});
});

describe("the names that a file exports from its imports", () => {
	const passed = async (path: string, text: string, ...names: string[]) => {
		const found = await passedOn(path, text, new Set(names));
		return found ? [...found].sort().join(" ") : "*";
	};
	test.each([
		[
			"a declaration whose visible text mentions the name",
			"import { a } from './a'\nexport type B = a\nexport const c: D = a",
			"B",
		],
		[
			"the name that an import gives it",
			"import { a as x, b } from './a'\nexport const c = () => x()\nexport const d = () => b()",
			"c",
		],
		["nothing if only bodies use it", "import { a } from './a'\nexport function b(): C { return a() }", ""],
		[
			"nothing for a name of its own that is called like it",
			"import { b } from './a'\nconst a = 1\nexport const c = () => a",
			"",
		],
		["a name that it exports again", "export { a as b, c } from './a'", "b"],
		["the same names through a star", "export * from './a'", "a"],
		["a namespace by its own name", "export * as all from './a'", "all"],
		[
			"a type that takes the name from a namespace",
			"import * as all from './a'\nexport type B = all.a\nexport type C = all.c",
			"B",
		],
		["a constant that uses a namespace as a whole", "import * as all from './a'\nexport const b = all", "b"],
		["a type with an inline import", "export type B = import('./a').a\nexport type C = import('./a').c", "B C"],
		["any name if it is the default export", "import { a } from './a'\nexport default () => a()", "*"],
		["a global name", "export type B = a", "B"],
	])("in TypeScript: %s", async (_, text, expected) => expect(await passed("/p/b.ts", text, "a")).toBe(expected));

	test("are the imports and their users in a Python module", async () => {
		expect(await passed("/p/b.py", "from a import a as x, c\ndef d() -> x: ...\ne: c = 1", "a")).toBe("d x");
		expect(await passed("/p/b.py", "from a import *\n", "a")).toBe("a");
		expect(await passedOn("/p/b.py", "from .a import *\n", undefined)).toBeUndefined();
		expect(await passed("/p/b.py", "def d() -> C:\n    from a import a\n", "a")).toBe("");
	});

	test("are those of the declarations that mention the name in a file of Go", async () =>
		expect(await passed("/p/b.go", 'package b\nimport "x/a"\nfunc B() a.A { return 1 }\nfunc C() { a.A() }', "A")).toBe(
			"B",
		));

	test("are none for no names", async () => expect(await passed("/p/b.ts", "export type B = a")).toBe(""));

	test("are, for any name, all exports that mention a name from outside of the file", async () => {
		const found = await passedOn(
			"/p/b.ts",
			"import { a } from './a'\nexport type B = a\ntype C = 1\nexport const d: C = 1",
			undefined,
		);
		expect([...(found ?? [])]).toEqual(["B"]);
		expect(await passedOn("/p/b.ts", "export * from './a'", undefined)).toBeUndefined();
	});

	test("are any names for a file that cannot be parsed", async () => {
		expect(await passedOn("/p/b.vue", "<template />", new Set(["a"]))).toBeUndefined();
		expect(await passedOn("/p/b.ts", "const b = (a", new Set(["a"]))).toBeUndefined();
	});
});

describe("a long text is read in slices", () => {
	const text = Array.from({ length: 2000 }, (_, at) => `export const a${at}: B${at} = () => { return c(d, e) }\n`).join(
		"",
	);
	/** The number of turns of the event loop during some work. */
	const turnsDuring = async (work: () => Promise<unknown>) => {
		await work();
		let turns = 0;
		let isDone = false;
		const count = () => {
			turns++;
			if (!isDone) setImmediate(count);
		};
		setImmediate(count);
		await work().finally(() => {
			isDone = true;
		});
		return turns;
	};

	test("the event loop has its turn while two texts of 2,000 exports are compared", async () => {
		const other = text.replaceAll(": B", ": C");
		expect(await turnsDuring(() => visibleChange("/p/a.ts", text, other))).toBeGreaterThan(5);
	});

	test("a caller that waits for an answer goes before the rest of the file's exports", async () => {
		let asked = 0;
		const mayGoOn = async () => void asked++;
		expect(await turnsDuring(() => passedOn("/p/a.ts", text, undefined, mayGoOn))).toBeGreaterThan(5);
		expect(asked).toBeGreaterThan(5);
	});
});

describe("hashes of tokens", () => {
	test.each([
		["/p/a.ts", "export const a = 1 // b", "export  const a =\n\t1", true],
		["/p/a.ts", "const a = 1", "// @ts-expect-error\nconst a = 1", false],
		["/p/a.ts", "return a", "return\na", false],
		["/p/a.py", "if a:\n    b()\nc()", "if a:\n    b()\n    c()", false],
		["/p/a.py", "a(b,\n  c)", "a(b, c)  # d", true],
		["/p/a.java", "class A { }", "class A {\n}", true],
		["/p/a.ts", "interface A { b: B\n['c']: D }", "interface A { b: B['c']: D }", false],
		["/p/a.ts", "class A { async\nb() {} }", "class A { async b() {} }", false],
		["/p/a.ts", "let a = b\n++c", "let a = b++\nc", false],
		["/p/a.ts", "let a = b + +c", "let a = b++c", false],
		["/p/a.ts", "let a = typeof/**/b", "let a = typeofb", false],
		["/p/a.ts", "let a = () => /x\\//.test(b) ? 1 : 2", "let a = () => /x\\//.test(b) ? 1 : 3", false],
		["/p/a.ts", "let a = () => /[^/*]/.test(b)\nlet c = 1", "let a = () => /[^/*]/.test(b)\nlet c = 2", false],
		["/p/a.ts", "a = b => /[^/*]/\nlet c = 1\n/** d */", "a = b => /[^/*]/\nlet c = 2\n/** d */", false],
		["/p/a.ts", "if (a) /[^/*]/.test(b)\nlet c = 1", "if (a) /[^/*]/.test(b)\nlet c = 2", false],
		["/p/a.ts", "type A = `b  c`", "type A = `b c`", false],
		["/p/a.ts", "type A = `\x24{`b  c`}`", "type A = `\x24{`b c`}`", false],
		["/p/a.tsx", "let a = <b>c // d</b>", "let a = <b>c // e</b>", false],
		["/p/a.js", "/** @type {B} */\nlet a = 1", "/** @type {C} */\nlet a = 1", false],
		["/p/a.js", "/** B */\nlet a = 1", "/** C */\nlet a = 1", true],
		["/p/a.py", "if a:\n    b()", "if a:\n  # d\n    b()", true],
		["/p/a.py", "a = 1  # type: int", "a = 1  # type: str", false],
		["/p/a.go", "type A struct { B\nC }", "type A struct { B C }", false],
		["/p/a.go", "//go:build a\npackage b", "//go:build c\npackage b", false],
		["/p/a.h", "#define A (b)", "#define A(b)", false],
		["/p/a.h", "#define A b\nint c;", "#define A b int c;", false],
	])("%s: %s and %s", (path, a, b, same) => expect(meaningOf(path, a) === meaningOf(path, b)).toBe(same));
});

describe("real sources", () => {
	const files = [
		"impact/outline/outline.ts",
		"impact/outline/read-script.ts",
		"impact/compare.ts",
		"lsp/server.ts",
		"pool/pool.ts",
		"watch/tree-watcher.ts",
	];
	test.each(files)("%s has no visible change by a comment, folded lines or another body", async (name) => {
		const path = join(REPOSITORY, "src", name);
		const text = readFileSync(path, "utf8");
		const same = [
			`// A comment.\n${text}`,
			text.replaceAll("\n\n", "\n/* A comment. */\n"),
			text.replaceAll("\t", "  "),
			text.replaceAll("\n", "\r\n"),
			text.replaceAll(/\): void \{\n/g, "): void {\n\tconst other = 1;\n"),
		];
		for (const each of same) {
			expect(await effectOf(path, text, each)).toBe("");
			expect(await effectOf(path, each, text)).toBe("");
		}
		const exported = [
			...text.matchAll(/^export (?:abstract )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm),
		];
		const { added } = await visibleChange(path, undefined, text);
		expect([...added]).toEqual(expect.arrayContaining(exported.map(([, each]) => each)));
	});
});

test("a text on which the parser's recovery from errors takes minutes is given up, and any name may have changed", async () => {
	for (const [file, piece] of [
		["a.go", "`"],
		["a.ts", "("],
	] as const) {
		const text = piece.repeat(400_000 / piece.length);
		const change = await visibleChange(`/p/${file}`, text, `${text}b`);
		expect(change).toMatchObject({ nothing: false, changed: undefined });
	}
});
