import type { CheckReport, Diagnostic, FileReport, State } from "../findings.ts";
import { escapeMessage, escapePath } from "./escape.ts";

/** The caps of specs/llxprt-lsp-integration.md B1 and B2. */
const perFile = 20;
const otherFiles = 5;
const perReport = 50;

/** How much a block tells of other files: all they have, or one line that names those newly broken. */
export type OtherFiles = "full" | "line" | "none";

/**
 * The block that is appended to the result of an edit, or undefined if there is nothing to tell: clean, or not proven.
 * Words, order and caps are those of specs/llxprt-lsp-integration.md B1 and B2 as design.md section 4 has them.
 */
export function editBlock(
	report: CheckReport,
	others: OtherFiles,
	opening = "The edit was applied.",
): string | undefined {
	const edited = report.files.filter(({ role }) => role === "edited");
	const affected = others === "none" ? [] : report.files.filter(({ role }) => role === "affected");
	const budget = { lines: perReport };
	const parts: string[] = [];
	for (const file of edited) {
		const shown = worthTelling(file.diagnostics);
		if (shown.length === 0) {
			parts.push(...onlyBefore(file.diagnostics));
			continue;
		}
		parts.push("LSP errors detected in this file, please fix:", fileBlock(file.path, shown, budget));
		const judged = judgement(file.diagnostics);
		if (judged) parts.push(judged);
	}
	const broken = affected.map((file) => ({
		...file,
		diagnostics: file.diagnostics.filter((item) => item.new !== false),
	}));
	const failing = broken.filter(({ diagnostics }) => diagnostics.length > 0);
	if (others === "line") parts.push(...brokenLine(failing));
	else parts.push(...otherBlocks(failing, budget));
	if (parts.length === 0) return undefined;
	const [first, ...rest] = parts;
	return [`${opening} ${first}`, ...rest].join("\n");
}

/**
 * What `check` prints: the very text that the hook would append, and for each file without one what is proven of it:
 * clean, or why nothing is known.
 */
export function checkText(report: CheckReport): string {
	const block = editBlock(report, "full");
	const silent = report.files.filter(
		({ role, state, diagnostics }) => state !== "fresh" || (role === "edited" && diagnostics.length === 0),
	);
	return [...(block === undefined ? [] : [block]), ...silent.map(proven), ...omittedLines(report)].join("\n");
}

/** What a check found, said in full: every file with its state, clean only where that is proven. */
export function reportText(report: CheckReport): string {
	const budget = { lines: Number.POSITIVE_INFINITY };
	const lines = report.files.map((file) => {
		if (file.state !== "fresh")
			return [
				proven(file),
				...(file.diagnostics.length ? [fileBlock(file.path, file.diagnostics, budget, Number.POSITIVE_INFINITY)] : []),
			].join("\n");
		if (file.diagnostics.length === 0) return proven(file);
		return fileBlock(file.path, file.diagnostics, budget, Number.POSITIVE_INFINITY);
	});
	return [...lines, ...omittedLines(report)].join("\n");
}

function omittedLines({ omitted: { diagnostics, files } }: CheckReport): string[] {
	return [
		...(diagnostics ? [`... and ${count(diagnostics, "more diagnostic", "more diagnostics")}`] : []),
		...(files ? [`... and ${count(files, "more file was", "more files were")} not checked in time`] : []),
	];
}

const meanings: Readonly<Record<Exclude<State, "fresh">, string>> = {
	timed_out: "not checked in time",
	unavailable: "not checked, the server is unavailable",
	untrusted: "not checked, the server is not trusted here",
	unsupported: "not checked, no server answers for it",
	too_large: "not checked, it is too large",
	binary: "not checked, it is not a text file",
};

function proven({ path, state, reason }: FileReport): string {
	return `${path}: ${state === "fresh" ? "clean" : meanings[state]}${reason ? ` (${reason})` : ""}`;
}

/** New errors and those that this session caused before; all of them where nothing is known of before. */
function worthTelling(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
	return diagnostics.filter((item) => item.new !== false || item.earlier);
}

function judgement(diagnostics: readonly Diagnostic[]): string | undefined {
	if (diagnostics.some((item) => item.new === undefined)) return undefined;
	const fresh = diagnostics.filter((item) => item.new).length;
	const earlier = diagnostics.filter((item) => item.earlier).length;
	const before = diagnostics.length - fresh - earlier;
	const parts = [`${count(fresh, "error is", "errors are")} new with this edit`];
	if (earlier) parts.push(`${count(earlier, "is", "are")} left from earlier edits`);
	if (before) parts.push(`${before} more ${before === 1 ? "was" : "were"} there before`);
	return `${parts.join("; ")}.`;
}

/** An edit that was meant to mend what was there, and did not, must not read as a success: one line says so. */
function onlyBefore(diagnostics: readonly Diagnostic[]): string[] {
	if (diagnostics.length === 0) return [];
	const lines = [...new Set(diagnostics.map(({ line }) => line))];
	const named = `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`;
	return [`It caused no new errors; ${count(diagnostics.length, "was", "were")} there before (${named}).`];
}

function otherBlocks(files: readonly FileReport[], budget: { lines: number }): string[] {
	if (files.length === 0 || budget.lines <= 0) return [];
	const blocks: string[] = [];
	for (const { path, diagnostics } of files.slice(0, otherFiles)) {
		if (budget.lines <= 0) break;
		blocks.push(fileBlock(path, diagnostics, budget));
	}
	const cut = files.length - blocks.length;
	return [
		`LSP errors detected in other files, ${count(files.length, "file", "files")}:`,
		...blocks,
		...(cut > 0 ? [`... and ${count(cut, "more file", "more files")} with errors`] : []),
	];
}

function brokenLine(files: readonly FileReport[]): string[] {
	if (files.length === 0) return [];
	const named = files
		.slice(0, otherFiles)
		.map(({ path, diagnostics }) => `${escapeMessage(path)} (${count(diagnostics.length, "error", "errors")})`);
	const cut = files.length - named.length;
	return [
		`It newly broke ${count(files.length, "other file", "other files")}: ${named.join(", ")}${cut > 0 ? `, and ${cut} more` : ""}. lsp_diagnostics shows the errors.`,
	];
}

function fileBlock(path: string, diagnostics: readonly Diagnostic[], budget: { lines: number }, cap = perFile): string {
	const shown = diagnostics.slice(0, Math.min(cap, budget.lines));
	budget.lines -= shown.length;
	const cut = diagnostics.length - shown.length;
	return [
		`<diagnostics file="${escapePath(path)}">`,
		...shown.map(diagnosticLine),
		...(cut > 0 ? [`... and ${cut} more`] : []),
		"</diagnostics>",
	].join("\n");
}

/** `ERROR [42:5] Type 'string' is not assignable to type 'number'. (ts2322)` */
export function diagnosticLine({ severity, line, column, message, code, source }: Diagnostic): string {
	const name = severity.toUpperCase();
	const suffix = code === undefined ? "" : ` (${escapeMessage(codeName(code, source))})`;
	return `${name} [${line}:${column}] ${escapeMessage(message)}${suffix}`;
}

/** TypeScript's numbers are known as ts2322; a rule's name stands for itself. */
function codeName(code: string, source: string | undefined): string {
	return /^\d+$/.test(code) && source ? `${source}${code}` : code;
}

function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
