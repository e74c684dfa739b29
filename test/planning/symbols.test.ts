import { describe, expect, test } from "vitest";
import { parseFile } from "../../src/impact/outline/parse-file.ts";
import { deleteSymbol, insertAfter, insertBefore, replaceSymbol } from "../../src/planning/symbols/place-code.ts";
import { spanInLines, spanInTree } from "../../src/planning/symbols/symbol-span.ts";
import { brokenSyntax, readCode } from "../../src/planning/symbols/syntax.ts";
import { replaceAll } from "../../src/planning/text-edits.ts";
import { met, notYet, until } from "../support/until.ts";

type How = "replace" | "before" | "after" | "delete";

/** Changes the symbol at the mark `@@`, and checks that the text parses before and after. */
async function changed(path: string, marked: string, how: How, given = ""): Promise<string> {
	const offset = marked.indexOf("@@");
	const text = marked.replace("@@", "");
	const parsed = await parseFile(path, text);
	expect(parsed?.hasError, "parses before").toBe(false);
	const span = parsed && spanInTree(parsed, text, offset);
	if (!span) throw new Error("nothing is declared there");
	const target = { text, span, isPython: parsed.family === "python" };
	const code = await readCode(path, given);
	const edits = {
		replace: () => replaceSymbol(target, code),
		before: () => insertBefore(target, code),
		after: () => insertAfter(target, code),
		delete: () => deleteSymbol(target),
	}[how]();
	const next = replaceAll(
		text,
		[...edits].sort((a, b) => a.start - b.start),
	);
	expect(await brokenSyntax(path, text, next), next).toBeUndefined();
	return next;
}

const shop = (name: string) =>
	`/** Sells. */
@sealed
export class Shop {
	// How many.
	count = 1;

	/** The sum. */
	@memo() total(a: number): number {
		return a;
	}
}
`.replace(new RegExp(`\\b${name}\\b(?=[ (])`), `@@${name}`);

const ledger = (name: string) =>
	`import x


# About f.
@dec
def f(a):
    """Doc
    string."""
    return a


class A:
    x: int = 1

    # About g.
    def g(self):
        return 1

    def h(self): return 2
`.replace(new RegExp(`def ${name}\\b`), `def @@${name}`);

