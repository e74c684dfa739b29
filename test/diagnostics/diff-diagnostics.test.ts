import { describe, expect, test } from "vitest";
import { carryOver, markNew, withoutMentions } from "../../src/diagnostics/diff-diagnostics.ts";
import { random } from "../jsonrpc/reading.ts";
import { error, judged } from "./sample.ts";

/** The lines of `after` with errors that are new. */
function newLines(before: string, after: string): number[] {
	return markNew(judged(before), judged(after)).flatMap((item) => (item.new ? item.line : []));
}

describe("an error is old", () => {
	test.each([
		["where nothing changed", "a\nWRONG\nb", "a\nWRONG\nb"],
		["below lines that were added", "a\nWRONG\nb", "x\ny\nz\na\nWRONG\nb"],
		["below lines that were removed", "x\ny\na\nWRONG", "a\nWRONG"],
		["above and below a change", "WRONG\na\nWRONG\nb", "WRONG\nx\ny\nWRONG\nb"],
		["on a line that was rewritten and still has it", "a\n  WRONG x\nb", "a\nconst WRONG x = 1\nb"],
		["between two changes", "a\nk\nWRONG\nl\nb", "c\nd\nk\nWRONG\nl\ne\nf"],
		["when the end of the last line was added", "a\nWRONG", "a\nWRONG\n"],
		["when its line moved to another style of line ends", "a\r\nWRONG\r\nb\r\n", "a\nWRONG\nb\n"],
		["in a file of CRLF", "a\r\nWRONG\r\nb", "a\r\nx\r\nWRONG\r\nb"],
	])("%s", (_, before, after) => {
		expect(newLines(before, after)).toEqual([]);
	});
});

describe("an error is new", () => {
	test.each([
		["on a line that was added", "a\nb", "a\nWRONG\nb", [2]],
		["in a file that was empty", "", "WRONG", [1]],
		["on a line without errors", "a\nb\nc", "a\nWRONG\nc", [2]],
		["with another message on the same line", "a\nWRONG x\nb", "a\nWRONG y\nb", [2]],
		["next to an old one", "a\nWRONG x\nb", "a\nWRONG x\nWRONG x\nb", [3]],
		["in several places of one edit", "a\nb\nc\nd\ne", "WRONG\nb\nc\nd\nWRONG", [1, 5]],
		["at another position than a removed one", "a\nWRONG x\nb\nc\nd", "a\nfine\nb\nc\nWRONG x", [5]],
	])("%s", (_, before, after, expected) => {
		expect(newLines(before, after)).toEqual(expected);
	});

	test("on an unchanged line if its message is another one", () => {
		const before = { text: "a\nb", diagnostics: [error(2, { message: "old" })] };
		const now = { text: "x\na\nb", diagnostics: [error(3, { message: "other" })] };
		expect(markNew(before, now).map((item) => item.new)).toEqual([true]);
	});

	test.each(["code", "source", "severity"] as const)("with another %s", (field) => {
		const before = { text: "a", diagnostics: [error(1)] };
		const other = { code: "2", source: "eslint", severity: "warning" } as const;
		const now = { text: "a", diagnostics: [error(1, { [field]: other[field] })] };
		expect(markNew(before, now)[0]?.new).toBe(true);
	});
});

describe("equal errors are counted", () => {
	test("as many times as before are old, and a third is new", () => {
		const before = { text: "a\nb", diagnostics: [error(2), error(2)] };
		const now = { text: "a\nb", diagnostics: [error(2), error(2), error(2)] };
		expect(markNew(before, now).map((item) => item.new)).toEqual([false, false, true]);
	});

	test("inside a rewritten run of lines are matched one to one", () => {
		expect(newLines("a\nWRONG x\nWRONG x\nb", "a\nlet WRONG x\nlet WRONG x\nlet WRONG x\nb")).toEqual([4]);
	});
});

test("compared items keep their order and all other properties", () => {
	const items = [error(3, { message: "c" }), error(1, { message: "a" }), error(2, { message: "b", endColumn: 9 })];
	const marked = markNew({ text: "x", diagnostics: [] }, { text: "x\ny\nz", diagnostics: items });
	expect(marked).toEqual(items.map((item) => ({ ...item, new: true })));
});

test("carried-over errors are those that the new text still has", () => {
	const carried = carryOver(judged("WRONG a\nk\nWRONG b"), judged("new\nWRONG a\nk\nfine\nWRONG c"));
	expect(carried.map(({ line, message }) => [line, message])).toEqual([[2, "WRONG a"]]);
});

test("an edit of a file of 10,000 lines, and one that rewrites all of it, are judged in time", () => {
	const before = Array.from({ length: 10_000 }, (_, index) => (index % 10 ? `line ${index}` : `WRONG n${index}`));
	const shifted = ["added", ...before];
	const began = performance.now();
	expect(newLines(before.join("\n"), shifted.join("\n"))).toEqual([]);
	const rewritten = before.map((line) => `  ${line};`);
	expect(newLines(before.join("\n"), rewritten.join("\n"))).toEqual([]);
	expect(performance.now() - began).toBeLessThan(10_000);
});

test("errors on unchanged lines are not new, whatever is added between them", () => {
	const next = random(3);
	for (let round = 0; round < 300; round++) {
		const kept = Array.from(
			{ length: 1 + Math.floor(next() * 12) },
			(_, index) => `unique ${index} ${next() < 0.3 ? `WRONG k${index}` : ""}`,
		);
		const after = kept.flatMap((line) => [
			...Array.from(
				{ length: Math.floor(next() * 3) },
				(_, index) => `added ${round} ${index} ${next() < 0.3 ? "WRONG n" : ""}`,
			),
			line,
		]);
		const marked = markNew(judged(kept.join("\n")), judged(after.join("\n")));
		expect(
			marked.filter((item) => item.new !== item.message.startsWith("WRONG n")),
			`${JSON.stringify(kept)} -> ${JSON.stringify(after)}`,
		).toEqual([]);
	}
});

describe("an error of the text before counts as caused by a file's deletion", () => {
	const linesLeft = (text: string) => withoutMentions(judged(text), new Map([["/src/module-1.ts", undefined]])).length;

	test("if its line names the file, whose name may hold a hyphen and whose exports are unknown", () =>
		expect(linesLeft('import { x } from "./module-1.js"; // WRONG\n')).toBe(0));

	test("not if its line names a file whose name only begins or ends alike", () =>
		expect(linesLeft('import { x } from "./module-11.js"; // WRONG\nimport "./my-module-1"; // WRONG\n')).toBe(2));
});
