import { describe, expect, test } from "vitest";
import {
	hasImports,
	importsOf,
	isScript,
	isSeenByImporters,
	merges,
	passesOn,
	star,
} from "../../../src/impact/index/imports.ts";

function keysOf(text: string, path: string): string[] {
	return [...importsOf(text, path).keys()];
}

/** The keys that have all of some bits. */
function keysWith(bits: number, text: string, path: string): string[] {
	return [...importsOf(text, path)].flatMap(([key, has]) => ((has & bits) === bits ? key : []));
}

describe("the imports of a script", () => {
	test.each([
		['import { a } from "./a.js";', ["/p/src/a"]],
		["import './side.css'", ["/p/src/side"]],
		['import data from "./data.json" with { type: "json" };', ["/p/src/data"]],
		['import a, { type B } from "../lib/index";', ["/p/lib"]],
		['import * as all from "..";', ["/p"]],
		['const a = require("./a");\nconst b = await import("./b.mjs");', ["/p/src/a", "/p/src/b"]],
		['const b = import(/* webpackChunkName: "b" */ "./b");', ["/p/src/b"]],
		["const b = await import(`./b`);", ["/p/src/b"]],
		['import a = require("./old.cjs");', ["/p/src/old"]],
		['type T = typeof import("./types.d.ts");', ["/p/src/types"]],
		['/// <reference path="./globals.d.ts" />\n/// <reference types="@acme/types" />', ["/p/src/globals", "types"]],
		['declare module "./a" {\n\tinterface A {}\n}', ["/p/src/a"]],
		[
			'import x from "@app/shop/cart.js";\nimport y from "#config";\nimport z from "lodash";',
			["cart", "config", "lodash"],
		],
		['import {\n\ta,\n\tb,\n} from "./many.ts";', ["/p/src/many"]],
		['import raw from "./a.txt?raw";', ["/p/src/a.txt"]],
		['export\n  * from "./a";', ["/p/src/a"]],
		["const from = 'x'; const path = './y';", []],
		["/**\n * @example\n * import { a } from './example';\n */\n// import './old';", []],
	])("%s", (text, keys) => expect(keysOf(text, "/p/src/user.ts")).toEqual(keys));

	test("include types that a comment imports in JavaScript, where they have an effect", () => {
		const text = "/**\n * @import { A } from './a'\n * @type {import('./b').B}\n * import './c';\n */";
		expect(keysOf(text, "/p/user.js").sort()).toEqual(["/p/a", "/p/b"]);
		expect(keysOf(text, "/p/user.ts")).toEqual([]);
	});

	test.each([
		['export * from "./a.js";', ["/p/src/a"]],
		['export * as ns from "./a.js";', ["/p/src/a"]],
		['export { a, b as c } from "./a.js";\nexport type { T } from "@x/types";', ["/p/src/a", "types"]],
		['module.exports = require("./a");\nexports.b = require("./b");', ["/p/src/a", "/p/src/b"]],
		['module.exports = { ...require("./a"), ...require("./b") };', ["/p/src/a", "/p/src/b"]],
		['import * as ns from "./a.js";\nexport { ns };', ["/p/src/a"]],
		['import * as ns from "./a.js";\nexport default ns;', ["/p/src/a"]],
		['import * as ns from "./a.js";\nexport const all = { ns, other: 1 };', ["/p/src/a"]],
		['import * as ns from "./a.js";\nexport const b = ns.a;\nns.c();', []],
		['import { a } from "./a.js";\nexport const b = a;', []],
	])("are re-exported or not: %s", (text, keys) => expect(keysWith(passesOn, text, "/p/src/user.ts")).toEqual(keys));

	test("include all names of a star, and only a plain star puts them among the file's own", () => {
		const text =
			'export * from "./a";\nexport * as b from "./b";\nexport { c } from "./c";\nimport * as d from "./d";\n';
		expect(keysWith(star, text, "/p/x.ts")).toEqual(["/p/a", "/p/b"]);
		expect(keysWith(merges, text, "/p/x.ts")).toEqual(["/p/a"]);
	});
});

describe("the imports of a Python module", () => {
	test.each([
		["import os, app.models as m", ["os", "app/models", "app"]],
		["from app.models import User, Item as I", ["app/models", "app/models/User", "app/models/Item"]],
		[
			"from .models import (\n    User,  # the person\n    Item,\n)",
			["/p/src/models", "/p/src/models/User", "/p/src/models/Item"],
		],
		["from . import models", ["/p/src", "/p/src/models"]],
		["from .import models", ["/p/src", "/p/src/models"]],
		["from ..lib.tools import *", ["/p/lib/tools"]],
		["from a import b, \\\n    c", ["a", "a/b", "a/c"]],
		["if typing: from a import b; import c", ["a", "a/b", "c"]],
		["m = importlib.import_module('app.plugins.one')", ["app/plugins/one"]],
		["fromage = 1\nimportant = 2", []],
	])("%s", (text, keys) => expect(keysOf(text, "/p/src/user.py").sort()).toEqual(keys.sort()));

	test("are re-exported by a star, and not by a name", () => {
		const text = "from .a import *\nfrom .b import c\n";
		for (const bits of [star, passesOn, merges])
			expect(keysWith(bits, text, "/p/src/__init__.py")).toEqual(["/p/src/a"]);
	});
});

