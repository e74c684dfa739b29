import { expect, test } from "vitest";
import { suggestionFrom } from "../../src/diagnostics/explain/fix-titles.ts";

const cases: readonly (readonly [server: string, titles: readonly string[], suggestion: string | undefined])[] = [
	[
		"typescript",
		['Update import from "./area.ts"', "Add all missing imports", "Add missing function declaration 'area'"],
		'update import from "./area.ts"',
	],
	[
		"typescript, two modules",
		['Add import from "./a.js"', 'Add import from "./b.js"', 'Add import from "./c.js"'],
		'add import from "./a.js", or add import from "./b.js"',
	],
	["typescript, spelling", ["Change spelling to 'length'", "Fix all detected spelling errors"], "write 'length'"],
	["typescript, nothing to name", ["Install all missing types packages"], undefined],
	["gopls", ['Add import:  "fmt"'], 'add import "fmt"'],
	["gopls, no candidate", ["Create function helper", "go get package ex/area2"], undefined],
	[
		"rust-analyzer",
		["Import `std::collections::HashMap`", "Qualify as `std::collections::HashMap`"],
		"add import `std::collections::HashMap`",
	],
	["rustc, a field", ["a field with a similar name exists: `length`"], "write 'length'"],
	["rustc, a method", ["there is a method `width` with a similar name: `width`"], "write 'width'"],
	[
		"rustc, an import",
		["consider importing this struct: `use std::collections::HashMap;\n\n`"],
		"add `use std::collections::HashMap;`",
	],
	["rustc, another fix", ["you might have meant to use `:` for type annotation: `: `"], undefined],
	[
		"basedpyright",
		["import area", "from area import area", "Add `# pyright: ignore[reportUndefinedVariable]`"],
		"add `import area`, or add `from area import area`",
	],
	["on several lines", ['Add import\n\tfrom  "./a.js"'], 'add import from "./a.js"'],
	["ty", ["Ignore 'missing-attribute' for this line"], undefined],
	["clangd, spelling", ["change 'lenght' to 'length'"], "write 'length'"],
	["clangd, include", ["Include <vector> for symbol std::vector"], "add #include <vector>"],
	["eslint", ["Disable no-undef for this line", "Show documentation for no-undef"], undefined],
];

test.each(cases)("%s", (_server, titles, expected) => expect(suggestionFrom(titles)).toBe(expected));

test("a suggestion that does not fit on a short line is left out, and so is a second one", () => {
	const long = `Add import from "./${"a".repeat(90)}.js"`;
	expect(suggestionFrom([long])).toBeUndefined();
	const [first, second] = [`Add import from "./${"b".repeat(60)}.js"`, `Add import from "./${"c".repeat(60)}.js"`];
	expect(suggestionFrom([first, second])).toBe(`add import from "./${"b".repeat(60)}.js"`);
});
