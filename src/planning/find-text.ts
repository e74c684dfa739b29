import { LspError } from "../contract/errors.ts";
import { linesOf, type Spot } from "../util/positions.ts";
import { type Replacement, refused } from "./text-edits.ts";

/** A piece of a file, 1-based, in UTF-16 units; the end is exclusive, and by default the start. */
export interface Piece {
	readonly line: number;
	readonly column?: number | undefined;
	readonly endLine?: number | undefined;
	readonly endColumn?: number | undefined;
}

const maxNamed = 10;

/**
 * Finds the only place of a text. Where it does not occur as it is, lines that differ in white space alone are taken, if there is
 * one such place; then the new text gets the indentation of the place. `text` has no CRLF. Throws LSP_EDIT_REFUSED.
 */
export function replaceText(
	text: string,
	old: string,
	next: string,
	path: string,
): Replacement & { readonly isExact: boolean } {
	if (old === "") throw refused(path, "the text to be replaced is empty");
	const exact = occurrences(text, old);
	if (exact.length > 1)
		throw refused(path, `the text occurs ${exact.length} times, on ${named(exact.map((at) => lineAt(text, at)))}`);
	const [start] = exact;
	if (start !== undefined) return { start, end: start + old.length, text: next, isExact: true };
	const lines = text.split("\n");
	const wanted = old.split("\n");
	while (wanted[0]?.trim() === "") wanted.shift();
	while (wanted.at(-1)?.trim() === "") wanted.pop();
	const places = alikeLines(lines, wanted);
	if (places.length > 1)
		throw refused(
			path,
			`lines that differ from the text in white space alone stand in ${places.length} places, on ${named(places.map((at) => at + 1))}`,
		);
	const [first] = places;
	if (first === undefined)
		throw refused(path, "the text does not occur in it, nor do lines that differ in white space alone");
	const from = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0);
	const found = lines.slice(first, first + wanted.length).join("\n");
	const [given, own] = [indentOf(wanted[0] ?? ""), indentOf(lines[first] ?? "")];
	const adapted = next.replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, "").split("\n");
	const placed = adapted.map((line) =>
		line.startsWith(given) && line.trim() !== "" ? own + line.slice(given.length) : line,
	);
	return { start: from, end: from + found.length, text: placed.join("\n"), isExact: false };
}

/** `text` has no CRLF. Throws LSP_INVALID_INPUT for a place that is not there. */
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
	const found: number[] = [];
	for (let at = text.indexOf(old); at >= 0 && found.length <= 1000; at = text.indexOf(old, at + 1)) found.push(at);
	return found;
}

/** The indices of lines from which on the wanted ones follow, whatever their white space. */
function alikeLines(lines: readonly string[], wanted: readonly string[]): number[] {
	if (wanted.length === 0) return [];
	const plain = (line: string) => line.trim().replace(/\s+/g, " ");
	const [here, there] = [lines.map(plain), wanted.map(plain)];
	return here.flatMap((line, index) =>
		line === there[0] && there.every((each, offset) => here[index + offset] === each) ? [index] : [],
	);
}

function indentOf(line: string): string {
	return /^[ \t]*/.exec(line)![0];
}

function lineAt(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

function named(places: readonly number[]): string {
	const lines = [...new Set(places)];
	const shown = lines.slice(0, maxNamed);
	const more = lines.length > maxNamed ? ` and ${lines.length - maxNamed} more` : "";
	return `lines ${shown.join(", ")}${more}`;
}

function wrong(message: string): LspError {
	return new LspError("LSP_INVALID_INPUT", message);
}
