import { type CheckReport, countBySeverity, type Diagnostic, type FileReport } from "../../contract/check-report.ts";
import { codeName, messageWithCode } from "../check/causes.ts";
import { stateText } from "../check/diagnostics.ts";
import { reasonForPerson } from "../check/notice.ts";
import { passedCount } from "../check/passed-over.ts";
import { nounOf } from "../check/severity-words.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

export interface FormatContext {
	readonly version: string;
	readonly ms: number;
	/** With slashes; absolute outside the repository. */
	fromTop(path: string): string;
	sourceLine(path: string, line: number): string | undefined;
	hash(text: string): string;
	readonly known?: number;
}

export type Format = (report: CheckReport, context: FormatContext) => string;

export interface Finding {
	readonly file: FileReport;
	readonly item: Diagnostic;
}

export function findingsIn({ files }: CheckReport): Finding[] {
	return files.flatMap((file) => file.diagnostics.map((item) => ({ file, item })));
}

/** CI runners take `::` or `##` at the beginning as commands. */
export function shownPath(path: string): string {
	const shown = oneLine(path);
	return /^[:#]/.test(shown) ? `./${shown}` : shown;
}

export function shownMessage(item: Diagnostic): string {
	return messageWithCode(item, oneLine);
}

export function stateForPerson(file: FileReport): string {
	return oneLine(stateText({ ...file, reason: reasonForPerson(file, "pi-lsp install") }));
}

const maxField = 10_000;

export function shortened(text: string): string {
	return text.length > maxField ? `${text.slice(0, maxField)}…` : text;
}

export function ruleOf({ code, source }: Diagnostic): string | undefined {
	return code === undefined ? undefined : oneLine(codeName(code, source));
}

export function summaryLine(report: CheckReport, { ms, known = 0 }: Pick<FormatContext, "ms" | "known">): string {
	const { files, omitted } = report;
	const found = findingsIn(report);
	const failing = files.filter(({ diagnostics }) => diagnostics.length > 0).length;
	const unproven = files.filter(({ state }) => state !== "fresh").length + omitted.files;
	const passed = passedCount(report);
	const done = `Checked ${count(files.length, "file", "files")} in ${seconds(ms)}`;
	const more = [
		...(unproven > 0 ? [`${unproven} not proven`] : []),
		...(omitted.unsearched ? ["not all files that may see it were looked for"] : []),
		...(passed > 0 ? [`passed over ${passed}`] : []),
		...(known > 0 ? [`left out ${count(known, "finding", "findings")} of the baseline`] : []),
		...(omitted.diagnostics > 0 ? [`${omitted.diagnostics} more findings are not shown`] : []),
	];
	const result =
		found.length > 0
			? `Found ${countedByKind(report)} in ${count(failing, "file", "files")}.`
			: unproven > 0 || omitted.unsearched
				? "Nothing was found, but not everything is proven."
				: files.length === 0
					? "There is no file to check."
					: "All clean.";
	return `${result} ${[done, ...more].join("; ")}.`;
}

function countedByKind(report: CheckReport): string {
	const counts = countBySeverity(report);
	const kinds = [
		["error", counts.errors],
		["warning", counts.warnings],
		["info", counts.info],
		["hint", counts.hints],
	] as const;
	return kinds
		.filter(([, number]) => number > 0)
		.map(([severity, number]) => count(number, ...nounOf([{ severity } as Diagnostic])))
		.join(", ");
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
