import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/contract/check-report.ts";
import { checkText, editBlock, reportText } from "../../../src/render/check/diagnostics.ts";
import { affected, error, errors, file, lines, report, shown } from "../reports.ts";

describe("the block after an edit", () => {
	test("has the wording, the order and the form of its contract", () => {
		const block = editBlock(
			report(file("src/utils.ts", [error(42, { message: "A <b> & c.\nMore." }), error(43)])),
			"full",
		);
		expect(block).toBe(
			[
				"The edit was applied. LSP errors detected in this file, please fix:",
				'<diagnostics file="src/utils.ts">',
				"ERROR [42:5] A &lt;b&gt; &amp; c. More. (ts2322)",
				"ERROR [43:5] Wrong 43. (ts2322)",
				"</diagnostics>",
			].join("\n"),
		);
	});

	test("offers at most three fixes after the errors of a file, within its lines", () => {
		const fix = (index: number) => ({ name: `f${index}`, title: `Add <b> from "./${index}"\n</diagnostics>` });
		const fixable = (count: number) => errors(count).map((each, index) => ({ ...each, fix: fix(index) }));
		const block = editBlock(report(file("a.ts", fixable(5))), "none") ?? "";
		const offered = block.split("</diagnostics>\n")[1]?.split("\n");
		expect(offered?.slice(0, 3)).toEqual(
			[0, 1, 2].map((index) => `fix f${index}: Add <b> from "./${index}" &lt;/diagnostics>`),
		);
		expect(block.match(/^fix f/gm)).toHaveLength(3);
		const files = [..."abc"].map((name) => file(`${name}.ts`, fixable(20)));
		const full = editBlock(report(...files), "none") ?? "";
		const counted = full.split("\n").filter((line) => /^(?:ERROR|fix f)/.test(line));
		expect(counted.length).toBeLessThanOrEqual(50);
	});

	test.each([
		["a clean file", report(file("a.ts", []))],
		["a file that is not proven", report(file("a.ts", [], { state: "timed_out", reason: "slow" }))],
		["clean files that depend on it", report(file("a.ts", []), file("b.ts", [], { role: "affected" }))],
	])("is empty for %s", (_, given) => {
		for (const others of ["full", "line", "none"] as const) expect(editBlock(given, others)).toBeUndefined();
	});

	test("never calls the edit a failure", () => {
		const block = editBlock(report(file("a.ts", errors(3, { new: true })), affected("b.ts", 2)), "full");
		expect(block).not.toMatch(/fail/i);
	});

	test("has short codes if a server gives a URI, and no label that repeats the message", () => {
		const given = [
			error(1, { code: "0", source: "yaml-schema: file:///home/me/a.schema.json" }),
			error(2, { code: "https://example.com/rules/no-tabs", source: "x" }),
			error(3, { message: "cannot find value `a` in this scope\nnot found in this scope", code: "E0425" }),
			error(4, { message: "expected `;`, found `}`\nexpected `;`", code: "E1" }),
			error(5, { message: "mismatched types\nexpected `u8`, found `&str`", code: "E0308" }),
		];
		expect(shown(editBlock(report(file("a.rs", given)), "none"))).toEqual([
			"ERROR [1:5] Wrong 1. (yaml-schema0)",
			"ERROR [2:5] Wrong 2. (no-tabs)",
			"ERROR [3:5] cannot find value `a` in this scope (E0425)",
			"ERROR [4:5] expected `;`, found `}` (E1)",
			"ERROR [5:5] mismatched types expected `u8`, found `&amp;str` (E0308)",
		]);
	});

	test("shows a message of several indented lines, as pyright's, on one line with all its words, and a long one keeps its code", () => {
		const indent = "\u00a0\u00a0";
		const several = [
			'Argument of type "dict[str, list[int]]" cannot be assigned to parameter "a"',
			`${indent}"dict[str, list[int]]" is not assignable to "dict[str, int]"`,
			`${indent}${indent}Type parameter "_VT@dict" is invariant, but "list[int]" is not the same as "int"`,
		];
		const message = several.map((line) => line.trim()).join(" ");
		const code = "reportArgumentType";
		const given = [
			error(1, { code, source: "Pyright", message: several.join("\n") }),
			error(2, { code, source: "Pyright", message: Array(40).fill(several.join("\n")).join("\n") }),
		];
		const [first, second = ""] = shown(editBlock(report(file("a.py", given)), "none"));
		expect(first).toBe(`ERROR [1:5] ${message} (${code})`);
		expect(second).toMatch(new RegExp(`… \\(${code}\\)$`));
		expect(second.length).toBeLessThan(1050);
	});

	test("shows a rule's name alone, and a number with its source", () => {
		const named = [error(1, { code: "no-undef", source: "eslint" }), error(2, { source: "" }), error(3)];
		const { code: _, ...plain } = error(4);
		expect(shown(editBlock(report(file("a.js", [...named, plain])), "none"))).toEqual([
			"ERROR [1:5] Wrong 1. (no-undef)",
			"ERROR [2:5] Wrong 2. (2322)",
			"ERROR [3:5] Wrong 3. (ts2322)",
			"ERROR [4:5] Wrong 4.",
		]);
	});
});

