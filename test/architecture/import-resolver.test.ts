import { describe, expect, test } from "vitest";
import { chooseFolders } from "../../src/architecture/choose-folders.ts";
import { componentsOf, levelsOf, shortestCircle } from "../../src/architecture/circles.ts";
import { ImportResolver } from "../../src/architecture/import-resolver.ts";
import { packagesIn } from "../../src/architecture/packages.ts";
import { importsIn } from "../../src/architecture/read-imports.ts";
import { Directories } from "../../src/project/directories.ts";
import { type Files, withWorkspace } from "../support/workspace.ts";

/** The imports of a file of a tree; those that are not loaded are in brackets. */
function targetsIn(tree: Files, file: string): Promise<string[]> {
	return withWorkspace(tree, async (ws) => {
		const files = Object.keys(tree).map((name) => ws.path(name));
		const packages = await packagesIn(ws.root, files);
		const resolver = new ImportResolver(ws.root, files, packages, new Directories());
		const found = new Set<string>();
		for (const { name, isLoaded } of importsIn(ws.path(file), tree[file] ?? "") ?? []) {
			const target = await resolver.targetOf(name, ws.path(file));
			if (target === undefined) continue;
			const shown = target.slice(ws.root.length + 1);
			found.add(isLoaded ? shown : `(${shown})`);
		}
		return [...found].sort();
	});
}

