import { type Failure, maxFailures, type TestCounts, withoutColours } from "./failure.ts";

/** A failed test of a report. */
export interface ReportedTest {
	/** What contains the test: a class, a module or a file. */
	readonly group: string;
	readonly name: string;
	readonly file: string | undefined;
	/** As the report counts: from 0 for pytest. */
	readonly line: number | undefined;
	readonly message: string;
	/** With the trace. */
	readonly text: string;
}

export interface TestReport {
	readonly failed: readonly ReportedTest[];
	readonly counts: TestCounts;
}

/** Reads a report in JUnit's form. */
export function junitReport(xml: string): TestReport {
	const failed: ReportedTest[] = [];
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (let at = xml.indexOf("<testcase"); at >= 0; ) {
		const next = xml.indexOf("<testcase", at + 1);
		const piece = xml.slice(at, next < 0 ? xml.length : next);
		const head = tagAt(piece, 0);
		const fault = /<(?:failure|error)\b/.exec(piece);
		if (fault) {
			counts.failed++;
			if (failed.length < maxFailures) failed.push(reported(head, piece, fault.index));
		} else if (/<skipped\b/.test(piece)) counts.skipped++;
		else counts.passed++;
		at = next;
	}
	return { failed, counts };
}

function reported(head: string, piece: string, at: number): ReportedTest {
	const fault = tagAt(piece, at);
	const isEmpty = fault.endsWith("/>");
	const start = at + fault.length;
	const end = isEmpty ? start : piece.search(/<\/(?:failure|error)>/);
	const text = isEmpty ? "" : unescaped(piece.slice(start, end < 0 ? piece.length : end)).trim();
	const line = attribute(head, "line");
	return {
		group: attribute(head, "classname") ?? "",
		name: attribute(head, "name") ?? "",
		file: attribute(head, "file"),
		line: line === undefined ? undefined : Number(line),
		message: attribute(fault, "message") || firstLine(text),
		text: withoutColours(text),
	};
}

/** The tag at an index; a quoted value may hold its end. */
function tagAt(text: string, at: number): string {
	let quote = "";
	for (let index = at; index < text.length; index++) {
		const character = text[index] ?? "";
		if (quote !== "") {
			if (character === quote) quote = "";
		} else if (character === '"' || character === "'") quote = character;
		else if (character === ">") return text.slice(at, index + 1);
	}
	return text.slice(at);
}

function attribute(tag: string, name: string): string | undefined {
	const at = tag.indexOf(` ${name}="`);
	if (at < 0) return undefined;
	const start = at + name.length + 3;
	const end = tag.indexOf('"', start);
	return end < 0 ? undefined : unescaped(tag.slice(start, end));
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescaped(text: string): string {
	const plain = text.replace(/<!\[CDATA\[|\]\]>/g, "");
	return plain.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|quot|apos|amp));/g, (all, decimal, hex, name) => {
		if (name !== undefined) return entities[name as string] ?? all;
		const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
		return code <= 0x10ffff ? String.fromCodePoint(code) : all;
	});
}

function firstLine(text: string): string {
	return text.slice(0, 2000).split("\n", 1)[0] ?? "";
}

interface JestReport {
	readonly testResults?: readonly {
		readonly name?: string;
		readonly status?: string;
		readonly message?: string;
		readonly assertionResults?: readonly {
			readonly fullName?: string;
			readonly status?: string;
			readonly failureMessages?: readonly string[];
			readonly location?: { readonly line?: number; readonly column?: number } | null;
		}[];
	}[];
}

/** Of a message with its trace, in characters. */
const maxText = 20_000;

/** Reads the report of `jest --json`. Throws if it is no JSON. */
export function jestReport(json: string): { readonly failures: readonly Failure[]; readonly counts: TestCounts } {
	const failures: Failure[] = [];
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const { name: file = "", status: whole, message = "", assertionResults = [] } of (JSON.parse(json) as JestReport)
		.testResults ?? []) {
		if (assertionResults.length === 0 && whole === "failed" && failures.length < maxFailures)
			failures.push({ file, message: withoutColours(message) });
		for (const { fullName = "", status, failureMessages = [], location } of assertionResults) {
			if (status === "passed") counts.passed++;
			else if (status !== "failed") counts.skipped++;
			else {
				counts.failed++;
				const told = withoutColours(failureMessages.join("\n").slice(0, maxText));
				const at = told.indexOf(`${file}:`);
				const [, line = location?.line, column = location?.column] =
					/^:(\d+):(\d+)/.exec(at < 0 ? "" : told.slice(at + file.length, at + file.length + 20)) ?? [];
				const place = line === undefined ? {} : { line: Number(line), column: Number(column ?? 1) };
				if (failures.length < maxFailures)
					failures.push({ file, ...place, test: fullName, message: told.split(/\n[ \t]+at /, 1)[0]?.trim() ?? "" });
			}
		}
	}
	return { failures, counts };
}
