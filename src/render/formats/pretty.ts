import { type CheckReport, namesAllFiles, type Severity } from "../../contract/check-report.ts";
import { passedLines } from "../check/passed-over.ts";
import { controls, oneLine } from "../escape.ts";
import {
	type Finding,
	type FormatContext,
	findingsIn,
	shownMessage,
	shownPath,
	stateForPerson,
	summaryLine,
} from "./format.ts";

export type Style = Severity | "path" | "dim" | "good";

export interface Styled {
	readonly text: string;
	readonly style?: Style;
}

const maxWidth = 160;
const before = 60;

export function pretty(report: CheckReport, context: FormatContext): readonly (readonly Styled[])[] {
	const found = findingsIn(report);
	const unproven = report.files.filter(({ state }) => state !== "fresh");
	const isClean = found.length === 0 && unproven.length === 0 && namesAllFiles(report);
	return [
		...found.flatMap((finding) => [...findingLines(finding, context), []]),
		...unproven.map((file) => [{ text: stateForPerson(file), style: "warning" as const }]),
		...passedLines(report).map((text) => [{ text, style: "dim" as const }]),
		[{ text: summaryLine(report, context), ...(isClean ? { style: "good" as const } : {}) }],
	];
}

function findingLines({ file, item }: Finding, { sourceLine }: FormatContext): Styled[][] {
	const { line, column, severity, related = [] } = item;
	const lines: Styled[][] = [
		[
			{ text: `${shownPath(file.path)}:${line}:${column}`, style: "path" },
			{ text: ": " },
			{ text: severity, style: severity },
			{ text: `: ${shownMessage(item)}` },
			...(item.new ? [{ text: " [new]", style: "dim" as const }] : []),
		],
	];
	const source = sourceLine(file.path, line);
	if (source !== undefined) {
		const end = item.endLine === line ? item.endColumn : source.length + 1;
		const { shown, start, width } = excerpt(source, column - 1, Math.max(end - 1, column));
		const number = String(line);
		const margin = " ".repeat(number.length);
		lines.push(
			[{ text: ` ${number} | `, style: "dim" }, { text: shown }],
			[
				{ text: ` ${margin} | `, style: "dim" },
				{ text: " ".repeat(start) + "^".repeat(width), style: severity },
			],
		);
	}
	for (const { path, line: at, message } of related.slice(0, 3))
		lines.push([{ text: `   ${shownPath(path)}:${at}: ${oneLine(message)}`, style: "dim" }]);
	return lines;
}

function excerpt(source: string, from: number, to: number) {
	const left = from > maxWidth - before ? from - before : 0;
	const part = (start: number, end: number) => source.slice(start, end).replaceAll("\t", "    ").replace(controls, " ");
	const head = part(left, from);
	const marked = part(from, Math.min(to, left + maxWidth));
	const tail = part(to, left + maxWidth);
	const [cutBefore, cutAfter] = [left > 0 ? "…" : "", source.length > left + maxWidth ? "…" : ""];
	return {
		shown: (cutBefore + head + marked + tail + cutAfter).trimEnd(),
		start: cutBefore.length + head.length,
		width: Math.max(marked.length, 1),
	};
}
