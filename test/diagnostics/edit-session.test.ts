import { describe, expect, test } from "vitest";
import type { Baseline } from "../../src/diagnostics/baseline.ts";
import { EditSession } from "../../src/diagnostics/edit-session.ts";
import { mergeDiagnostics } from "../../src/diagnostics/merge-diagnostics.ts";
import { convertDiagnostics } from "../../src/diagnostics/sources/convert.ts";
import type { Proof } from "../../src/diagnostics/sources/prove.ts";
import type { Route } from "../../src/routing/locate.ts";
import { error, judged } from "./sample.ts";

const route = { config: { id: "x" }, root: "/" } as Route;

function proof(text: string): Proof {
	return { path: "/a.ts", hash: text, ...judged(text) };
}

function baseline(text: string): Baseline {
	return { proof: proof(text), signatures: new Map() };
}

/** The session's words for each error of a sequence of edits. */
function tell(session: EditSession, before: string | undefined, after: string, call?: string): string[] {
	const found = session.markCauses(route, before === undefined ? undefined : proof(before), proof(after), call);
	return found.map((item) => {
		if (item.new === undefined) return `${item.message}: unknown`;
		return `${item.message}: ${item.new ? "new" : item.earlier ? "earlier" : "before"}`;
	});
}

describe("an edit's errors are", () => {
	test("new, left from an earlier edit of this session, or from before the session", () => {
		const session = new EditSession();
		expect(tell(session, "WRONG a\nx\ny", "WRONG a\nWRONG b\ny")).toEqual(["WRONG a: before", "WRONG b: new"]);
		expect(tell(session, "WRONG a\nWRONG b\ny", "WRONG a\nWRONG b\nWRONG c")).toEqual([
			"WRONG a: before",
			"WRONG b: earlier",
			"WRONG c: new",
		]);
	});

	test("always reported as old once they were old, however far they move", () => {
		const session = new EditSession();
		tell(session, "WRONG a", "x\nWRONG a");
		expect(tell(session, "x\nWRONG a", "x\ny\nz\nWRONG a")).toEqual(["WRONG a: before"]);
	});

	test("no longer old once they were fixed: the same error again is new in this session", () => {
		const session = new EditSession();
		tell(session, "WRONG a", "fine");
		tell(session, "fine", "WRONG a");
		expect(tell(session, "WRONG a", "WRONG a\nx")).toEqual(["WRONG a: earlier"]);
	});

	test("new in only one of several edits that were announced together", () => {
		const session = new EditSession();
		for (const call of ["1", "2", "3"]) session.announce(call, Promise.resolve());
		tell(session, "x", "x", "0");
		expect(tell(session, "x\ny\nz", "WRONG a\ny\nz", "1")).toEqual(["WRONG a: new"]);
		expect(tell(session, "x\ny\nz", "WRONG a\nWRONG b\nz", "2")).toEqual(["WRONG a: earlier", "WRONG b: new"]);
		session.announce("4", Promise.resolve());
		expect(tell(session, "x\ny\nz", "WRONG a\ny\nz", "4")).toEqual(["WRONG a: new"]);
		expect(tell(session, "x\ny\nz", "WRONG a\ny\nz", "3")).toEqual(["WRONG a: earlier"]);
	});

	test("never reported as old while the check of the session's first edit has not ended", () => {
		const session = new EditSession();
		session.beginCheck(route, "/a.ts", "1");
		session.beginCheck(route, "/a.ts", "2");
		expect(tell(session, "WRONG a", "WRONG a\nx", "2")).toEqual(["WRONG a: unknown"]);
		expect(tell(session, "WRONG a\nx", "WRONG a\ny", "3")).toEqual(["WRONG a: unknown"]);
		expect(tell(session, "fine", "WRONG a\ny", "1")).toEqual(["WRONG a: new"]);
		expect(tell(session, "WRONG a\ny", "WRONG a\nz", "4")).toEqual(["WRONG a: earlier"]);
	});

	test("never reported as old if nothing was proven before the session's first edit", () => {
		const session = new EditSession();
		expect(tell(session, undefined, "WRONG a")).toEqual(["WRONG a: unknown"]);
		expect(tell(session, "WRONG a", "WRONG a\nWRONG b")).toEqual(["WRONG a: unknown", "WRONG b: new"]);
		expect(tell(session, "WRONG a\nWRONG b", "x")).toEqual([]);
		expect(tell(session, "x", "x\nWRONG a")).toEqual(["WRONG a: new"]);
		expect(tell(session, "x\nWRONG a", "y\nWRONG a")).toEqual(["WRONG a: earlier"]);
	});

	test("tracked for each session separately", () => {
		tell(new EditSession(), "x", "WRONG a");
		expect(tell(new EditSession(), "WRONG a", "WRONG a\ny")).toEqual(["WRONG a: before"]);
	});
});