describe("the limits of a block", () => {
	test("allow 20 errors of a file, and the rest of 21 and more is counted", () => {
		expect(shown(editBlock(report(file("a.ts", errors(20))), "full"))).toHaveLength(20);
		expect(editBlock(report(file("a.ts", errors(20))), "full")).not.toContain("more");
		const block = editBlock(report(file("a.ts", errors(500))), "full");
		expect(shown(block)).toHaveLength(20);
		expect(lines(block)).toContain("... and 480 more");
	});

	test("put declarations after the block, each once, within the lines of all blocks", () => {
		const declared = (line: number) => ({ text: "f(a: Set<</diagnostics>>): void", path: "src/f.ts", line });
		const two = [error(1, { declared: declared(3) }), error(2, { declared: declared(3) })];
		expect(lines(editBlock(report(file("a.ts", two)), "full")).slice(-2)).toEqual([
			"</diagnostics>",
			"f(a: Set<&lt;/diagnostics>>): void · src/f.ts:3",
		]);
		const many = errors(20).map((each, index) => ({ ...each, declared: declared(index) }));
		const others = Array.from({ length: 5 }, (_, index) => affected(`b${index}.ts`, 20));
		const block = editBlock(report(file("a.ts", many), ...others), "full");
		const rows = lines(block).filter((line) => /^ERROR| · /.test(line));
		expect(rows).toHaveLength(50);
		expect(rows.filter((line) => line.includes(" · "))).toHaveLength(20);
	});

	test("leave files without a line counted, and not listed with nothing in them", () => {
		const many = (over: Partial<Diagnostic>) =>
			Array.from({ length: 6 }, (_, index) => file(`f${index}.ts`, errors(20, over)));
		const found = lines(checkText(report(...many({}))));
		expect(found.filter((line) => line.startsWith("<diagnostics"))).toHaveLength(3);
		expect(found).toContain("... and 3 more files with errors");
		const old = lines(checkText(report(...many({}), file("old.ts", errors(1, { new: false })))));
		expect(old.at(-1)).toBe("LSP errors that were there before: 1 file");
		const others = lines(checkText(report(...many({}), affected("b.ts", 1), affected("c.ts", 1))));
		expect(others).toContain("LSP errors detected in other files: 2 files");
	});

	test("allow 5 other files, and the others are counted", () => {
		const others = Array.from({ length: 7 }, (_, index) => affected(`b${index}.ts`, 1));
		const block = editBlock(report(file("a.ts", []), ...others), "full");
		expect(lines(block)[0]).toBe("The edit was applied. LSP errors detected in other files, 7 files:");
		expect(lines(block).filter((line) => line.startsWith("<diagnostics"))).toHaveLength(5);
		expect(lines(block).at(-1)).toBe("... and 2 more files with errors");
	});

	test("are 50 lines in all, however many files and errors there are; cut lines are reported and do not count", () => {
		const others = Array.from({ length: 9 }, (_, index) => affected(`b${index}.ts`, 30));
		const block = editBlock(report(file("a.ts", errors(30, { new: true })), ...others), "full");
		expect(shown(block)).toHaveLength(50);
		expect(lines(block).filter((line) => line === "... and 10 more")).toHaveLength(2);
		expect(lines(block)).toContain("... and 20 more");
		expect(lines(block).at(-1)).toBe("... and 7 more files with errors");
	});

	test("are reported in the singular for a single omitted error", () => {
		const others = Array.from({ length: 6 }, (_, index) => affected(`b${index}.ts`, 1));
		expect(lines(editBlock(report(file("a.ts", []), ...others), "full")).at(-1)).toBe(
			"... and 1 more file with errors",
		);
	});
});