describe("an import means", () => {
	test("in scripts a relative file, an index, a package of the workspace or an alias, and never a library", async () => {
		const tree = {
			"tsconfig.json": '{ "compilerOptions": { "paths": { "lib/*": ["./source/*"] } } }',
			"packages/money/package.json": '{ "name": "@shop/money" }',
			"packages/money/src/index.ts": "",
			"packages/money/src/vat.ts": "",
			"source/path.ts": "",
			"source/alias.ts": "",
			"src/util/index.ts": "",
			"src/near.ts": "",
			"src/types.ts": "",
			"src/later.ts": "",
			"src/a.ts": [
				'import "./near.js";',
				'import { x } from "./util";',
				'import type { T } from "./types.ts";',
				'import { type T as U } from "./types.ts";',
				'const later = () => import("./later.ts");',
				'import { join } from "path";',
				'import { readFileSync } from "node:path";',
				'import { a } from "lib/alias";',
				'import { b } from "@/util";',
				'import { m } from "@shop/money";',
				'import { v } from "@shop/money/vat";',
				'// import "./comment.ts";',
				"",
			].join("\n"),
		};
		expect(await targetsIn(tree, "src/a.ts")).toEqual([
			"(src/later.ts)",
			"(src/types.ts)",
			"packages/money/src/index.ts",
			"packages/money/src/vat.ts",
			"source/alias.ts",
			"src/near.ts",
			"src/util/index.ts",
		]);
	});

	test("in Python a module from a root, and not one of the standard library's name within a package", async () => {
		const tree = {
			"src/shop/__init__.py": "",
			"src/shop/logging.py": "",
			"src/shop/cart.py": "",
			"src/shop/money/__init__.py": "",
			"src/shop/money/vat.py": "",
			"src/shop/main.py": [
				"import logging",
				"from typing import TYPE_CHECKING",
				"from shop.money import vat",
				"if TYPE_CHECKING:",
				"    from . import cart",
				"def later():",
				"    from .logging import log",
				"",
			].join("\n"),
		};
		expect(await targetsIn(tree, "src/shop/main.py")).toEqual([
			"(src/shop/__init__.py)",
			"(src/shop/cart.py)",
			"(src/shop/logging.py)",
			"src/shop/money/__init__.py",
			"src/shop/money/vat.py",
		]);
	});

	test("in Rust a module of the crate or of another of the workspace", async () => {
		const tree = {
			"app/Cargo.toml":
				'[package]\nname = "app"\n[dependencies]\nshop-core = { path = "../core" }\n[dev-dependencies]\nfor-tests = "1"\n',
			"app/src/main.rs": "",
			"app/src/cart/mod.rs": [
				"use crate::money::{self, Vat as V, round::{up, down}};",
				"use super::log;",
				"use shop_core::deep::Thing;",
				"use for_tests::check;",
				"use std::collections::HashMap;",
				"fn f() { crate::other::go() }",
				"",
			].join("\n"),
			"app/src/money.rs": "",
			"app/src/money/round.rs": "",
			"app/src/log.rs": "",
			"app/src/other.rs": "",
			"for-tests/Cargo.toml": '[package]\nname = "for-tests"\n',
			"for-tests/src/check.rs": "",
			"core/Cargo.toml": '[package]\nname = "shop-core"\n',
			"core/src/lib.rs": "",
			"core/src/deep.rs": "",
		};
		expect(await targetsIn(tree, "app/src/cart/mod.rs")).toEqual([
			"app/src/log.rs",
			"app/src/money.rs",
			"app/src/money/round.rs",
			"app/src/other.rs",
			"core/src/deep.rs",
		]);
	});

	test("in Java, PHP, Ruby, C, Zig and Dart the file that the name ends with", async () => {
		const java = {
			"a/src/shop/Cart.java": "",
			"a/src/shop/App.java": "import shop.Cart;\nimport java.util.List;\nimport static shop.Cart.MAX;\n",
		};
		expect(await targetsIn(java, "a/src/shop/App.java")).toEqual(["a/src/shop/Cart.java"]);
		const php = {
			"src/Model/User.php": "<?php",
			"src/App.php": "<?php\nuse Shop\\Web\\Model\\User;\nuse Throwable;\n",
		};
		expect(await targetsIn(php, "src/App.php")).toEqual(["src/Model/User.php"]);
		const ruby = { "lib/cart/item.rb": "", "lib/cart.rb": 'require_relative "cart/item"\nrequire "json"\n' };
		expect(await targetsIn(ruby, "lib/cart.rb")).toEqual(["lib/cart/item.rb"]);
		const c = { "include/shop/cart.h": "", "src/main.c": '#include <stdio.h>\n#include "shop/cart.h"\n' };
		expect(await targetsIn(c, "src/main.c")).toEqual(["include/shop/cart.h"]);
		const zig = {
			"src/cart.zig": "",
			"src/main.zig": 'const std = @import("std");\nconst cart = @import("cart.zig");\n',
		};
		expect(await targetsIn(zig, "src/main.zig")).toEqual(["src/cart.zig"]);
		const dart = { "lib/cart.dart": "", "bin/main.dart": "import 'package:shop/cart.dart';\nimport 'dart:io';\n" };
		expect(await targetsIn(dart, "bin/main.dart")).toEqual(["lib/cart.dart"]);
	});
});

describe("folders", () => {
	test("are split where most files are, up to a number", () => {
		const files = ["a/x/1.ts", "a/x/2.ts", "a/y/1.ts", "a/1.ts", "b/x/1.ts", "b/y/1.ts"];
		const chosen = (most: number) => chooseFolders(files, most).map(({ path, isOwn }) => path + (isOwn ? "/" : ""));
		expect(chosen(1)).toEqual(["a/", "a/x", "a/y", "b"]);
		expect(chosen(5)).toEqual(["a/", "a/x", "a/y", "b/x", "b/y"]);
		expect(chooseFolders([], 5)).toEqual([]);
	});

	test("in circles count as one, and their shortest circle is found", () => {
		const graph = new Map(
			Object.entries({ top: "a", a: "b", b: "c", c: "a d", d: "c low", low: "" }).map(([node, to]) => [
				node,
				new Set(to.split(" ").filter(Boolean)),
			]),
		);
		expect(componentsOf(graph)).toEqual([["a", "b", "c", "d"]]);
		expect(shortestCircle(["a", "b", "c", "d"], graph)).toEqual(["c", "d"]);
		expect(Object.fromEntries(levelsOf(graph))).toEqual({ top: 2, a: 1, b: 1, c: 1, d: 1, low: 0 });
	});
});
