import { basename } from "node:path";
import type { VisibleChange } from "../impact/visible-change.ts";
import { linesOf } from "../lsp/positions.ts";
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
	const lines = linesOf(text);
	return diagnostics.some(({ message, line, endLine }) =>
		[message, ...lines.slice(line - 1, endLine)].some((words) =>
			(words.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word)),
		),
	);
}