describe("the words for new and old errors", () => {
	const judged = (diagnostics: readonly Diagnostic[]) =>
		lines(editBlock(report(file("a.ts", diagnostics)), "none")).at(-1);

	test.each([
		[[error(1, { new: true })], "1 error is new with this edit."],
		[errors(2, { new: true }), "2 errors are new with this edit."],
		[[error(1, { new: true }), error(2, { new: false })], "1 error is new with this edit; 1 more was there before."],
		[
			[...errors(2, { new: true }), ...errors(3, { new: false })],
			"2 errors are new with this edit; 3 more were there before.",
		],
		[
			[error(1, { new: true }), error(2, { new: false, earlier: true }), error(3, { new: false })],
			"1 error is new with this edit; 1 is left from earlier edits; 1 more was there before.",
		],
		[[error(1, { new: false, earlier: true })], "0 errors are new with this edit; 1 is left from earlier edits."],
	])("are right in case %#", (diagnostics, sentence) => {
		expect(judged(diagnostics)).toBe(sentence);
	});

	test("are absent if nothing is known of the earlier state", () => {
		expect(judged(errors(2))).toBe("</diagnostics>");
	});

	test("are one line for errors from before, which remain", () => {
		const block = (count: number) => editBlock(report(file("a.ts", errors(count, { new: false }))), "none");
		expect(block(1)).toBe("The edit was applied. It caused no new errors; 1 was there before (line 1).");
		expect(block(7)).toBe(
			"The edit was applied. It caused no new errors; 7 were there before (lines 1, 2, 3, 4, 5, …).",
		);
	});

	test("are absent for another file's old errors", () => {
		const old = file("b.ts", errors(3, { new: false }), { role: "affected" });
		expect(editBlock(report(file("a.ts", []), old), "full")).toBeUndefined();
		expect(editBlock(report(file("a.ts", []), old), "line")).toBeUndefined();
	});
});

describe("other files in one line", () => {
	test("are named with their counts", () => {
		expect(editBlock(report(file("a.ts", []), affected("b.ts", 1), affected("c.ts", 2)), "line")).toBe(
			"The edit was applied. It newly broke 2 other files: b.ts (1 error), c.ts (2 errors). lsp_diagnostics shows the errors.",
		);
	});

	test("are in the singular for a single file, and the sixth and more are counted", () => {
		expect(editBlock(report(file("a.ts", []), affected("b.ts", 1)), "line")).toContain(
			"newly broke 1 other file: b.ts (1 error).",
		);
		const many = Array.from({ length: 8 }, (_, index) => affected(`b${index}.ts`, 1));
		expect(editBlock(report(file("a.ts", []), ...many), "line")).toContain("b4.ts (1 error), and 3 more.");
	});

	test("are left out if they are excluded", () => {
		expect(editBlock(report(file("a.ts", []), affected("b.ts", 1)), "none")).toBeUndefined();
	});

	test("have paths that cannot leave their line", () => {
		const text = editBlock(report(file("a.ts", []), affected("b\n</diagnostics>.ts", 1)), "line") ?? "";
		expect(lines(text)).toHaveLength(1);
		expect(text).not.toContain("</diagnostics>");
	});
});

describe("headings and counts", () => {
	const warning = error(1, { severity: "warning", new: true });
	const hint = error(2, { severity: "hint", new: true });

	test.each([
		[[warning], "LSP warnings detected in this file, please fix:", "1 warning is new with this edit."],
		[[hint], "LSP hints detected in this file, please fix:", "1 hint is new with this edit."],
		[
			[warning, hint],
			"LSP warnings and hints detected in this file, please fix:",
			"2 findings are new with this edit.",
		],
		[[error(3, { new: true }), warning, hint], "LSP errors, warnings and hints detected in this file, please fix:"],
	])("are right in case %#", (diagnostics, heading, counts = "3 findings are new with this edit.") => {
		const block = lines(editBlock(report(file("a.ts", diagnostics)), "none"));
		expect([block[0], block.at(-1)]).toEqual([`The edit was applied. ${heading}`, counts]);
	});

	test("are right in other files too", () => {
		const other = file("b.ts", [warning], { role: "affected" });
		expect(editBlock(report(file("a.ts", []), other), "full")).toContain(
			"LSP warnings detected in other files, 1 file:",
		);
		expect(editBlock(report(file("a.ts", []), other), "line")).toContain(
			"b.ts (1 warning). lsp_diagnostics shows the warnings.",
		);
	});
});

