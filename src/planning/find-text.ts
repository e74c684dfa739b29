import { LspError } from "../contract/errors.ts";
import { linesOf, type Spot } from "../util/positions.ts";
import { type Replacement, refused } from "./text-edits.ts";

/** 1-based, in UTF-16 units; the end is exclusive, by default the start. */
export interface Piece {
	readonly line: number;
	readonly column?: number | undefined;
	readonly endLine?: number | undefined;
	readonly endColumn?: number | undefined;
}

const maxNamed = 10;
const maxOccurrences = 1000;

/** The only occurrence, else the only lines that differ in white space. `text` has no CRLF. Throws LSP_EDIT_REFUSED. */
export function replaceText(
	text: string,
	old: string,
	next: string,
	path: string,
): Replacement & { readonly isExact: boolean } {
	if (old === "") throw refused(path, "the text to be replaced is empty");
	const exact = occurrences(text, old);
	if (exact.length > 1)
		throw refused(path, `the text occurs ${exact.length} times, on ${linesListed(linesAt(text, exact))}`);
	const [start] = exact;
	if (start !== undefined) return { start, end: start + old.length, text: next, isExact: true };
	const lines = text.split("\n");
	const wanted = withoutBlankEdges(old.split("\n"));
	const places = alikeLines(lines, wanted);
	if (places.length > 1)
		throw refused(
			path,
			`lines that differ from the text in white space alone stand in ${places.length} places, on ${linesListed(places.map((at) => at + 1))}`,
		);
	const [first] = places;
	if (first === undefined)
		throw refused(path, "the text does not occur in it, nor do lines that differ in white space alone");
	const from = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0);
	const found = lines.slice(first, first + wanted.length).join("\n");
	const [given, own] = [indentOf(wanted[0] ?? ""), indentOf(lines[first] ?? "")];
	const placed = withoutBlankEdges(next.split("\n")).map((line) =>
		line.startsWith(given) && line.trim() !== "" ? own + line.slice(given.length) : line,
	);
	return { start: from, end: from + found.length, text: placed.join("\n"), isExact: false };
}

/** `text` has no CRLF. Throws LSP_INVALID_INPUT for a range outside it. */
export function replacePiece(
	text: string,
	{ line, column = 1, endLine = line, endColumn }: Piece,
	next: string,
): Replacement {
	const lines = linesOf(text);
	const offsetOf = (spot: Spot) => {
		const content = lines[spot.line - 1];
		if (content === undefined) throw wrong(`Line ${spot.line} is past the end: the file has ${lines.length} lines.`);
		if (spot.column > content.length + 1)
			throw wrong(`Column ${spot.column} is past the end: line ${spot.line} has ${content.length} characters.`);
		return lines.slice(0, spot.line - 1).reduce((sum, each) => sum + each.length + 1, 0) + spot.column - 1;
	};
	const start = offsetOf({ line, column });
	const isLine = endLine === line && endColumn === undefined;
	const end = isLine ? start : offsetOf({ line: endLine, column: endColumn ?? (lines[endLine - 1]?.length ?? 0) + 1 });
	if (end < start) throw wrong("The piece ends before it begins.");
	return { start, end, text: next };
}

function occurrences(text: string, old: string): number[] {
	return text.includes(old) ? matchesOf(text, old) : [];
}

function alikeLines(lines: readonly string[], wanted: readonly string[]): number[] {
	if (wanted.length === 0) return [];
	const plain = (line: string) => line.trim().replace(/\s+/g, " ");
	return matchesOf(lines.map(plain), wanted.map(plain));
}

function matchesOf<Each>(all: ArrayLike<Each>, wanted: ArrayLike<Each>): number[] {
	const shorter = new Int32Array(wanted.length);
	for (let index = 1, fit = 0; index < wanted.length; index++) {
		while (fit > 0 && wanted[index] !== wanted[fit]) fit = shorter[fit - 1]!;
		if (wanted[index] === wanted[fit]) fit++;
		shorter[index] = fit;
	}
	const found: number[] = [];
	for (let index = 0, fit = 0; index < all.length && found.length < maxOccurrences; index++) {
		while (fit > 0 && all[index] !== wanted[fit]) fit = shorter[fit - 1]!;
		if (all[index] === wanted[fit]) fit++;
		if (fit < wanted.length) continue;
		found.push(index - wanted.length + 1);
		fit = shorter[fit - 1]!;
	}
	return found;
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
	const isFull = (line: string) => line.trim() !== "";
	return lines.slice(Math.max(lines.findIndex(isFull), 0), lines.findLastIndex(isFull) + 1);
}

function indentOf(line: string): string {
	return /^[ \t]*/.exec(line)![0];
}

/** 1-based; the offsets ascend. */
function linesAt(text: string, offsets: readonly number[]): number[] {
	let [line, from] = [1, 0];
	return offsets.map((offset) => {
		for (let end = text.indexOf("\n", from); end >= 0 && end < offset; end = text.indexOf("\n", from)) {
			line++;
			from = end + 1;
		}
		return line;
	});
}

function linesListed(places: readonly number[]): string {
	const lines = [...new Set(places)];
	const shown = lines.slice(0, maxNamed);
	const more = lines.length > maxNamed ? ` and ${lines.length - maxNamed} more` : "";
	return `lines ${shown.join(", ")}${more}`;
}

function wrong(message: string): LspError {
	return new LspError("LSP_INVALID_INPUT", message);
}
