import type { Position } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { namesOf } from "../contract/symbol-path.ts";
import { nearestNames } from "../render/nearest-names.ts";
import { type Spot, spotAt, toPosition } from "../util/positions.ts";
import type { FileQuery } from "./file-query.ts";
import { everySymbol, indexOfWord, nameStart, requestableIn, selectDeclaration } from "./find-symbol.ts";
import { findPattern } from "./search-pattern.ts";

/** 1-based, columns in UTF-16 units. */
export interface Pointer {
	/** A name or a dotted path. */
	readonly symbol?: string;
	readonly line?: number;
	readonly column?: number;
	/** Text with `@@` at the position. */
	readonly pattern?: string;
	/** The match begins between `line` and `endLine`. */
	readonly endLine?: number;
}

type Searched = Pick<FileQuery, "server" | "document" | "lines" | "allSymbols">;

const maxListed = 8;

/**
 * In this order:
 * 1. a pattern's only match;
 * 2. a line and a column;
 * 3. a symbol's first word on a line;
 * 4. a symbol's declaration, else its first word outside comment lines.
 *
 * Rejects with LSP_INVALID_INPUT, LSP_SYMBOL_NOT_FOUND or LSP_SYMBOL_AMBIGUOUS.
 */
export async function findPosition(searched: Searched, pointer: Pointer): Promise<Position> {
	const { lines, server } = searched;
	return toPosition(await findSpot(searched, pointer), lines, server.encoding);
}

async function findSpot(searched: Searched, pointer: Pointer): Promise<Spot> {
	const { symbol, line, column, pattern } = pointer;
	const { lines, document } = searched;
	if (line !== undefined && line < 1) throw new LspError("LSP_INVALID_INPUT", `Lines count from 1, not from ${line}.`);
	if (line !== undefined && line > lines.length)
		throw new LspError("LSP_INVALID_INPUT", `Line ${line} is past the end: the file has ${lines.length} lines.`);
	if (pattern !== undefined) return findPattern(document.text, pointer);
	if (line !== undefined && column !== undefined) return requireColumn(line, column, lines[line - 1] ?? "");
	if (symbol === undefined || symbol.trim() === "")
		throw new LspError("LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column.");
	const name = namesOf(symbol).at(-1) ?? symbol;
	return line === undefined ? findByName(searched, symbol, name) : findOnLine(lines, line, symbol, name);
}

function requireColumn(line: number, column: number, text: string): Spot {
	if (column >= 1 && column <= text.length + 1) return { line, column };
	throw new LspError(
		"LSP_INVALID_INPUT",
		column < 1
			? `Columns count from 1, not from ${column}.`
			: `Column ${column} is past the end: line ${line} has ${text.length} characters.`,
	);
}

function findOnLine(lines: readonly string[], line: number, symbol: string, name: string): Spot {
	const text = lines[line - 1] ?? "";
	const found = indexOfWord(text, name);
	if (found !== undefined) return spotAt(line - 1, found);
	const others = lines.flatMap((other, index) => (indexOfWord(other, name) === undefined ? [] : [index + 1]));
	throw new LspError(
		"LSP_SYMBOL_NOT_FOUND",
		`"${symbol}" does not stand on line ${line}: ${text.trim()}${others.length ? `. It stands on ${listLines(others)}` : ""}`,
		{ candidates: others.slice(0, maxListed).map((other) => ({ line: other, at: `${other}:${name}` })) },
	);
}

function listLines(numbers: readonly number[]): string {
	const more = numbers.length > maxListed ? ` and ${numbers.length - maxListed} more` : "";
	return `${numbers.length === 1 ? "line" : "lines"} ${numbers.slice(0, maxListed).join(", ")}${more}`;
}

async function findByName(searched: Searched, symbol: string, name: string): Promise<Spot> {
	const { lines, document } = searched;
	const symbols = await searched.allSymbols();
	const declaration = selectDeclaration(requestableIn(symbols, document.languageId), symbol, lines);
	if (declaration) return nameStart(declaration[0], lines);
	for (const [index, text] of lines.entries()) {
		const found = indexOfWord(text, name);
		if (found !== undefined && !/^\s*(\/\/|\/?\*|#)/.test(text)) return spotAt(index, found);
	}
	const paths = everySymbol(symbols).map(({ path }) => path);
	const nearest = nearestNames(name, paths);
	throw new LspError(
		"LSP_SYMBOL_NOT_FOUND",
		`"${symbol}" does not occur in this file.${nearest.length ? ` Nearest: ${nearest.join(", ")}.` : ""}`,
		{ candidates: nearest.map((path) => ({ symbol: path })) },
	);
}
