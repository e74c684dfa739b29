import { describe, expect, test } from "vitest";
import type { Diagnostic, FileReport } from "../../../src/contract/check-report.ts";
import { checkText, editBlock, reportText } from "../../../src/render/check/diagnostics.ts";
import { commandText } from "../../../src/render/check/turn.ts";
import { affected, error, errors, file, lines, report } from "../reports.ts";

const old = (...at: number[]) => at.map((line) => error(line, { new: false }));
const fresh = (count: number) => errors(count, { new: true });
const mended = (path: string, fixed: number, diagnostics: readonly Diagnostic[] = []) =>
	file(path, diagnostics, { role: "affected", fixed });

describe("the fixed errors of the edited file", () => {
	test.each<[string, readonly Diagnostic[], number, string]>([
		[
			"are not mentioned if there are none",
			[...fresh(2), ...old(8)],
			0,
			"2 errors are new with this edit; 1 more was there before.",
		],
		[
			"one",
			[...fresh(2), ...old(7, 8, 9)],
			1,
			"2 errors are new with this edit; 1 was fixed; 3 more were there before.",
		],
		["several, and nothing was there before", fresh(1), 4, "1 error is new with this edit; 4 were fixed."],
		[
			"next to remaining errors of earlier edits",
			[error(3, { new: false, earlier: true }), ...old(9)],
			2,
			"0 errors are new with this edit; 2 were fixed; 1 is left from earlier edits; 1 more was there before.",
		],
		[
			"without a new error",
			old(4, 9, 20),
			2,
			"The edit was applied. It fixed 2 errors and caused no new ones; 3 were there before (lines 4, 9, 20).",
		],
		[
			"one of two",
			old(4),
			1,
			"The edit was applied. It fixed 1 error and caused no new ones; 1 was there before (line 4).",
		],
		["none of one", old(4), 0, "The edit was applied. It caused no new errors; 1 was there before (line 4)."],
	])("%s", (_, diagnostics, fixed, sentence) => {
		expect(lines(editBlock(report(file("a.ts", diagnostics, { fixed })), "none")).at(-1)).toBe(sentence);
	});

	test("are not counted without a proven baseline", () => {
		expect(lines(editBlock(report(file("a.ts", errors(2), { fixed: 3 })), "none")).at(-1)).toBe("</diagnostics>");
	});
});

describe("a clean file", () => {
	test.each<[string, FileReport[]]>([
		["the edited file", [file("a.ts", [], { fixed: 2 })]],
		["another file", [file("a.ts", []), mended("b.ts", 3)]],
		["both", [file("a.ts", [], { fixed: 2 }), mended("b.ts", 3)]],
		["another file that keeps what it had", [file("a.ts", [], { fixed: 2 }), mended("b.ts", 3, old(7))]],
	])("is silent with %s", (_, files) => {
		for (const others of ["full", "line", "none"] as const) expect(editBlock(report(...files), others)).toBeUndefined();
		expect(commandText(report(...files), 2)).toBeUndefined();
	});

	test("has the number of fixed errors if the caller requests it", () => {
		expect(checkText(report(file("src/a.ts", [], { fixed: 2 })))).toBe("src/a.ts: clean (2 fixed)");
		expect(reportText(report(file("src/a.ts", [], { fixed: 1 })))).toBe("src/a.ts: clean (1 fixed)");
		expect(reportText(report(file("src/a.ts", [], { fixed: 0 })))).toBe("src/a.ts: clean");
	});

	test("is not called better than before if it is not proven", () => {
		const given = report(file("a.ts", [], { state: "timed_out", reason: "slow", fixed: 2 }));
		expect(reportText(given)).toBe("a.ts: not checked in time (slow); ask again in a few seconds");
	});
});

describe("the fixed errors of other files", () => {
	test.each<[string, FileReport[], string | undefined]>([
		["several in several", [mended("b.ts", 2), mended("c.ts", 1)], "It fixed 3 errors in 2 other files."],
		["one in one", [mended("b.ts", 1), mended("c.ts", 0)], "It fixed 1 error in 1 other file."],
		["next to remaining errors", [mended("b.ts", 2, old(7))], "It fixed 2 errors in 1 other file."],
		["none", [file("b.ts", [], { role: "affected" })], "1 error is new with this edit."],
	])("are one line after all others: %s", (_, others, last) => {
		const given = report(file("a.ts", fresh(1)), ...others);
		expect(lines(editBlock(given, "full")).at(-1)).toBe(last);
		expect(lines(editBlock(given, "line")).at(-1)).toBe(last);
	});

	test("follow the errors of others", () => {
		const given = report(file("a.ts", []), affected("b.ts", 1), mended("c.ts", 3));
		expect(lines(editBlock(given, "line"))).toEqual([
			"The edit was applied. It newly broke 1 other file: b.ts (1 error). lsp_diagnostics shows the errors.",
			"It fixed 3 errors in 1 other file.",
		]);
		expect(lines(editBlock(given, "full")).slice(-2)).toEqual(["</diagnostics>", "It fixed 3 errors in 1 other file."]);
	});

	test("are left out if other files are excluded", () => {
		expect(editBlock(report(file("a.ts", fresh(1)), mended("b.ts", 3)), "none")).not.toContain("other");
	});
});
