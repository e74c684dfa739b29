import type { Position, TextEdit } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { linesOf, type PositionEncoding, positionAt, toSpot } from "../util/positions.ts";

/** UTF-16 offsets with an exclusive end. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

export function replaceAll(text: string, replacements: readonly Replacement[]): string {
	let at = 0;
	const parts: string[] = [];
	for (const { start, end, text: next } of replacements) {
		parts.push(text.slice(at, start), next);
		at = end;
	}
	return parts.join("") + text.slice(at);
}

/** By position; `path` is for errors. Throws LSP_EDIT_REFUSED. */
export function replacementsOf(
	text: string,
	edits: readonly TextEdit[],
	encoding: PositionEncoding,
	path: string,
): Replacement[] {
	const toOffset = offsets(text, encoding, path);
	const found = edits.map(({ range, newText }, order) => {
		const start = toOffset(range.start, "start");
		return { start, end: toOffset(range.end, "end"), text: newText, order };
	});
	// Insertions keep their order, before what is replaced there.
	found.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
	for (const [index, { start, end }] of found.entries()) {
		if (end < start) throw refused(path, "an edit of it ends before it begins");
		const before = found[index - 1];
		if (before && before.end > start) throw refused(path, "two edits of it overlap");
	}
	return found.map(({ start, end, text: next }) => ({ start, end, text: next }));
}

/** The inverse. `text` has no CRLF. */
export function textEditsOf(
	replacements: readonly Replacement[],
	text: string,
	encoding: PositionEncoding,
): TextEdit[] {
	return replacements.map(({ start, end, text: newText }) => ({
		range: { start: positionAt(start, text, encoding), end: positionAt(end, text, encoding) },
		newText,
	}));
}

function offsets(text: string, encoding: PositionEncoding, path: string) {
	const lines = linesOf(text);
	const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)];
	return (position: Position, which: "start" | "end"): number => {
		// Servers end a whole file at a line that does not exist.
		if (position.line >= lines.length) {
			if (which === "end" || (position.line === lines.length && position.character === 0)) return text.length;
			throw refused(path, `an edit of it begins on line ${position.line + 1}, and it has ${lines.length}`);
		}
		// A column past the end means the line's end.
		const offset = starts[position.line]! + toSpot(position, lines, encoding).column - 1;
		const isWithin = (text.charCodeAt(offset) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
		if (isWithin) throw refused(path, `an edit of it begins or ends within a character on line ${position.line + 1}`);
		return offset;
	};
}

/** Many servers write LF into files with CRLF. */
export function withLineEndsOf(text: string, newText: string): string {
	const hasCrlfOnly = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
	return hasCrlfOnly ? newText.replace(/\r?\n/g, "\r\n") : newText;
}

export function refused(path: string, why: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", `${path} cannot be changed: ${why}.`, { file_path: path });
}