describe("a baseline", () => {
	test("is handed over once", async () => {
		const session = new EditSession();
		session.addBaseline(route, "/a.ts", "1", Promise.resolve(baseline("a")));
		expect(await session.beginCheck(route, "/a.ts", "1")).toMatchObject({ proof: { text: "a" } });
		expect(await session.beginCheck(route, "/a.ts", "1")).toBeUndefined();
	});

	test("is waited for once it is announced, though the check came first", async () => {
		const session = new EditSession();
		let arrive = () => {};
		const announced = new Promise<void>((resolve) => {
			arrive = () => {
				session.addBaseline(route, "/a.ts", "call", Promise.resolve(baseline("a")));
				resolve();
			};
		});
		session.announce("call", announced);
		const taken = session.beginCheck(route, "/a.ts", "call");
		arrive();
		expect(await taken).toMatchObject({ proof: { text: "a" } });
	});

	test("is missing for a call whose announcement fails", async () => {
		const session = new EditSession();
		session.announce("call", Promise.reject(new Error("no")));
		expect(await session.beginCheck(route, "/a.ts", "call")).toBeUndefined();
	});

	test("belongs to its own one of several parallel calls on one file", async () => {
		const session = new EditSession();
		session.addBaseline(route, "/a.ts", "one", Promise.resolve(baseline("1")));
		session.addBaseline(route, "/a.ts", "two", Promise.resolve(baseline("2")));
		expect(await session.beginCheck(route, "/a.ts", "two")).toMatchObject({ proof: { text: "2" } });
		expect(await session.beginCheck(route, "/a.ts", "one")).toMatchObject({ proof: { text: "1" } });
	});
});

describe("a server's diagnostics are converted", () => {
	const range = { start: { line: 0, character: 2 }, end: { line: 0, character: 6 } };
	const lines = ["👍wrong", "x"];

	test("with 1-based lines and columns of UTF-16, in the server's encoding", async () => {
		const [item] = await convertDiagnostics(
			[{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } }, message: "m" }],
			lines,
			"utf-8",
		);
		expect(item).toMatchObject({ line: 1, column: 3, endLine: 1, endColumn: 8, severity: "error", message: "m" });
	});

	test("with every severity; a missing and an unknown one count as an error", async () => {
		const given = [1, 2, 3, 4, undefined, 9].map((severity, index) => ({ range, message: `${index}`, severity }));
		const found = await convertDiagnostics(given as never, lines, "utf-16");
		expect(found.map(({ severity }) => severity)).toEqual(["error", "warning", "info", "hint", "error", "error"]);
	});

	test("without duplicates, in order of position", async () => {
		const later = { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, message: "later" };
		const given = [later, { range, message: "first", code: 0 }, { range, message: "first" }];
		expect((await convertDiagnostics(given as never, lines, "utf-16")).map(({ message }) => message)).toEqual([
			"first",
			"later",
		]);
	});

	test("without clangd's remarks about its own fixes, which come and go while the error stays", async () => {
		const given = ["Unknown type name 'a' (fix available)", "b (fixes available)", "a (fix available) c"];
		const found = await convertDiagnostics(
			given.map((message) => ({ range, message })),
			lines,
			"utf-16",
		);
		expect(found.map(({ message }) => message)).toEqual(["a (fix available) c", "b", "Unknown type name 'a'"]);
	});

	test("a code is always a string", async () => {
		const codes = await convertDiagnostics(
			[
				{ range, message: "a", code: 7 },
				{ range, message: "b", code: "x" },
			],
			lines,
			"utf-16",
		);
		expect(codes.map(({ code }) => code)).toEqual(["7", "x"]);
	});
});

test("an error that two servers report at one position is reported once, in the words of the first", () => {
	const merged = mergeDiagnostics([
		[error(2, { source: "ts" }), error(1)],
		[error(2, { source: "other", code: "x" }), error(3)],
	]);
	expect(merged.map(({ line, source }) => [line, source])).toEqual([
		[1, "ts"],
		[2, "ts"],
		[3, "ts"],
	]);
});

test("equivalent errors of two servers at one position are reported once: the more severe, else in the type checker's words", () => {
	const reported = (code: string, column: number, more: object = {}) =>
		error(1, { message: code, code, column, endLine: 1, endColumn: column + 3, ...more });
	const merge = (...lists: Parameters<typeof mergeDiagnostics>[0]) =>
		mergeDiagnostics(lists).map(({ column, code }) => `${column} ${code}`);
	const ofLinter = [reported("F821", 1), reported("F821", 5), reported("F401", 9, { severity: "warning" })];
	const ofChecker = [reported("reportUndefinedVariable", 1), reported("reportUnusedImport", 9, { severity: "hint" })];
	const expected = ["1 reportUndefinedVariable", "5 F821", "9 F401"];
	expect(merge(ofChecker, ofLinter)).toEqual(expected);
	expect(merge(ofLinter, ofChecker)).toEqual(expected);
	// TypeScript marks the whole import, ESLint the name; both stay if they are from one server.
	const unused = reported("6133", 1, { endColumn: 30 });
	expect(merge([unused, reported("6133", 10)], [reported("@typescript-eslint/no-unused-vars", 10)])).toEqual([
		"1 6133",
		"10 6133",
	]);
	expect(merge([reported("2304", 1)], [reported("no-undef", 4), reported("no-undef", 1)])).toEqual([
		"1 2304",
		"4 no-undef",
	]);
});
