import { describe, expect, test } from "vitest";
import type { FileReport, SignatureChange } from "../../../src/contract/check-report.ts";
import { checkText, editBlock, type OtherFiles } from "../../../src/render/check/diagnostics.ts";
import { signatureLines } from "../../../src/render/check/signatures.ts";
import { affected, change, error, file, lines, report } from "../reports.ts";

const line = (over: Partial<SignatureChange>) => signatureLines([change(over)])[0];
const sentence = "exported area(w: number, h: number): number is now (w: number): string; 7 callers in 3 files, 2 fail";

describe("a changed signature in one line", () => {
	test.each<[string, Partial<SignatureChange>, string]>([
		["is told with its callers", {}, sentence],
		["one of each", { callers: 1, files: 1, failing: 1 }, sentence.replace(/;.*/, "; 1 caller in 1 file, 1 fails")],
		["none fails", { failing: 0 }, sentence.replace(", 2 fail", "")],
		[
			"what stands before the name is not repeated",
			{ before: "function area(w: number): number", after: "function area(w: string): number" },
			"exported function area(w: number): number is now (w: string): number; 7 callers in 3 files, 2 fail",
		],
		[
			"but is told if it is another",
			{ before: "function area(): number", after: "async function area(): Promise<number>" },
			"exported function area(): number is now async function area(): Promise<number>; 7 callers in 3 files, 2 fail",
		],
		[
			"a type alone after the colon",
			{ name: "limit", before: "const limit: number", after: "const limit: string" },
			"exported const limit: number is now string; 7 callers in 3 files, 2 fail",
		],
		[
			"a mark of an optional property is kept",
			{ name: "limit", before: "limit?: number", after: "limit: number" },
			"exported limit?: number is now : number; 7 callers in 3 files, 2 fail",
		],
		[
			"a longer name that begins alike is another name",
			{ before: "area(): number", after: "areas(): number" },
			"exported area(): number is now areas(): number; 7 callers in 3 files, 2 fail",
		],
		[
			"a name is looked for as a word",
			{ name: "f", before: "function f(): number", after: "function f(): string" },
			"exported function f(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"without the name after it is told as it is",
			{ before: "area(): number", after: "(w): string" },
			"exported area(): number is now (w): string; 7 callers in 3 files, 2 fail",
		],
		[
			"where nothing follows the name, all is told",
			{ name: "Area", before: "class Area extends Shape", after: "class Area" },
			"exported class Area extends Shape is now class Area; 7 callers in 3 files, 2 fail",
		],
		[
			"a member has its whole path",
			{ name: "Rect.area", before: "area(): number", after: "area(): string" },
			"exported Rect.area(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"a member whose path the server shows",
			{ name: "Rect.area", before: "(method) Rect.area(): number", after: "(method) Rect.area(): string" },
			"exported (method) Rect.area(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"a signature without the name gets it",
			{ before: "(w: number) => void", after: "() => void" },
			"exported area: (w: number) => void is now () => void; 7 callers in 3 files, 2 fail",
		],
		[
			"several lines, markup and controls stay one harmless line",
			{ before: "area(\n\tw: Array<number>,\n): number", after: "area(): </diagnostics>\u001b" },
			"exported area( w: Array<number>, ): number is now (): &lt;/diagnostics>; 7 callers in 3 files, 2 fail",
		],
		[
			"a name is no more to be trusted",
			{ name: "a\n<b>", before: "(): void", after: "(): string" },
			"exported a <b>: (): void is now (): string; 7 callers in 3 files, 2 fail",
		],
	])("%s", (_, over, told) => {
		expect(line(over)).toBe(told);
	});

	test("is cut if it is long, and not inside a character", () => {
		for (const lead of ["", "x"]) {
			const long =
				line({ before: `area(${lead}${"👍".repeat(300)})`, after: `area(${lead}${"👎".repeat(300)})` }) ?? "";
			expect(long.length).toBeLessThan(2 * 161 + 60);
			expect(long.match(/…/g)).toHaveLength(2);
			expect(long.isWellFormed()).toBe(true);
		}
		expect(line({ before: `area(${"x".repeat(153)})x`, after: "area()" })).not.toContain("…");
		expect(line({ before: `area(${"x".repeat(153)})xy`, after: "area()" })).toContain("x)x… is now ()");
	});
});

describe("the changed signatures of a report", () => {
	const told = (others: OtherFiles, changes: SignatureChange[], ...files: FileReport[]) =>
		lines(editBlock({ ...report(...files), changes }, others));

	test("stand before the errors of other files", () => {
		expect(told("line", [change()], file("a.ts", []), affected("b.ts", 2))).toEqual([
			`The edit was applied. ${sentence}`,
			"It newly broke 1 other file: b.ts (2 errors). lsp_diagnostics shows the errors.",
		]);
		const block = told("full", [change()], file("a.ts", [error(1, { new: true })]), affected("b.ts", 2));
		expect(block.slice(4, 7)).toEqual([
			"1 error is new with this edit.",
			sentence,
			"LSP errors detected in other files, 1 file:",
		]);
	});

	test("are three, those with the most broken callers first, and the others are counted", () => {
		const changes = [1, 2, 3, 4, 5].map((failing) => change({ name: `f${failing}`, before: "a", after: "b", failing }));
		const block = told("line", changes, file("a.ts", []));
		expect(block.map((text) => /\bf\d/.exec(text)?.[0] ?? text)).toEqual(["f5", "f4", "f3", "… and 2 more"]);
	});

	test("are left out in the hook while no caller fails", () => {
		const given = { ...report(file("a.ts", [])), changes: [change({ failing: 0 })] };
		expect(editBlock(given, "full")).toBeUndefined();
		expect(editBlock(given, "line")).toBeUndefined();
	});

	test("are left out if other files are excluded", () => {
		expect(editBlock({ ...report(file("a.ts", [])), changes: [change()] }, "none")).toBeUndefined();
	});

	test("are shown by request if they have callers", () => {
		const changes = [change({ failing: 0 }), change({ name: "none", callers: 0, failing: 0 })];
		expect(lines(checkText({ ...report(file("a.ts", [])), changes }))).toEqual([
			`The edit was applied. ${sentence.replace(", 2 fail", "")}`,
			"a.ts: clean",
		]);
	});
});
