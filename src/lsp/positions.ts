import { fileURLToPath, pathToFileURL } from "node:url";
import type { Position, Range } from "vscode-languageserver-protocol";

/**
 * The only place that converts: 0-based positions of the protocol and 1-based ones that people and agents read,
 * UTF-16 columns and the server's own encoding, paths and URIs. Nowhere else stands a `+ 1`.
 */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** A place as every face shows it: 1-based line, 1-based column in UTF-16 units. */
export interface Spot {
	readonly line: number;
	readonly column: number;
}

/** The lines of a text, without their line ends (LF, CRLF or CR, as LSP defines them). */
export function linesOf(text: string): string[] {
	return text.split(/\r\n|\n|\r/);
}

/** A 1-based spot as the server's position; `lines` are those of the document. Past the end means the end. */
export function toPosition(spot: Spot, lines: readonly string[], encoding: PositionEncoding): Position {
	const last = Math.max(lines.length - 1, 0);
	const line = Math.min(Math.max(spot.line - 1, 0), last);
	const text = lines[line] ?? "";
	const utf16 = spot.line - 1 > last ? text.length : Math.min(Math.max(spot.column - 1, 0), text.length);
	return { line, character: encode(text, utf16, encoding) };
}

/** A UTF-16 offset of a text as the server's position. */
export function positionAt(offset: number, text: string, encoding: PositionEncoding): Position {
	const before = linesOf(text.slice(0, offset));
	const own = before.at(-1) ?? "";
	return { line: before.length - 1, character: encode(own, own.length, encoding) };
}

/** A server's position as a 1-based spot. Without the line's text the column is taken as the server counts it. */
export function toSpot(position: Position, lines: readonly string[], encoding: PositionEncoding): Spot {
	const text = lines[position.line];
	const utf16 = text === undefined ? position.character : decode(text, position.character, encoding);
	return { line: position.line + 1, column: utf16 + 1 };
}

/** Where a match at the 0-based `index` of the 0-based line `line` is, for a reader. */
export function spotAt(line: number, index: number): Spot {
	return { line: line + 1, column: index + 1 };
}

/** A server's range as two 1-based spots. */
export function toSpots(
	range: Range,
	lines: readonly string[],
	encoding: PositionEncoding,
): { start: Spot; end: Spot } {
	return { start: toSpot(range.start, lines, encoding), end: toSpot(range.end, lines, encoding) };
}

/** Two 1-based spots in UTF-16 units, as tsserver's own protocol has them, as a range of LSP. */
export function toRange(start: Spot, end: Spot): Range {
	const position = ({ line, column }: Spot): Position => ({ line: line - 1, character: column - 1 });
	return { start: position(start), end: position(end) };
}

function encode(text: string, utf16: number, encoding: PositionEncoding): number {
	if (encoding === "utf-16") return utf16;
	const before = text.slice(0, utf16);
	return encoding === "utf-8" ? Buffer.byteLength(before, "utf8") : [...before].length;
}

function decode(text: string, units: number, encoding: PositionEncoding): number {
	if (encoding === "utf-16") return Math.min(units, text.length);
	let seen = 0;
	let utf16 = 0;
	for (const character of text) {
		if (seen >= units) break;
		seen += encoding === "utf-8" ? Buffer.byteLength(character, "utf8") : 1;
		utf16 += character.length;
	}
	return utf16;
}

/** The document's URI for an absolute path. Characters that servers spell differently are kept apart by `uriKey`. */
export function toUri(path: string): string {
	return pathToFileURL(path).href;
}

/** The absolute path of a `file:` URI however the server escaped it, or undefined for another scheme. */
export function toPath(uri: string): string | undefined {
	if (!uri.startsWith("file:")) return undefined;
	try {
		return fileURLToPath(uri);
	} catch {
		return undefined;
	}
}