test("a header is re-exported with all its names by each file that includes it", () => {
	const text = '#include "shape.h"\n#  include <lib/area.hpp>\n#include "../up.h"\n';
	const keys = ["/p/src/shape.h", "shape.h", "/p/src/lib/area.hpp", "lib/area.hpp", "/p/up.h", "up.h"];
	expect(keysOf(text, "/p/src/a.h")).toEqual(keys);
	expect(keysWith(star | passesOn | merges, text, "/p/src/a.h")).toEqual(keys);
});

test("the files of a Go package see each other, and the names of a dot import are among their own", () => {
	const text = 'package shop\n\nimport (\n\t"fmt"\n\tx "example.com/m/cart"\n\t. "example.com/m/dot" // (all)\n)\n';
	expect(keysOf(text, "/p/shop/a.go")).toEqual(["/p/shop", "fmt", "example.com/m/cart", "example.com/m/dot"]);
	expect(keysWith(star | merges, text, "/p/shop/a.go")).toEqual(["/p/shop", "example.com/m/dot"]);
	expect(keysWith(passesOn, text, "/p/shop/a.go")).toEqual([]);
	expect(keysOf('import "a/b"\nimport c "d"\nimport ("e")\n', "/p/x.go")).toEqual(["/p", "a/b", "d", "e"]);
});

describe("the references of a data file", () => {
	test.each([
		["a.json", '{ "$schema": "./schemas/app.json#/x", "port": 1 }', ["/p/src/schemas/app.json"]],
		["a.json", '{ "$schema": "https://json-schema.org/draft-07/schema#" }', []],
		["a.json", '{ "$ref": "#/definitions/a", "x": { "$ref": "port.json#/definitions/a" } }', ["/p/src/port.json"]],
		["a.json", '{ "$schema": "file:///p/schema.json" }', ["/p/schema.json"]],
		["a.yaml", "# yaml-language-server: $schema=../schema.json\nport: 1\n", ["/p/schema.json"]],
		["a.yaml", "# $schema: ../schema.json\nport: 1\n", ["/p/schema.json"]],
		["a.toml", "#:schema ./schemas/app.json\nport = 1\n", ["/p/src/schemas/app.json"]],
		["a.toml", '#:schema https://x.example/a.json\na = "#:schema no.json"\n', []],
		["a.yml", "$schema: schema.json # own\nport: 1\n", ["/p/src/schema.json"]],
		["a.yml", "$schema: 'a schema.json'\nlist: { $ref: part.yaml }\n", ["/p/src/a schema.json", "/p/src/part.yaml"]],
	])("%s: %s", (name, text, keys) => expect(keysOf(text, `/p/src/${name}`)).toEqual(keys));

	test("are part of a schema if a schema refers to them", () => {
		const text = '{ "$schema": "./meta.json", "$ref": "./part.json" }';
		expect(keysWith(star | passesOn, text, "/p/a.json")).toEqual(["/p/part.json"]);
	});
});

test("a text that is no code is read to its end", () => {
	importsOf(`export {${" a,".repeat(100_000)}`, "/p/a.ts");
	importsOf(`import * as a from "./a";\n${"a ".repeat(100_000)}`, "/p/a.ts");
	importsOf("export { ".repeat(5_000), "/p/a.ts");
	importsOf(`from x import (${"a, ".repeat(100_000)}`, "/p/a.py");
	importsOf("import (\n".repeat(5_000), "/p/a.go");
	expect(keysOf(`import { ${"a, ".repeat(1000)} } from "./a";`, "/p/b.ts")).toEqual(["/p/a"]);
});

test("a module is seen by its importers alone, a plain script by every file", () => {
	const seen = (path: string, ...texts: (string | undefined)[]) => isSeenByImporters(path, texts);
	expect(seen("/p/a.ts", "export const a = 1;\n", undefined)).toBe(true);
	expect(seen("/p/a.ts", "const a = 1;\n")).toBe(false);
	expect(seen("/p/a.ts", "export {};\ndeclare global {\n\tvar a: 1;\n}\n")).toBe(false);
	expect(seen("/p/a.mts", "const a = 1;\n")).toBe(true);
	expect(seen("/p/a.js", "module.exports = { a: 1 };\n")).toBe(true);
	expect(seen("/p/a.ts", "export const a = 1;\n", "const a = 1;\n")).toBe(false);
	expect(seen("/p/a.py", "a = 1\n")).toBe(false);
});

test("imports are read only in files of known languages", () => {
	expect(["a.tsx", "a.vue", "a.pyi", "a.hpp", "a.go", "a.json", "a.yml", "a.toml"].every(hasImports)).toBe(true);
	expect(["a.java", "a.rs", "a", "a.b/c"].some(hasImports)).toBe(false);
	expect([isScript("a.d.mts"), isScript("a.svelte"), isScript("a.json")]).toEqual([true, true, false]);
});
