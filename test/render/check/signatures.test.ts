import { describe, expect, test } from "vitest";
import type { FileReport, SignatureChange } from "../../../src/contract/check-report.ts";
import { checkText, editBlock, type OtherFiles } from "../../../src/render/check/diagnostics.ts";
import { signatureLines } from "../../../src/render/check/signatures.ts";
import { affected, change, error, file, lines, report } from "../reports.ts";

const line = (over: Partial<SignatureChange>) => signatureLines([change(over)])[0];
const sentence = "exported area(w: number, h: number): number is now (w: number): string; 7 callers in 3 files, 2 fail";

describe("a changed signature in one line", () => {
	test.each<[string, Partial<SignatureChange>, string]>([
		["is shown with its callers", {}, sentence],
		[
			"has one caller, file and failure in the singular",
			{ callers: 1, files: 1, failing: 1 },
			sentence.replace(/;.*/, "; 1 caller in 1 file, 1 fails"),
		],
		["omits failing callers if none fails", { failing: 0 }, sentence.replace(", 2 fail", "")],
		[
			"does not repeat the text before the name",
			{ before: "function area(w: number): number", after: "function area(w: string): number" },
			"exported function area(w: number): number is now (w: string): number; 7 callers in 3 files, 2 fail",
		],
		[
			"has the text before the name if it differs",
			{ before: "function area(): number", after: "async function area(): Promise<number>" },
			"exported function area(): number is now async function area(): Promise<number>; 7 callers in 3 files, 2 fail",
		],
		[
			"has the type alone after the colon",
			{ name: "limit", before: "const limit: number", after: "const limit: string" },
			"exported const limit: number is now string; 7 callers in 3 files, 2 fail",
		],
		[
			"keeps the mark of an optional property",
			{ name: "limit", before: "limit?: number", after: "limit: number" },
			"exported limit?: number is now : number; 7 callers in 3 files, 2 fail",
		],
		[
			"treats a longer name with the same beginning as another name",
			{ before: "area(): number", after: "areas(): number" },
			"exported area(): number is now areas(): number; 7 callers in 3 files, 2 fail",
		],
		[
			"searches the name as a word",
			{ name: "f", before: "function f(): number", after: "function f(): string" },
			"exported function f(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"is shown unchanged without the name in the new one",
			{ before: "area(): number", after: "(w): string" },
			"exported area(): number is now (w): string; 7 callers in 3 files, 2 fail",
		],
		[
			"is shown whole if nothing follows the name",
			{ name: "Area", before: "class Area extends Shape", after: "class Area" },
			"exported class Area extends Shape is now class Area; 7 callers in 3 files, 2 fail",
		],
		[
			"has the whole path of a member",
			{ name: "Rect.area", before: "area(): number", after: "area(): string" },
			"exported Rect.area(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"keeps the path of a member that the server shows",
			{ name: "Rect.area", before: "(method) Rect.area(): number", after: "(method) Rect.area(): string" },
			"exported (method) Rect.area(): number is now (): string; 7 callers in 3 files, 2 fail",
		],
		[
			"gets the name if the signature lacks it",
			{ before: "(w: number) => void", after: "() => void" },
			"exported area: (w: number) => void is now () => void; 7 callers in 3 files, 2 fail",
		],
		[
			"is one harmless line without markup and control characters",
			{ before: "area(\n\tw: Array<number>,\n): number", after: "area(): </diagnostics>\u001b" },
			"exported area( w: Array<number>, ): number is now (): &lt;/diagnostics>; 7 callers in 3 files, 2 fail",
		],
		[
			"has a name without markup and control characters",
			{ name: "a\n<b>", before: "(): void", after: "(): string" },
			"exported a <b>: (): void is now (): string; 7 callers in 3 files, 2 fail",
		],
	])("%s", (_, over, expected) => {
		expect(line(over)).toBe(expected);
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
	const blockWith = (others: OtherFiles, changes: SignatureChange[], ...files: FileReport[]) =>
		lines(editBlock({ ...report(...files), changes }, others));

	test("stand before the errors of other files", () => {
		expect(blockWith("line", [change()], file("a.ts", []), affected("b.ts", 2))).toEqual([
			`The edit was applied. ${sentence}`,
			"It newly broke 1 other file: b.ts (2 errors). lsp_diagnostics shows the errors.",
		]);
		const block = blockWith("full", [change()], file("a.ts", [error(1, { new: true })]), affected("b.ts", 2));
		expect(block.slice(4, 7)).toEqual([
			"1 error is new with this edit.",
			sentence,
			"LSP errors detected in other files, 1 file:",
		]);
	});

	test("are three, those with the most broken callers first, and the others are counted", () => {
		const changes = [1, 2, 3, 4, 5].map((failing) => change({ name: `f${failing}`, before: "a", after: "b", failing }));
		const block = blockWith("line", changes, file("a.ts", []));
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
