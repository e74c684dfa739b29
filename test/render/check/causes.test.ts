import { describe, expect, test } from "vitest";
import type { Diagnostic, FileReport } from "../../../src/contract/check-report.ts";
import { editBlock, reportText } from "../../../src/render/check/diagnostics.ts";
import { affected, alike, error, errors, file, lines, report, shown } from "../reports.ts";

const one = "Property 'w' does not exist on type 'Rect'. (ts2339)";
const hook = (...files: FileReport[]) => editBlock(report(...files), "full");

describe("equal errors of one file", () => {
	test.each<[string, Diagnostic[], string[]]>([
		["stay two lines if there are two", alike(2), [`ERROR [1:5] ${one}`, `ERROR [2:5] ${one}`]],
		["are one line if there are three", alike(3), [`ERROR [1:5] ${one} also at 2:5, 3:5`]],
		["have all six positions named", alike(6), [`ERROR [1:5] ${one} also at 2:5, 3:5, 4:5, 5:5, 6:5`]],
		[
			"have the rest of more than six counted",
			alike(10),
			[`ERROR [1:5] ${one} also at 2:5, 3:5, 4:5, 5:5, 6:5 and 4 more`],
		],
		[
			"have their line at the position of the first",
			[
				error(1),
				error(2, { message: "Same." }),
				error(3),
				error(4, { message: "Same." }),
				error(9, { message: "Same." }),
			],
			["ERROR [1:5] Wrong 1. (ts2322)", "ERROR [2:5] Same. (ts2322) also at 4:5, 9:5", "ERROR [3:5] Wrong 3. (ts2322)"],
		],
		[
			"are other errors with another code",
			[...alike(2), error(3, { code: "2551", message: alike(1)[0]?.message ?? "" })],
			[`ERROR [1:5] ${one}`, `ERROR [2:5] ${one}`, `ERROR [3:5] ${one.replace("2339", "2551")}`],
		],
	])("%s", (_, diagnostics, expected) => {
		expect(shown(hook(file("a.ts", diagnostics)))).toEqual(expected);
	});

	test("are other errors with another severity, or another source of the code", () => {
		const mixed = [...alike(2), ...alike(2, { severity: "warning" }), ...alike(2, { source: "vue" })];
		expect(hook(file("a.ts", mixed))).not.toContain("also at");
	});

	test("count as lines in the limits, and errors that are left out are counted one by one", () => {
		const block = hook(file("a.ts", [...alike(40), ...errors(19), ...errors(5, { message: "Cut." }), error(99)]));
		expect(shown(block)).toHaveLength(20);
		expect(lines(block)).toContain("... and 6 more");
	});

	test("count as lines in the 50 of a report too", () => {
		const others = Array.from({ length: 5 }, (_, index) => affected(`b${index}.ts`, 12));
		const block = hook(file("a.ts", alike(30)), ...others);
		expect(shown(block)).toHaveLength(50);
		expect(lines(block)).toContain("... and 11 more");
	});

	test("are listed with every position in a full report", () => {
		const [line] = shown(reportText(report(file("a.ts", alike(30)))));
		expect(line).toMatch(/ also at 2:5, .*, 30:5$/);
	});
});

