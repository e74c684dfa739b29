import { describe, expect, test } from "vitest";
import { importsOf, keysOf } from "../../src/diagnostics/imports.ts";
import { Directories } from "../../src/workspace/directories.ts";
import { withWorkspace } from "../support/workspace.ts";

describe("what a text imports", () => {
	test.each([
		['import { a } from "./a.js";', ["/p/src/a"]],
		["import './side.css'", ["/p/src/side"]],
		['import a, { type B } from "../lib/index";', ["/p/lib"]],
		['import * as all from "..";', ["/p"]],
		['const a = require("./a");\nconst b = await import("./b.mjs");', ["/p/src/a", "/p/src/b"]],
		['import a = require("./old.cjs");', ["/p/src/old"]],
		['type T = typeof import("./types.d.ts");', ["/p/src/types"]],
		['/// <reference path="./globals.d.ts" />', ["/p/src/globals"]],
		[
			'import x from "@app/shop/cart.js";\nimport y from "#config";\nimport z from "lodash";',
			["cart", "config", "lodash"],
		],
		['import {\n\ta,\n\tb,\n} from "./many.ts";', ["/p/src/many"]],
		['import raw from "./a.txt?raw";', ["/p/src/a.txt"]],
		["const from = 'x';", []],
	])("%s", (text, keys) => expect([...importsOf(text, "/p/src/user.ts").keys]).toEqual(keys));

	test.each([
		['export * from "./a.js";', ["/p/src/a"]],
		['export * as ns from "./a.js";', ["/p/src/a"]],
		['export { a, b as c } from "./a.js";\nexport type { T } from "@x/types";', ["/p/src/a", "types"]],
		['import { a } from "./a.js";\nexport const b = a;', []],
	])("and passes on: %s", (text, keys) => expect([...importsOf(text, "/p/src/user.ts").passedOn]).toEqual(keys));

	test.each([
		["import os, app.models as m", ["os", "models", "as", "m"]],
		["from app.models import User, Item as I", ["models", "User", "Item", "I"]],
		[
			"from .models import (\n    User,  # the person\n    Item,\n)",
			["/p/src/models", "/p/src/models/User", "/p/src/models/Item"],
		],
		["from . import models", ["/p/src", "/p/src/models"]],
		["from ..lib.tools import *", ["/p/lib/tools"]],
	])("in Python: %s", (text, keys) => expect([...importsOf(text, "/p/src/user.py").keys]).toEqual(keys));

	test("a star passes on in Python, a name does not", () => {
		const { passedOn } = importsOf("from .a import *\nfrom .b import c\n", "/p/src/__init__.py");
		expect([...passedOn]).toEqual(["/p/src/a"]);
	});

	test("a header is passed on by whoever includes it", () => {
		const { keys, passedOn } = importsOf('#include "shape.h"\n#  include <lib/area.hpp>\n', "/p/src/a.h");
		expect([...keys]).toEqual(["/p/src/shape", "shape", "/p/src/lib/area", "area"]);
		expect([...passedOn]).toEqual([...keys]);
	});

	test("the files of a Go package see each other", async () => {
		const text = 'package shop\n\nimport (\n\t"fmt"\n\tx "example.com/m/cart"\n)\n';
		expect([...importsOf(text, "/p/shop/a.go").keys]).toEqual(["/p/shop", "fmt", "cart"]);
		expect(await keysOf("/p/shop/b.go", "/p", new Directories())).toContain("/p/shop");
	});

	test("text that is no code makes nobody wait", () => {
		const began = performance.now();
		importsOf(`export {${" a,".repeat(100_000)}`, "/p/a.ts");
		importsOf(`from x import (${"a, ".repeat(100_000)}`, "/p/a.py");
		expect(performance.now() - began).toBeLessThan(2000);
	});
});

describe("the names of a file", () => {
	test("are its own, and its directory's for an index", async () => {
		expect(await keysOf("/p/src/a.ts", "/p", new Directories())).toEqual(["/p/src/a", "a"]);
		expect(await keysOf("/p/src/shop/index.ts", "/p", new Directories())).toEqual(
			expect.arrayContaining(["/p/src/shop", "shop"]),
		);
		expect(await keysOf("/p/app/__init__.py", "/p", new Directories())).toEqual(
			expect.arrayContaining(["/p/app", "app"]),
		);
	});

	test("are its package's too, for what the package's name leads to", () =>
		withWorkspace(
			{ "packages/core/package.json": `{ "name": "@acme/heart", "main": "./src/entry.ts" }` },
			async ({ root }) => {
				expect(await keysOf(`${root}/packages/core/src/index.ts`, root, new Directories())).toContain("heart");
				expect(await keysOf(`${root}/packages/core/src/entry.ts`, root, new Directories())).toContain("heart");
				expect(await keysOf(`${root}/packages/core/src/other.ts`, root, new Directories())).not.toContain("heart");
			},
		));
});
