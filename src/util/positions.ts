import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, LocationLink, Position, Range } from "vscode-languageserver-protocol";

export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** 1-based, in UTF-16 units. */
export interface Spot {
	readonly line: number;
	readonly column: number;
}

/** LF, CRLF and CR end a line. */
export function linesOf(text: string): string[] {
	return text.split(/\r\n|\n|\r/);
}

/** Clamps. */
export function toPosition(spot: Spot, lines: readonly string[], encoding: PositionEncoding): Position {
	const last = Math.max(lines.length - 1, 0);
	const line = Math.min(Math.max(spot.line - 1, 0), last);
	const text = lines[line] ?? "";
	const utf16 = spot.line - 1 > last ? text.length : Math.min(Math.max(spot.column - 1, 0), text.length);
	return { line, character: encode(text, utf16, encoding) };
}

export function positionAt(offset: number, text: string, encoding: PositionEncoding): Position {
	const { line, column } = spotsAlong(text)(offset);
	return { line: line - 1, character: encode(text.slice(offset - column + 1, offset), column - 1, encoding) };
}

/** Clamps. Without lines the column stays. */
export function toSpot(position: Position, lines: readonly string[], encoding: PositionEncoding): Spot {
	if (lines.length === 0) return { line: position.line + 1, column: position.character + 1 };
	const line = Math.min(position.line, lines.length - 1);
	const isThere = line === position.line;
	const utf16 = isThere ? decode(lines, line, position.character, encoding) : (lines[line] ?? "").length;
	return { line: line + 1, column: utf16 + 1 };
}

export function spotAt(line: number, index: number): Spot {
	return { line: line + 1, column: index + 1 };
}

/** A drive of Windows (`C:`) is none. */
export function isUri(name: string): boolean {
	return /^[a-z][a-z\d+.-]+:/i.test(name);
}

/** UTF-16 offset of the line of `offset`. */
export function lineStart(text: string, offset: number): number {
	return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The UTF-16 offsets must ascend. */
export function spotsAlong(text: string): (offset: number) => Spot {
	let [at, line, start] = [0, 1, 0];
	return (offset) => {
		for (; at < offset; at++) {
			const code = text.charCodeAt(at);
			// Between CR and LF, the CR ends its line.
			const isEnd = code === 0x0a || (code === 0x0d && (at + 1 === offset || text.charCodeAt(at + 1) !== 0x0a));
			if (isEnd) [line, start] = [line + 1, at + 1];
		}
		return { line, column: offset - start + 1 };
	};
}

export function toSpots(
	range: Range,
	lines: readonly string[],
	encoding: PositionEncoding,
): { start: Spot; end: Spot } {
	return { start: toSpot(range.start, lines, encoding), end: toSpot(range.end, lines, encoding) };
}

/** tsserver's positions are 1-based. */
export function toRange(start: Spot, end: Spot): Range {
	const position = ({ line, column }: Spot): Position => ({ line: line - 1, character: column - 1 });
	return { start: position(start), end: position(end) };
}

function encode(text: string, utf16: number, encoding: PositionEncoding): number {
	if (encoding === "utf-16") return utf16;
	const before = text.slice(0, utf16);
	if (encoding === "utf-8") return Buffer.byteLength(before, "utf8");
	let count = 0;
	for (let at = 0; at < before.length; at++) count += unitsAt(before, at, encoding);
	return count;
}

function decode(lines: readonly string[], line: number, column: number, encoding: PositionEncoding): number {
	const text = lines[line] ?? "";
	if (encoding === "utf-16") return Math.min(column, text.length);
	const marks = text.length > 2 * markEvery ? marksOf(lines, line, encoding) : [];
	let mark = 0;
	for (let high = marks.length; high - mark > 1; ) {
		const middle = (mark + high) >> 1;
		if ((marks[middle] ?? 0) < column) mark = middle;
		else high = middle;
	}
	let utf16 = mark * markEvery;
	for (let seen = marks[mark] ?? 0; seen < column && utf16 < text.length; utf16++)
		seen += unitsAt(text, utf16, encoding);
	return isSecondHalf(text, utf16) ? utf16 + 1 : utf16;
}

/** In UTF-16 units: long lines may have thousands of positions. */
const markEvery = 1024;
const markedLines = new WeakMap<readonly string[], Map<string, number[]>>();

function marksOf(lines: readonly string[], line: number, encoding: PositionEncoding): readonly number[] {
	const known = markedLines.get(lines) ?? new Map<string, number[]>();
	markedLines.set(lines, known);
	const key = `${encoding} ${line}`;
	const before = known.get(key);
	if (before) return before;
	const text = lines[line] ?? "";
	const marks: number[] = [];
	for (let at = 0, seen = 0; at < text.length; at++) {
		if (at % markEvery === 0) marks.push(seen);
		seen += unitsAt(text, at, encoding);
	}
	known.set(key, marks);
	return marks;
}

function unitsAt(text: string, at: number, encoding: PositionEncoding): number {
	const code = text.charCodeAt(at);
	if (code < 0x80) return 1;
	if (isSecondHalf(text, at)) return 0;
	if (encoding === "utf-32") return 1;
	if (code < 0x800) return 2;
	return isSecondHalf(text, at + 1) ? 4 : 3;
}

function isSecondHalf(text: string, at: number): boolean {
	const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
	return isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

export function toUri(path: string): string {
	return pathToFileURL(path).href;
}

export function toPath(uri: string): string | undefined {
	if (!uri.startsWith("file:")) return undefined;
	try {
		return fileURLToPath(uri);
	} catch {
		return undefined;
	}
}

export type LocationResult = Location | LocationLink | readonly (Location | LocationLink)[] | null;

export function locationsIn(found: LocationResult): Location[] {
	const list: readonly (Location | LocationLink)[] = [found ?? []].flat();
	return list.map((each) => ("targetUri" in each ? { uri: each.targetUri, range: each.targetSelectionRange } : each));
}
