import { describe, expect, test } from "vitest";
import { outlookOf } from "../../src/diagnostics/outlook.ts";
import { shape } from "./shapes.ts";

const text = `import { b } from "./b.ts";

export interface Area {
	readonly width: number;
	readonly height: number;
}

export function declared(area: Area): number {
	const { width } = area;
	return width;
}

export function inferred(area: Area) {
	return area.width;
}

export const typed: number = 1;
export const plain = 1;
`;

const before = shape("/src/a.ts", text, [
	["Area", "interface", 2, 5],
	["Area.width", "property", 3, 3],
	["Area.height", "property", 4, 4],
	["declared", "function", 7, 10],
	["inferred", "function", 12, 14],
	["typed", "constant", 16, 16],
	["plain", "constant", 17, 17],
]);

function seen(from: string, to: string): ReturnType<typeof outlookOf> {
	expect(text).toContain(from);
	return outlookOf(
		before,
		text.replace(from, () => to),
	);
}

describe("an edit of which the texts tell that nobody outside sees it", () => {
	test.each([
		["in the body of a function that says its type", "const { width } = area;", "const { width, height } = area;"],
		["that adds lines to such a body", "\treturn width;", "\tif (width > 1) {\n\t\treturn 2;\n\t}\n\treturn width;"],
		["of the value of a constant that says its type", "typed: number = 1", "typed: number = 2"],
	])("%s", (_, from, to) => {
		expect(seen(from, to)).toEqual({ name: undefined, signed: false });
	});
});

describe("an edit of which the texts tell whose users may see it", () => {
	test.each([
		["of a member's type", "width: number", "width: string", "Area", false],
		["that adds a member", "\treadonly height", "\treadonly depth: number;\n\treadonly height", "Area", false],
		["that takes a member away", "\treadonly height: number;\n", "", "Area", false],
		["of a parameter", "declared(area: Area)", "declared(area: Area, more: number)", "declared", true],
		["of a function's type", "): number {", "): string {", "declared", true],
		["of a constant's type", "typed: number", "typed: unknown", "typed", true],
	])("%s", (_, from, to, name, signed) => {
		expect(seen(from, to)).toEqual({ name, signed });
	});
});

describe("an edit of which only the server can tell", () => {
	test.each([
		["in the body of a function that infers its type", "return area.width;", "return String(area.width);"],
		["of a value whose type is inferred", "plain = 1", "plain = true"],
		["of an import", '"./b.ts"', '"./c.ts"'],
		["of a name", "declared(", "renamed("],
		["that ends a declaration and begins another", "return width;", "return width;\n}\nexport function more() {"],
		["that declares something beside it", "plain = 1;", "plain = 1; export const more = 2;"],
		["that makes an export private", "export const typed", "const typed"],
		["that begins a comment", "\treadonly height", "\t/* readonly height"],
		["of two declarations", "1;\nexport const plain", "2;\nexport const plain2"],
		["that takes a declaration away", "export const plain = 1;\n", ""],
		["that adds a declaration", "export const plain", "export const more = 1;\nexport const plain"],
	])("%s", (_, from, to) => {
		expect(seen(from, to)).toBeUndefined();
	});

	test("of a language whose syntax is another one", () => {
		expect(outlookOf(shape("/src/a.py", "a = 1\n", [["a", "variable", 0, 0]]), "a = 2\n")).toBeUndefined();
	});
});
