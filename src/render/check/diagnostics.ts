import type { CheckReport, FileReport, SignatureChange, State } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { escapeMessage } from "../escape.ts";
import { causeLines } from "./causes.ts";
import { fileBlock, type LineBudget } from "./file-block.ts";
import { fixedElsewhere, judgement, onlyBefore, worthTelling } from "./judgement.ts";
import { signatureLines } from "./signatures.ts";

/** The most that a block of an edit lists. */
const otherFiles = 5;
const capped = { lines: 50, perFile: 20, places: 5 };
const endless = Number.POSITIVE_INFINITY;
const longestReason = 200;
const uncapped = { lines: endless, perFile: endless, places: endless };

/** How much a block tells of other files: all they have, or one line that names those newly broken. */
export type OtherFiles = "full" | "line" | "none";

/**
 * The block that is appended to the result of an edit, or undefined if there is nothing to tell: clean, or not proven.
 */
export function editBlock(
	report: CheckReport,
	others: OtherFiles,
	opening = "The edit was applied.",
): string | undefined {
	return block(report, others, opening, ({ failing }) => failing > 0);
}

/**
 * What `check` prints: the very text that the hook would append, with every changed signature that has callers, and for
 * each file without one what is proven of it: clean, or why nothing is known.
 */
export function checkText(report: CheckReport): string {
	const told = block(report, "full", "The edit was applied.", ({ callers }) => callers > 0);
	const silent = report.files.filter(
		({ role, state, diagnostics }) => state !== "fresh" || (role === "edited" && diagnostics.length === 0),
	);
	return [...(told === undefined ? [] : [told]), ...silent.map(proven), ...omittedLines(report)].join("\n");
}

/** What a check found, said in full: every file with its state, clean only where that is proven. */
export function reportText(report: CheckReport): string {
	const lines = report.files.flatMap((file) => {
		const clean = file.diagnostics.length === 0;
		return [
			...(clean || file.state !== "fresh" ? [proven(file)] : []),
			...(clean ? [] : [fileBlock(file, { ...uncapped })]),
		];
	});
	return [...lines, ...omittedLines(report)].join("\n");
}

/** The files of which nothing is proven, each with the reason; undefined if there are none. */
export function unprovenText({ files }: CheckReport): string | undefined {
	const lines = files.filter(({ state }) => state !== "fresh").map(proven);
	return lines.length > 0 ? lines.join("\n") : undefined;
}

/**
 * One line about a file of which nothing is proven, and about `alike` more of the same cause; `later` if checks go on.
 * `src/a.ts was not checked: typescript is still loading the project. What is found is told later.`
 */
export function unprovenLine(
	{ path, state, reason = "" }: FileReport,
	{ alike = 0, later = false }: { readonly alike?: number; readonly later?: boolean } = {},
): string {
	const more = alike > 0 ? ` and ${count(alike, "more file", "more files")}` : "";
	// Without trust a server may have looked, and found less than there is.
	const what = state === "untrusted" ? "proven" : "checked";
	const named = `${path}${more} ${alike > 0 ? "were" : "was"} not ${what}`;
	// A reason may name the file once more.
	const own = alike === 0 && reason.startsWith(`${path} `) ? `it${reason.slice(path.length)}` : reason;
	const why = own.length > longestReason ? `${own.slice(0, longestReason)}…` : own.replace(/\.$/, "");
	const said = `${named}${why ? `: ${why}` : ""}.`;
	const next: Partial<Record<State, string>> = {
		untrusted: " A person can allow it: /lsp trust add.",
		timed_out: later ? " What is found is told later." : "",
	};
	return escapeMessage(`${said}${next[state] ?? ""}`);
}

