import type { CheckReport, FileReport, SignatureChange, State } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { oneLineOutside } from "../escape.ts";
import { causeLines } from "./causes.ts";
import { fileBlock, fileBlocks, type LineBudget, moreFiles } from "./file-block.ts";
import { causedBySession, fixedElsewhere, newAndOldLine, oldErrorsLine } from "./new-and-old.ts";
import { oldPart, withoutOld } from "./old-findings.ts";
import { passedLines } from "./passed-over.ts";
import { counted, kindsOf } from "./severity-words.ts";
import { signatureLines } from "./signatures.ts";

const maxFiles = 5;
const limits = { lines: 50, perFile: 20, places: 5 };
const maxStateLines = 20;
/** In UTF-16 units. */
const maxReasonLength = 200;
const unlimited = {
	lines: Number.POSITIVE_INFINITY,
	perFile: Number.POSITIVE_INFINITY,
	places: Number.POSITIVE_INFINITY,
};

export type OtherFiles = "full" | "line" | "none";

export function editBlock(
	report: CheckReport,
	others: OtherFiles,
	opening = "The edit was applied.",
): string | undefined {
	return block(report, others, opening, { budget: { ...limits }, matters: ({ failing }) => failing > 0 });
}

export function unwrittenText(report: CheckReport, opening: string): string {
	const budget = { ...limits };
	const caused = { ...report, files: report.files.map(withoutOld) };
	const found = block(caused, "full", opening, { budget, matters: ({ failing }) => failing > 0 });
	return [found ?? opening, ...oldPart(report, budget)].join("\n");
}

export function checkText(report: CheckReport): string {
	const budget = { ...limits };
	const first = report.files.find((file) => file.role === "edited" && causedBySession(file.diagnostics).length > 0);
	const isEdit = first ? isCausedByEdit(first) : report.changes !== undefined;
	const opening = isEdit ? "The edit was applied." : "";
	const editText = block(report, "full", opening, { budget, matters: ({ callers }) => callers > 0, isAsked: true });
	const withoutBlock = report.files.filter(
		({ role, state, diagnostics }) => state !== "fresh" || (role === "edited" && diagnostics.length === 0),
	);
	const lines = [
		...(editText === undefined ? [] : [editText]),
		...oldPart(report, budget),
		...(withoutBlock.length > maxStateLines ? statesInShort(withoutBlock) : withoutBlock.map(stateLine)),
		...omittedLines(report),
		...passedLines(report),
	];
	return lines.length > 0 ? lines.join("\n") : "There is no file to check.";
}

function statesInShort(files: readonly FileReport[]): string[] {
	const clean = files.filter(({ state }) => state === "fresh").length;
	return [...(clean > 0 ? [`${count(clean, "file is", "files are")} clean.`] : []), ...unprovenLines(files)];
}

export function reportText(report: CheckReport): string {
	const lines = report.files.flatMap((file) =>
		file.diagnostics.length === 0 || file.state !== "fresh" ? [stateLine(file)] : [],
	);
	return [...lines, ...allBlocks(report), ...omittedLines(report)].join("\n");
}

function allBlocks(report: CheckReport): string[] {
	const current = report.files.map(withoutOld).filter(({ diagnostics }) => diagnostics.length > 0);
	return [...current.map((file) => fileBlock(file, { ...unlimited })), ...oldPart(report, { ...unlimited })];
}

export function unprovenText({ files }: CheckReport): string | undefined {
	const lines = files.filter(({ state }) => state !== "fresh").map(stateLine);
	return lines.length > 0 ? lines.join("\n") : undefined;
}

/** `alike`: further files with this reason; `later`: their checks continue. */
export function unprovenLine(
	{ path, state, reason = "" }: FileReport,
	{ alike = 0, later = false }: { readonly alike?: number; readonly later?: boolean } = {},
): string {
	const files = `${path}${alike > 0 ? ` and ${count(alike, "more file", "more files")}` : ""}`;
	const shortReason = alike === 0 ? withoutPath(path, reason) : reason;
	const why =
		shortReason.length > maxReasonLength ? `${shortReason.slice(0, maxReasonLength)}…` : shortReason.replace(/\.$/, "");
	if (state === "timed_out" && later)
		return oneLineOutside(`Not checked yet: ${files}${why ? ` (${why})` : ""}; errors come with a later result.`);
	const what = state === "untrusted" ? "proven" : "checked";
	const next = state === "untrusted" ? " A person can allow it: /lsp trust add." : "";
	return oneLineOutside(`${files} ${alike > 0 ? "were" : "was"} not ${what}${why ? `: ${why}` : ""}.${next}`);
}

function withoutPath(path: string, reason: string): string {
	return reason.startsWith(`${path} `) ? `it${reason.slice(path.length)}` : reason;
}