describe("equal errors of several files", () => {
	const other = (path: string, diagnostics: readonly Diagnostic[]) => file(path, diagnostics, { role: "affected" });
	const caused = (text: string | undefined) => lines(text).filter((line) => line.includes("of these errors in"));

	test("have one line before the blocks of other files", () => {
		const block = hook(file("a.ts", [error(1, { new: true })]), other("b.ts", alike(2)), other("c.ts", alike(1)));
		expect(lines(block).slice(4, 8)).toEqual([
			"1 error is new with this edit.",
			"LSP errors detected in other files, 2 files:",
			`3 of these errors in 2 files have one cause: ${one}`,
			'<diagnostics file="b.ts">',
		]);
	});

	test("have one line in the short form too", () => {
		const given = report(file("a.ts", []), other("b.ts", alike(4)), other("c.ts", alike(1)));
		expect(lines(editBlock(given, "line"))).toEqual([
			"The edit was applied. It newly broke 2 other files: b.ts (4 errors), c.ts (1 error). lsp_diagnostics shows the errors.",
			`5 of these errors in 2 files have one cause: ${one}`,
		]);
	});

	test.each<[string, FileReport[], string[]]>([
		["have no line of their own if there are only two", [other("b.ts", alike(1)), other("c.ts", alike(1))], []],
		["have no line of their own in one file", [other("b.ts", alike(9))], []],
		[
			"include those of the edited file",
			[file("a.ts", alike(2)), other("b.ts", alike(1))],
			[`3 of these errors in 2 files have one cause: ${one}`],
		],
		[
			"have a line of their own in edited files alone",
			[file("a.ts", alike(2)), file("b.ts", alike(1))],
			[`3 of these errors in 2 files have one cause: ${one}`],
		],
		[
			"do not include those from before",
			[file("a.ts", [...alike(2, { new: false }), error(9, { new: true })]), other("b.ts", alike(2))],
			[],
		],
		[
			"do not include those left from earlier edits",
			[file("a.ts", alike(2, { new: false, earlier: true })), other("b.ts", alike(2))],
			[],
		],
		[
			"are shown for the two largest, the larger one first",
			[
				other("b.ts", [
					...alike(2, { message: "Small." }),
					...alike(3, { message: "Middle." }),
					...alike(4, { message: "Big." }),
				]),
				other("c.ts", [
					...alike(1, { message: "Small." }),
					...alike(1, { message: "Middle." }),
					...alike(1, { message: "Big." }),
				]),
			],
			[
				"5 of these errors in 2 files have one cause: Big. (ts2339)",
				"4 of these errors in 2 files have one cause: Middle. (ts2339)",
			],
		],
		[
			"have their message on one harmless line",
			[
				other("b.ts", alike(2, { message: "A\n</diagnostics>" })),
				other("c.ts", alike(1, { message: "A\n</diagnostics>" })),
			],
			["3 of these errors in 2 files have one cause: A &lt;/diagnostics> (ts2339)"],
		],
	])("%s", (_, files, expected) => {
		expect(caused(hook(...files))).toEqual(expected);
	});

	test("are no reason to show other files if these are excluded", () => {
		const given = report(file("a.ts", alike(2)), other("b.ts", alike(2)));
		expect(caused(editBlock(given, "none"))).toEqual([]);
	});
});

describe("a suggestion", () => {
	const suggestion = 'add import from "./area.ts"';

	test("follows its line", () => {
		const block = hook(file("a.ts", [error(1, { suggestion }), error(2)]));
		expect(lines(block).slice(2, 5)).toEqual([
			"ERROR [1:5] Wrong 1. (ts2322)",
			'  try: add import from "./area.ts"',
			"ERROR [2:5] Wrong 2. (ts2322)",
		]);
	});

	test("is shown three times in a block and does not count against its limits", () => {
		const block = hook(file("a.ts", errors(20, { suggestion })), file("b.ts", errors(1, { suggestion })));
		expect(shown(block)).toHaveLength(21);
		expect(lines(block).filter((line) => line.startsWith("  try: "))).toHaveLength(4);
	});

	test("that equals others is shown once, different ones are shown each", () => {
		const block = (...suggestions: string[]) =>
			lines(
				hook(
					file(
						"a.ts",
						alike(3).map((item, index) => ({ ...item, suggestion: suggestions[index] ?? "" })),
					),
				),
			);
		expect(block("x", "x", "x").slice(3)).toEqual(["  try: x", "</diagnostics>", "3 errors are new with this edit."]);
		expect(block("", "x", "y").slice(3, 5)).toEqual(["  try: x", "  try: y"]);
	});

	test("does not leave its line or its block", () => {
		const block = hook(file("a.ts", [error(1, { suggestion: "x\n</diagnostics>\u001b[2J" })]));
		expect(lines(block)[3]).toBe("  try: x &lt;/diagnostics&gt;[2J");
	});
});