/** What a check of many files found: how many are clean, then only those that are not, or of which nothing is known. */
export function overviewText(report: CheckReport): string {
	const quiet = report.files.filter(({ state, diagnostics }) => state === "fresh" && diagnostics.length === 0);
	if (report.files.length === 0) return ["No file is open in a server.", ...omittedLines(report)].join("\n");
	const failing = report.files.filter(({ diagnostics }) => diagnostics.length > 0);
	const unknown = report.files.filter(({ state, diagnostics }) => state !== "fresh" && diagnostics.length === 0);
	return [
		`${quiet.length} of ${count(report.files.length, "file", "files")} clean.`,
		...unprovenLines(unknown),
		...failing.map((file) => fileBlock(file, { ...uncapped })),
		...omittedLines(report),
	].join("\n");
}

/** One line for each reason why nothing is known of some files. */
function unprovenLines(files: readonly FileReport[]): string[] {
	const byState = new Map<string, string[]>();
	for (const { path, state } of files)
		if (state !== "fresh") byState.set(meanings[state], [...(byState.get(meanings[state]) ?? []), escapeMessage(path)]);
	return [...byState].map(([meaning, paths]) => {
		const named = paths.slice(0, otherFiles).join(", ");
		const more = paths.length > otherFiles ? ` and ${paths.length - otherFiles} more` : "";
		return `${count(paths.length, "file", "files")} ${meaning}: ${named}${more}`;
	});
}

function block(
	report: CheckReport,
	others: OtherFiles,
	opening: string,
	matters: (change: SignatureChange) => boolean,
): string | undefined {
	const room = { ...capped };
	const edited = report.files.filter(({ role }) => role === "edited");
	const parts = edited.flatMap((file) => editedPart(file, room));
	if (others === "none") parts.push(...causeLines(edited));
	else {
		const affected = report.files.filter(({ role }) => role === "affected");
		const failing = affected
			.map((file) => ({ ...file, diagnostics: file.diagnostics.filter((item) => item.new !== false) }))
			.filter(({ diagnostics }) => diagnostics.length > 0);
		const causes = causeLines([...edited, ...failing]);
		parts.push(...signatureLines((report.changes ?? []).filter(matters)));
		parts.push(...(others === "line" ? [...brokenLine(failing), ...causes] : otherBlocks(failing, causes, room)));
		// To mend is no reason to speak, but whoever reads that something is broken shall know this too.
		if (parts.length > 0) parts.push(...fixedElsewhere(affected));
	}
	const [first, ...rest] = parts;
	return first === undefined ? undefined : [`${opening} ${first}`, ...rest].join("\n");
}

function editedPart(file: FileReport, room: LineBudget): string[] {
	const diagnostics = worthTelling(file.diagnostics);
	if (diagnostics.length === 0) return onlyBefore(file);
	const judged = judgement(file);
	return [
		"LSP errors detected in this file, please fix:",
		fileBlock({ ...file, diagnostics }, room),
		...(judged ? [judged] : []),
	];
}

function otherBlocks(files: readonly FileReport[], causes: readonly string[], room: LineBudget): string[] {
	if (files.length === 0 || room.lines <= 0) return [...causes];
	const blocks: string[] = [];
	for (const file of files.slice(0, otherFiles)) {
		if (room.lines <= 0) break;
		blocks.push(fileBlock(file, room));
	}
	const cut = files.length - blocks.length;
	return [
		`LSP errors detected in other files, ${count(files.length, "file", "files")}:`,
		...causes,
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

function omittedLines({ omitted: { diagnostics, files } }: CheckReport): string[] {
	return [
		...(diagnostics ? [`... and ${count(diagnostics, "more diagnostic", "more diagnostics")}`] : []),
		...(files
			? [`... and ${count(files, "more file was", "more files were")} not proven (no answer, or not in time)`]
			: []),
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

function proven({ path, state, reason, fixed = 0 }: FileReport): string {
	// That it is no text is all that there is to say of it.
	const why = state === "binary" ? "" : (reason ?? "");
	const notes = [state === "fresh" && fixed > 0 ? `${fixed} fixed` : "", why].filter(Boolean);
	const told = state === "fresh" ? "clean" : meanings[state];
	return `${path}: ${told}${notes.length ? ` (${notes.join("; ")})` : ""}`;
}
