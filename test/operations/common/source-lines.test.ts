import { describe, expect, test } from "vitest";
import { importLines, isImportLine } from "../../../src/contract/import-lines.ts";
import { sourceLines } from "../../../src/operations/common/source-lines.ts";
import type { DocumentSymbolEntry } from "../../../src/query/document-symbols.ts";

/** A declaration from the first occurrence of one text to the end of the first one of another behind it. */
function declared(text: string, name: string, from: string, to: string): DocumentSymbolEntry {
	const position = (index: number) => {
		const lines = text.slice(0, index).split("\n");
		return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
	};
	const start = text.indexOf(from);
	const end = text.indexOf(to, start) + to.length;
	return {
		name,
		path: name,
		kind: "x",
		start: position(start),
		end: position(end),
		at: position(text.indexOf(name, start)),
		children: [],
	};
}

function taken(text: string, name: string, from: string, to: string, doc = false): string {
	return sourceLines([declared(text, name, from, to)], text.split("\n"), { doc }).lines.join("\n");
}

describe("sourceLines", () => {
	test("returns whole lines, with the modifiers before a declaration that a server leaves out of its range", () => {
		expect(taken("\texport const f = () => {\n\t\treturn 1;\n\t};", "f", "f = ", "}")).toBe(
			"\texport const f = () => {\n\t\treturn 1;\n\t};",
		);
	});

	test("returns only the declaration where other code is on the same line", () => {
		const text = "namespace N { class In { m() { return 1; } n() {} } }";
		expect(taken(text, "m", "m()", "}")).toBe("m() { return 1; }");
		expect(taken(text, "In", "class In", "{} }")).toBe("class In { m() { return 1; } n() {} }");
	});

	test("returns the whole line where the range is only the name", () => {
		expect(taken("const { p, q } = pair();", "p", "p,", "p")).toBe("const { p, q } = pair();");
	});

	test("keeps a comment at the end of the last line", () => {
		expect(taken("function a() {} // why", "a", "function", "}")).toBe("function a() {} // why");
	});
});

describe("sourceLines with doc", () => {
	test.each([
		["/** Says. */\nfunction a() {}", "/** Says. */\nfunction a() {}"],
		["let z;\n/**\n * Says.\n *\n * More.\n */\nfunction a() {}", "/**\n * Says.\n *\n * More.\n */\nfunction a() {}"],
		["// one\n\n// two\n// three\nfunction a() {}", "// two\n// three\nfunction a() {}"],
		["#[inline]\n/// Says.\nfunction a() {}", "#[inline]\n/// Says.\nfunction a() {}"],
		["# Says.\nfunction a() {}", "# Says.\nfunction a() {}"],
	])("returns the comment of %j", (text, expected) => expect(taken(text, "a", "function", "}", true)).toBe(expected));

	test.each([
		["a private field", "#x = 1;\nfunction a() {}"],
		["an include", "#include <a.h>\nfunction a() {}"],
		["a comment behind code", "f(); /* x\n y */\nfunction a() {}"],
		["code", "let z = 1;\nfunction a() {}"],
	])("leaves out %s above the declaration", (_, text) =>
		expect(taken(text, "a", "function", "}", true)).toBe("function a() {}"),
	);
});

describe("importLines", () => {
	test.each([
		[
			"typescript",
			'import a, {\n\tb,\n} from "./a.ts";\nimport "./c.ts";\nexport * from "./d.ts";\nconst important = 1;',
			['import a, { b, } from "./a.ts";', 'import "./c.ts";', 'export * from "./d.ts";'],
		],
		["javascript", 'const a = require("a");\nimportant();\nconst b = f(require);', ['const a = require("a");']],
		[
			"python",
			"import os\nfrom a import (\n    b,\n    c,\n)\nimported = 1\n",
			["import os", "from a import ( b, c, )"],
		],
		["go", 'package a\n\nimport (\n\t"fmt"\n\tx "y"\n)\n', ['import ( "fmt" x "y" )']],
		["rust", "use a::{\n    b,\n};\nmod c;\nfn user() {}\n", ["use a::{ b, };", "mod c;"]],
		["c", '#include "a.h"\n#define X 1\n', ['#include "a.h"']],
		["cobol", "import a", []],
	])("finds the imports of %s", (language, text, expected) => expect(importLines(text, language)).toEqual(expected));
});

test("isImportLine finds the lines of an import with any line ends", () => {
	for (const end of ["\n", "\r\n"]) {
		const lines = [
			"// import of nothing",
			'import { one } from "./one.js";',
			"import {",
			"\ttwo,",
			'} from "./two.js";',
			'export { three } from "./three.js";',
			'const four = require("./four.js");',
			"importantly();",
		];
		const text = lines.join(end);
		const document = { text, languageId: "typescript" };
		const imported = lines.flatMap((_, index) => (isImportLine(document, index + 1) ? index + 1 : []));
		expect(imported).toEqual([2, 3, 4, 5]);
	}
	expect(isImportLine({ text: "import x", languageId: "unknown" }, 1)).toBe(false);
});