export function overviewText(report: CheckReport): string {
	const clean = report.files.filter(({ state, diagnostics }) => state === "fresh" && diagnostics.length === 0);
	if (report.files.length === 0) return ["No file is open in a server.", ...omittedLines(report)].join("\n");
	const unknown = report.files.filter(({ state, diagnostics }) => state !== "fresh" && diagnostics.length === 0);
	return [
		`${clean.length} of ${count(report.files.length, "file", "files")} clean.`,
		...unprovenLines(unknown),
		...allBlocks(report),
		...omittedLines(report),
		...passedLines(report),
	].join("\n");
}

function unprovenLines(files: readonly FileReport[]): string[] {
	const byState = new Map<string, string[]>();
	for (const { path, state } of files)
		if (state !== "fresh")
			byState.set(meanings[state], [...(byState.get(meanings[state]) ?? []), oneLineOutside(path)]);
	return [...byState].map(([meaning, paths]) => {
		const shown = paths.slice(0, maxFiles).join(", ");
		const more = paths.length > maxFiles ? ` and ${paths.length - maxFiles} more` : "";
		return `${count(paths.length, "file", "files")} ${meaning}: ${shown}${more}`;
	});
}

interface BlockOptions {
	readonly budget: LineBudget;
	readonly matters: (change: SignatureChange) => boolean;
	readonly isAsked?: boolean;
}

function block(
	report: CheckReport,
	others: OtherFiles,
	opening: string,
	{ budget, matters, isAsked = false }: BlockOptions,
): string | undefined {
	const edited = report.files.filter(({ role }) => role === "edited");
	const parts: string[] = [];
	const cut: FileReport[] = [];
	for (const file of edited) {
		const diagnostics = causedBySession(file.diagnostics);
		if (budget.lines <= 0 && diagnostics.length > 0) cut.push({ ...file, diagnostics });
		else parts.push(...editedPart(file, budget, isAsked));
	}
	parts.push(...moreFiles(cut));
	if (others === "none") parts.push(...causeLines(edited));
	else {
		const affected = report.files.filter(({ role }) => role === "affected");
		const failing = affected
			.map((file) => ({ ...file, diagnostics: file.diagnostics.filter((item) => item.new !== false) }))
			.filter(({ diagnostics }) => diagnostics.length > 0);
		const causes = causeLines([...edited, ...failing]);
		parts.push(...signatureLines((report.changes ?? []).filter(matters)));
		parts.push(
			...(others === "line"
				? [...brokenLine(failing), ...causes]
				: fileBlocks("detected in other files", failing, budget, { causes, most: maxFiles })),
		);
		if (parts.length > 0) parts.push(...fixedElsewhere(affected));
	}
	const [first, ...rest] = parts;
	return first === undefined ? undefined : [[opening, first].filter(Boolean).join(" "), ...rest].join("\n");
}

function isCausedByEdit({ diagnostics, unchanged = false }: FileReport): boolean {
	return !unchanged && diagnostics.some((item) => item.new || item.earlier);
}

function editedPart(file: FileReport, budget: LineBudget, isAsked: boolean): string[] {
	const diagnostics = causedBySession(file.diagnostics);
	if (diagnostics.length === 0) return isAsked && !file.fixed ? [] : oldErrorsLine(file);
	const isEdit = !isAsked || isCausedByEdit(file);
	const counts = newAndOldLine(file);
	return [
		`LSP ${kindsOf(diagnostics)} detected in this file${isEdit ? ", please fix:" : ":"}`,
		fileBlock({ ...file, diagnostics }, budget),
		...(counts ? [counts] : []),
	];
}

function brokenLine(files: readonly FileReport[]): string[] {
	if (files.length === 0) return [];
	const broken = files
		.slice(0, maxFiles)
		.map(({ path, diagnostics }) => `${oneLineOutside(path)} (${counted(diagnostics)})`);
	const cut = files.length - broken.length;
	return [
		`It newly broke ${count(files.length, "other file", "other files")}: ${broken.join(", ")}${cut > 0 ? `, and ${cut} more` : ""}. lsp_diagnostics shows the ${kindsOf(files.flatMap(({ diagnostics }) => diagnostics))}.`,
	];
}

export const unsearchedText = "Not all files that may see it were looked for in time.";

function omittedLines({ omitted: { diagnostics, files, unsearched } }: CheckReport): string[] {
	return [
		...(diagnostics ? [`... and ${count(diagnostics, "more diagnostic", "more diagnostics")}`] : []),
		...(files
			? [`... and ${count(files, "more file was", "more files were")} not proven (no answer, or not in time)`]
			: []),
		...(unsearched ? [unsearchedText] : []),
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

function stateLine(file: FileReport): string {
	return `${stateText(file)}${file.state === "timed_out" ? "; ask again in a few seconds" : ""}`;
}

export function stateText({ path, state, reason, fixed = 0 }: FileReport): string {
	const why = state === "binary" ? "" : withoutPath(path, reason ?? "").replace(/\.$/, "");
	const notes = [state === "fresh" && fixed > 0 ? `${fixed} fixed` : "", why].filter(Boolean);
	const meaning = state === "fresh" ? "clean" : meanings[state];
	return `${path}: ${meaning}${notes.length ? ` (${notes.join("; ")})` : ""}`;
}