describe("comments and decorators belong to their symbol:", () => {
	test("comments stay above a new declaration, unless it has its own", async () => {
		const kept = await changed("a.ts", shop("total"), "replace", "total(): number {\n    return 2;\n}");
		expect(kept).toBe(shop("none").replace(/total\(a[\s\S]*?\n\t\}/, "total(): number {\n\t\treturn 2;\n\t}"));
		const bare = await changed("a.ts", shop("Shop"), "replace", "export class Shop {}");
		expect(bare).toBe("/** Sells. */\n@sealed\nexport class Shop {}\n");
		const own = await changed("a.ts", shop("Shop"), "replace", "/** New. */\nexport class Shop {}");
		expect(own).toBe("/** New. */\nexport class Shop {}\n");
		const decorated = await changed("a.py", ledger("f"), "replace", "@other\ndef f(b): return b");
		expect(decorated).toContain("# About f.\n@other\ndef f(b): return b\n\n\nclass A");
	});

	test("code is inserted above them, and a deleted declaration takes them along", async () => {
		const before = await changed("a.ts", shop("total"), "before", "size() {}");
		expect(before).toContain("count = 1;\n\n\tsize() {}\n\n\t/** The sum. */");
		expect(await changed("a.ts", shop("total"), "delete")).toContain("\tcount = 1;\n}\n");
		expect(await changed("a.py", ledger("f"), "delete")).toBe(
			ledger("none").replace(/# About f[\s\S]*?return a\n\n\n/, ""),
		);
		const rust = "/// Doc.\n#[inline]\npub fn @@f() -> i32 { 1 }\nstruct A;\n";
		expect(await changed("a.rs", rust, "before", "fn g() {}")).toBe(`fn g() {}\n${rust.replace("@@", "")}`);
		expect(await changed("a.rs", rust, "delete")).toBe("struct A;\n");
		const go = "package a\n\n// F does.\nfunc @@F() int { return 1 }\n";
		expect(await changed("a.go", go, "before", "func G() {}")).toBe(
			"package a\n\nfunc G() {}\n\n// F does.\nfunc F() int { return 1 }\n",
		);
	});

	test("the comment of another symbol, or one after the symbol, does not belong to it", async () => {
		const text = "const a = 1; // First.\nconst @@b = 2;\n// Ends a part.\n\nconst c = 3;\n";
		expect(await changed("a.ts", text, "delete")).toBe("const a = 1; // First.\n// Ends a part.\n\nconst c = 3;\n");
	});
});

describe("declarations that share their lines with others:", () => {
	test("a function of one line is replaced where it stands", async () => {
		const go = "package a\n\nfunc @@F() int { return 1 }\n";
		expect(await changed("a.go", go, "replace", "func F() int {\n\treturn 2\n}")).toBe(
			"package a\n\nfunc F() int {\n\treturn 2\n}\n",
		);
		const two = "function @@a() { return 1; } function b() {}\n";
		expect(await changed("a.ts", two, "replace", "function a() {}")).toBe("function a() {} function b() {}\n");
		expect(await changed("a.ts", two, "after", "function c() {}")).toBe(
			"function a() { return 1; }\nfunction c() {}\nfunction b() {}\n",
		);
		expect(await changed("a.ts", two, "delete")).toBe("function b() {}\n");
	});

	test("elements of lists keep their commas", async () => {
		expect(await changed("a.ts", "enum E { A, @@B }\n", "delete")).toBe("enum E { A }\n");
		expect(await changed("a.ts", "enum E { @@A, B }\n", "delete")).toBe("enum E { B }\n");
		expect(await changed("a.ts", "enum E { A, @@B }\n", "after", "C")).toBe("enum E { A, B, C }\n");
		expect(await changed("a.ts", "enum E { @@A, B }\n", "before", "C")).toBe("enum E { C, A, B }\n");
		expect(await changed("a.ts", "enum E {\n\tA,\n\t@@B\n}\n", "after", "C")).toBe("enum E {\n\tA,\n\tB,\n\tC\n}\n");
		expect(await changed("a.ts", "const a = 1, @@b = 2, c = 3;\n", "delete")).toBe("const a = 1, c = 3;\n");
		expect(await changed("a.rs", "struct A {\n    x: i32,\n    @@y: i32,\n}\n", "after", "z: i32")).toBe(
			"struct A {\n    x: i32,\n    y: i32,\n    z: i32,\n}\n",
		);
	});

	test("declarations of one statement are recognized", async () => {
		const isShared = async (path: string, marked: string) => {
			const text = marked.replace("@@", "");
			const parsed = await parseFile(path, text);
			return parsed && spanInTree(parsed, text, marked.indexOf("@@"))?.isShared;
		};
		expect(await isShared("a.ts", "const { @@a, b } = c;\n")).toBe(true);
		expect(await isShared("a.py", "@@a, b = 1, 2\n")).toBe(true);
		expect(await isShared("a.go", "package a\n\ntype T struct {\n\t@@X, Y int\n}\n")).toBe(true);
		expect(await isShared("a.cpp", "int @@a, b;\n")).toBe(true);
		for (const [path, text] of [
			["a.ts", "const @@a = 1;\n"],
			["a.py", "@@a = 1\n"],
			["a.cpp", "typedef struct { int x; } @@A;\n"],
			["a.cpp", "int @@a;\n"],
		] as const)
			expect(await isShared(path, text), text).toBe(false);
	});
});

describe("the indentation is that of the target:", () => {
	test.each([
		["without indentation", "def g(self):\n    return 5"],
		["with that of the target", "    def g(self):\n        return 5"],
		["cut out of its line", "def g(self):\n        return 5"],
		["with tabs", "def g(self):\n\treturn 5"],
	])("for code of Python %s", async (_, code) => {
		expect(await changed("a.py", ledger("g"), "replace", code)).toBe(ledger("none").replace("return 1", "return 5"));
	});

	test("texts of several lines in the code stay as they are; a docstring goes with its function", async () => {
		const code = 'def k(self):\n    """Doc\n    string."""\n    return """\n  a\n"""';
		const after = await changed("a.py", ledger("h"), "after", code);
		expect(after).toContain('\n\n    def k(self):\n        """Doc\n        string."""\n        return """\n  a\n"""\n');
		const script = await changed("a.ts", shop("count"), "after", "sql = `\n  select\n`;");
		expect(script).toContain("\tcount = 1;\n\n\tsql = `\n  select\n`;\n\n");
	});

	test("code within a component is indented, and with spaces for tabs", async () => {
		const app =
			"export function App() {\n\tconst @@row = (x: number) => <td>{x}</td>;\n\treturn <table>{row(1)}</table>;\n}\n";
		const code = "const row = (x: number) => (\n  <td>\n    {x}\n  </td>\n);";
		expect(await changed("a.tsx", app, "replace", code)).toBe(
			"export function App() {\n\tconst row = (x: number) => (\n\t\t<td>\n\t\t\t{x}\n\t\t</td>\n\t);\n\treturn <table>{row(1)}</table>;\n}\n",
		);
	});

	test("a block of Python that is left empty is filled", async () => {
		expect(await changed("a.py", "class A:\n    # About k.\n    def @@k(self): return 1\n", "delete")).toBe(
			"class A:\n    pass\n",
		);
	});
});

test("a syntax error is reported with its line; earlier errors are not", async () => {
	expect(await brokenSyntax("a.ts", "let a = 1;\n", "let a = 1;\nlet b = (;\n")).toEqual({ line: 2 });
	expect(await brokenSyntax("a.py", "a = 1\n", "a = 1\n  b = 2\n")).toEqual({ line: 2 });
	for (const wrong of ["def f():\nreturn 1\n", "def f():\n    a = 1\n   b = 2\n", "class A:\n\n"])
		expect(await brokenSyntax("a.py", "a = 1\n", wrong), wrong).toBeDefined();
	const right =
		"if x:\n  a = [\n1,\n  ]; b = 1\nelse:\n    b = 2\nclass A: pass\nclass B:\n  # c\n  @d\n  def f(self): return 1\n";
	expect(await brokenSyntax("a.py", "", right)).toBeUndefined();
	expect(await brokenSyntax("a.ts", "let a = (;\n", "let a = (;\nlet b = 1;\n")).toBeUndefined();
	expect(await brokenSyntax("a.zzz", "(", "((")).toBeUndefined();
});

test("the lines above a server's range show without a grammar what belongs to a declaration", () => {
	const text = "class A {\n\tint a;\n\n\t/** Doc. */\n\t@Override\n\tpublic int f() { return 1; }\n}\n";
	const [start, end] = [text.indexOf("public"), text.indexOf("; }") + 3];
	const span = spanInLines(text, start, end);
	expect(text.slice(span.top, span.closed)).toBe("/** Doc. */\n\t@Override\n\tpublic int f() { return 1; }");
});

test("a server's range that begins with comments and attributes leaves them above the declaration", () => {
	const text = "impl A {\n    /// Doc.\n    ///\n    #[inline]\n    pub fn f() {}\n}\n";
	const [start, name] = [text.indexOf("/// Doc"), text.indexOf("f()")];
	const span = spanInLines(text, start, text.indexOf("{}") + 2, name);
	expect(text.slice(span.start, span.end)).toBe("pub fn f() {}");
	expect([span.top, span.decorated]).toEqual([start, text.indexOf("#[inline]")]);
	const block = "class A {\n\t/**\n\t * Doc.\n\t */\n\t@Override public int f() {}\n}\n";
	const inBlock = spanInLines(block, block.indexOf("/**"), block.indexOf("{}") + 2, block.indexOf("f()"));
	expect(block.slice(inBlock.start, inBlock.end)).toBe("@Override public int f() {}");
	expect(inBlock.top).toBe(block.indexOf("/**"));
});

test("a file of 200 KB is read whole, and the event loop has its turn meanwhile", async () => {
	const text = Array.from({ length: 4_000 }, (_, n) => `/// Doc.\npub fn f${n}(a: u8) -> u8 { a + g(${n}) }\n`).join(
		"",
	);
	expect(text.length).toBeGreaterThan(200_000);
	let turns = 0;
	let isDone = false;
	const count = () => {
		turns++;
		if (!isDone) setImmediate(count);
	};
	count();
	// On a loaded machine a step may take longer than it is given.
	const parsed = await until("the file is read", async () => {
		turns = 0;
		const read = await parseFile("a.rs", text);
		return read ? met(read) : notYet("it took too long");
	});
	expect(parsed.hasError).toBe(false);
	isDone = true;
	expect(turns).toBeGreaterThan(10);
});
