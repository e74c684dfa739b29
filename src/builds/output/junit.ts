import { maxFailures, type TestCounts, withoutColours } from "./failure.ts";

export interface ReportedTest {
	/** Class, module or file. */
	readonly group: string;
	readonly name: string;
	readonly file: string | undefined;
	/** As the report counts: from 0 for pytest. */
	readonly line: number | undefined;
	readonly message: string;
	readonly text: string;
}

export interface TestReport {
	readonly failed: readonly ReportedTest[];
	readonly counts: TestCounts;
}

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
