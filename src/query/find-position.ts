import type { Position } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { type Spot, spotAt, toPosition } from "../util/positions.ts";
import { type Declaration, declarationsOf, nearestNames, occurrence } from "./declarations.ts";
import { findPattern } from "./search-pattern.ts";

/** Where a caller points, as operations take it: 1-based, columns in UTF-16 units. */
export interface Pointer {
	/** A name, or a dotted path of names. */
	readonly symbol?: string;
	readonly line?: number;
	readonly column?: number;
	/** A piece of the file's text with `@@` in front of the character that is meant. */
	readonly pattern?: string;
	/** With `pattern`: the last line on which it may begin; `line` is then the first one. */
	readonly endLine?: number;
}

const maxListed = 8;

/**
 * The position that a caller means:
 * 1. a pattern: where it stands in the file, or between two lines of it, if it stands there once;
 * 2. line and column, as given;
 * 3. a symbol on a line: its first whole occurrence there;
 * 4. a symbol alone: the declaration of that dotted path, or of that name if only one has it; else, for names that are
 *    only used in the file, the first whole occurrence.
 * Rejects with LSP_INVALID_INPUT, LSP_SYMBOL_NOT_FOUND (with the nearest names) or LSP_SYMBOL_AMBIGUOUS (with what would
 * select each); `candidates` in the details are the same for programs.
 */
export async function findPosition(
	server: LanguageServer,
	document: OpenDocument,
	pointer: Pointer,
	signal?: AbortSignal,
): Promise<Position> {
	return toPosition(await findSpot(server, document, pointer, signal), documentLines(document), server.encoding);
}

async function findSpot(
	server: LanguageServer,
	document: OpenDocument,
	pointer: Pointer,
	signal?: AbortSignal,
): Promise<Spot> {
	const { symbol, line, column, pattern } = pointer;
	const lines = documentLines(document);
	if (line !== undefined && line < 1) throw new LspError("LSP_INVALID_INPUT", `Lines count from 1, not from ${line}.`);
	if (line !== undefined && line > lines.length)
		throw new LspError("LSP_INVALID_INPUT", `Line ${line} is past the end: the file has ${lines.length} lines.`);
	if (pattern !== undefined) return findPattern(document.text, pointer);
	if (line !== undefined && column !== undefined) return given(line, column, lines[line - 1] ?? "");
	if (symbol === undefined || symbol.trim() === "")
		throw new LspError("LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column.");
	const last = symbol.split(/\.|::|#/).at(-1) || symbol;
	if (line !== undefined) {
		const text = lines[line - 1] ?? "";
		const found = occurrence(text, last);
		if (found !== undefined) return spotAt(line - 1, found);
		const elsewhere = lines.flatMap((other, index) => (occurrence(other, last) === undefined ? [] : [index + 1]));
		throw new LspError(
			"LSP_SYMBOL_NOT_FOUND",
			`"${symbol}" does not stand on line ${line}: ${text.trim()}${elsewhere.length ? `. It stands on ${linesNamed(elsewhere)}` : ""}`,
			{ candidates: elsewhere.slice(0, maxListed).map((other) => ({ line: other, at: `${other}:${last}` })) },
		);
	}
	const declared = await declarationsOf(server, document, signal);
	const exact = named(declared, symbol);
	const [first] = exact;
	if (first && (exact.length === 1 || areOverloads(exact, document.languageId))) return first.spot;
	if (first) throw ambiguous(symbol, last, exact);
	for (const [index, text] of lines.entries()) {
		const found = occurrence(text, last);
		if (found !== undefined && !/^\s*(\/\/|\/?\*|#)/.test(text)) return spotAt(index, found);
	}
	const nearest = nearestNames(
		last,
		declared.map(({ path }) => path),
	);
	throw new LspError(
		"LSP_SYMBOL_NOT_FOUND",
		`"${symbol}" does not occur in this file.${nearest.length ? ` Nearest: ${nearest.join(", ")}.` : ""}`,
		{ candidates: nearest.map((path) => ({ symbol: path })) },
	);
}

function given(line: number, column: number, text: string): Spot {
	if (column >= 1 && column <= text.length + 1) return { line, column };
	throw new LspError(
		"LSP_INVALID_INPUT",
		column < 1
			? `Columns count from 1, not from ${column}.`
			: `Column ${column} is past the end: line ${line} has ${text.length} characters.`,
	);
}

/** The declarations that a dotted path may mean: those of exactly this path, and those whose path ends with it. */
function named(declared: readonly Declaration[], symbol: string): Declaration[] {
	const wanted = symbol.replaceAll(/::|#/g, ".");
	return declared.filter(({ path }) => path === wanted || path.endsWith(`.${wanted}`));
}

/** True for the signatures of one function: in C++ and Java each of them is a function of its own. */
function areOverloads(exact: readonly Declaration[], languageId: string): boolean {
	const [first] = exact;
	return (
		/script|^python$/.test(languageId) &&
		exact.every(({ path, kind }) => path === first?.path && kind === first.kind && /^(?:function|method)$/.test(kind))
	);
}

function ambiguous(symbol: string, last: string, exact: readonly Declaration[]): LspError {
	const paths = exact.map(({ path }) => path);
	const candidates = exact.slice(0, maxListed).map(({ path, kind, spot: { line, column } }) => {
		// A path that two of them have, or that another one ends with, selects none.
		const selects = path !== symbol && paths.filter((other) => other === path).length === 1;
		return { symbol: path, kind, line, column, at: selects ? path : `${line}:${last}` };
	});
	const told = candidates.map(({ kind, symbol: path, line, at }) =>
		at === path ? `${at} (${kind}, line ${line})` : `${at} (${kind} ${path})`,
	);
	const more = exact.length > maxListed ? `, and ${exact.length - maxListed} more` : "";
	return new LspError(
		"LSP_SYMBOL_AMBIGUOUS",
		`"${symbol}" is declared ${exact.length} times: ${told.join(", ")}${more}.`,
		{ candidates, suggestion: `Ask for one of them, e.g. ${candidates[0]?.at}: as \`symbol\`, or in \`at\`.` },
	);
}

function linesNamed(numbers: readonly number[]): string {
	const more = numbers.length > maxListed ? ` and ${numbers.length - maxListed} more` : "";
	return `${numbers.length === 1 ? "line" : "lines"} ${numbers.slice(0, maxListed).join(", ")}${more}`;
}
