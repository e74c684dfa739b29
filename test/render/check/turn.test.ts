import { describe, expect, test } from "vitest";
import { commandText, lateText } from "../../../src/render/check/turn.ts";
import { affected, errors, file, lines, report } from "../reports.ts";

const WRONG = errors(1, { new: true });

describe("the block for a shell command", () => {
	test("counts the files that it changed, in the singular and in the plural", () => {
		expect(lines(commandText(report(file("a.ts", WRONG)), 1))[0]).toBe(
			"The command changed 1 file. LSP errors detected in this file, please fix:",
		);
		expect(commandText(report(file("a.ts", WRONG), file("b.ts", [])), 2)).toMatch(/^The command changed 2 files\. LSP/);
	});

	test("states how many of them were checked if not all were", () => {
		const unproven = file("b.ts", [], { state: "timed_out" });
		expect(commandText(report(file("a.ts", WRONG), unproven), 2)).toMatch(
			/^The command changed 2 files, of which 1 was checked\. /,
		);
		expect(commandText(report(file("a.ts", WRONG), file("b.ts", []), unproven), 40)).toMatch(
			/^The command changed 40 files, of which 2 were checked\. /,
		);
	});

	test("is silent if nothing is wrong, however many files it changed", () => {
		expect(commandText(report(file("a.ts", [])), 363)).toBeUndefined();
		expect(commandText(report(), 363)).toBeUndefined();
	});
});

describe("a report after the result of its call", () => {
	test("begins as the report of an earlier edit, and shows as much of other files as its call would have", () => {
		const found = report(affected("src/b.ts", 2));
		expect(lateText(found, "line")).toBe(
			"Checked late, from an earlier edit: The edit was applied. " +
				"It newly broke 1 other file: src/b.ts (2 errors). lsp_diagnostics shows the errors.",
		);
		expect(lines(lateText(found, "full"))[0]).toBe(
			"Checked late, from an earlier edit: The edit was applied. LSP errors detected in other files, 1 file:",
		);
	});

	test("of a command counts the files that it changed, and does not claim how many were checked", () => {
		expect(lateText(report(file("a.ts", WRONG)), "line", 363)).toMatch(
			/^Checked late, from an earlier command: The command changed 363 files\. LSP errors detected in this file/,
		);
		expect(lines(lateText(report(affected("src/b.ts", 1)), "full", 363))[0]).toBe(
			"Checked late, from an earlier command: The command changed 363 files. LSP errors detected in other files, 1 file:",
		);
	});

	test("is silent if nothing is wrong", () => {
		expect(lateText(report(file("a.ts", [])), "full")).toBeUndefined();
	});
});