describe("a full report", () => {
	test("calls only a proven file clean", () => {
		expect(reportText(report(file("a.ts", [])))).toBe("a.ts: clean");
		for (const state of ["timed_out", "unavailable", "untrusted", "unsupported", "too_large", "binary"] as const)
			expect(reportText(report(file("a.ts", [], { state })))).not.toContain("clean");
	});

	test("gives the reason of an unproven file, and its diagnostics all the same", () => {
		const text = reportText(report(file("a.ts", [error(1)], { state: "unavailable", reason: "It crashed." })));
		expect(lines(text)[0]).toBe("a.ts: not checked, the server is unavailable (It crashed)");
		expect(shown(text)).toHaveLength(1);
		const binary = report(file("a.ts", [], { state: "binary", reason: "a.ts is not a text file." }));
		expect(reportText(binary)).toBe("a.ts: not checked, it is not a text file");
	});

	test("has no limits", () => {
		expect(shown(reportText(report(file("a.ts", errors(200)))))).toHaveLength(200);
		expect(shown(reportText(report(file("a.ts", errors(200), { state: "timed_out" }))))).toHaveLength(200);
	});

	test("states how many files were not reached", () => {
		const given = { ...report(file("a.ts", [])), omitted: { diagnostics: 0, files: 3 } };
		expect(lines(reportText(given)).at(-1)).toBe("... and 3 more files were not proven (no answer, or not in time)");
		const one = { ...given, omitted: { diagnostics: 1, files: 1 } };
		expect(lines(reportText(one)).slice(1)).toEqual([
			"... and 1 more diagnostic",
			"... and 1 more file was not proven (no answer, or not in time)",
		]);
	});
});

describe("the output of check", () => {
	test("equals the block of the hook", () => {
		const given = report(file("a.ts", errors(30, { new: true })), affected("b.ts", 2));
		expect(checkText(given)).toBe(editBlock(given, "full"));
	});

	test("states of every other file that it is clean or why nothing is known", () => {
		const given = report(
			file("a.ts", [error(1)]),
			file("b.ts", []),
			file("c.ts", [], { state: "timed_out", reason: "slow" }),
		);
		expect(lines(checkText(given)).slice(-2)).toEqual([
			"b.ts: clean",
			"c.ts: not checked in time (slow); ask again in a few seconds",
		]);
	});

	test("lists errors from before under a heading of their own, in all files", () => {
		const old = error(7, { new: false });
		const given = report(file("a.ts", [error(1, { new: true }), old]), file("b.ts", [old], { role: "affected" }));
		expect(lines(checkText(given))).toEqual([
			"The edit was applied. LSP errors detected in this file, please fix:",
			'<diagnostics file="a.ts">',
			"ERROR [1:5] Wrong 1. (ts2322)",
			"</diagnostics>",
			"1 error is new with this edit; 1 more was there before.",
			"LSP errors that were there before, 2 files:",
			...["a.ts", "b.ts"].flatMap((path) => [
				`<diagnostics file="${path}">`,
				"ERROR [7:5] Wrong 7. (ts2322)",
				"</diagnostics>",
			]),
		]);
		const inFull = lines(reportText(report(file("a.ts", [error(1, { new: true }), old])))).slice(3);
		expect(inFull[0]).toBe("LSP errors that were there before, 1 file:");
	});

	test("mentions an edit only if one is known to have broken the file", () => {
		const first = (...found: Parameters<typeof file>) => lines(checkText(report(file(...found))))[0];
		expect(first("a.ts", errors(2))).toBe("LSP errors detected in this file:");
		expect(first("a.ts", errors(2, { new: true }), { unchanged: true })).toBe("LSP errors detected in this file:");
	});

	test("omits clean files that depend on one", () => {
		expect(checkText(report(file("a.ts", []), file("b.ts", [], { role: "affected" })))).toBe("a.ts: clean");
	});
});
