import { basename } from "node:path";
import type { VisibleChange } from "../impact/visible-change.ts";
import { linesOf } from "../util/positions.ts";
import type { Judged } from "./edit-session.ts";

/**
 * True if an error of a file names something of a change, in its message or on its line: the change may have mended it.
 * A module that was missing is named by the stem of its file.
 */
export function nameOneOf(
	{ text, diagnostics }: Judged,
	{ changed, added }: Pick<VisibleChange, "changed" | "added">,
	changedPath: string,
): boolean {
	if (!changed) return true;
	const stem = basename(changedPath).replace(/\..*$/, "");
	const names = new Set([...changed, ...added, stem]);
	if (diagnostics.some(({ message }) => holdsOneOf(message, names))) return true;
	const lines = linesOf(text);
	// An error may span the whole file, and a file may have thousands of them: each line is read once.
	let read = 0;
	for (const { line, endLine } of diagnostics.toSorted((a, b) => a.line - b.line)) {
		const own = lines.slice(Math.max(line - 1, read), endLine);
		if (own.some((words) => holdsOneOf(words, names))) return true;
		read = Math.max(read, endLine);
	}
	return false;
}

function holdsOneOf(words: string, names: ReadonlySet<string>): boolean {
	return (words.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word));
}
