import type { DocumentSymbol, Position, SymbolInformation } from "vscode-languageserver-protocol";
import { LspError } from "../errors.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import { linesOf, spotAt, toPosition, toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { findPattern } from "./pattern.ts";

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

/**
 * The position that a caller means:
 * 1. a pattern: where it stands in the file, or between two lines of it, if it stands there once;
 * 2. line and column, as given;
 * 3. a symbol on a line: its first whole occurrence there;
 * 4. a symbol alone: the declaration of that dotted path, or of that name if only one has it; else, for names that are
 *    only used in the file, the first whole occurrence.
 * Rejects with LSP_INVALID_INPUT, LSP_SYMBOL_NOT_FOUND (with the nearest names) or LSP_SYMBOL_AMBIGUOUS (with the lines).
 */
export async function findPosition(
	server: LanguageServer,
	document: OpenDocument,
	pointer: Pointer,
	signal?: AbortSignal,
): Promise<Position> {
	const { symbol, line, column, pattern } = pointer;
	const lines = linesOf(document.text);
	if (line !== undefined && line > lines.length)
		throw new LspError("LSP_INVALID_INPUT", `Line ${line} is past the end: the file has ${lines.length} lines.`);
	if (pattern !== undefined) return toPosition(findPattern(document.text, pointer), lines, server.encoding);
	if (line !== undefined && column !== undefined) {
		const { length } = lines[line - 1] ?? "";
		if (column > length + 1)
			throw new LspError(
				"LSP_INVALID_INPUT",
				`Column ${column} is past the end: line ${line} has ${length} characters.`,
			);
		return toPosition({ line, column }, lines, server.encoding);
	}
	if (symbol === undefined || symbol === "")
		throw new LspError("LSP_INVALID_INPUT", "Give the name of a symbol, or a line and a column.");
	const last = symbol.split(/\.|::|#/).at(-1) ?? symbol;
	if (line !== undefined) {
		const found = occurrence(lines[line - 1] ?? "", last);
		if (found === undefined)
			throw new LspError(
				"LSP_SYMBOL_NOT_FOUND",
				`"${symbol}" does not stand on line ${line}: ${(lines[line - 1] ?? "").trim()}`,
			);
		return toPosition(spotAt(line - 1, found), lines, server.encoding);
	}
	const declared = await declarations(server, document, signal);
	const wanted = symbol.replaceAll(/::|#/g, ".");
	const exact = declared.filter(({ path }) => path === wanted || path.endsWith(`.${wanted}`));
	if (exact.length === 1) return exact[0]!.position;
	if (exact.length > 1)
		throw new LspError(
			"LSP_SYMBOL_AMBIGUOUS",
			`"${symbol}" is declared ${exact.length} times: ${listed(exact, lines, server)}.`,
		);
	for (const [index, text] of lines.entries()) {
		const found = occurrence(text, last);
		if (found !== undefined && !/^\s*(\/\/|\*|#)/.test(text))
			return toPosition(spotAt(index, found), lines, server.encoding);
	}
	const nearest = nearestNames(
		last,
		declared.map(({ path }) => path),
	);
	throw new LspError(
		"LSP_SYMBOL_NOT_FOUND",
		`"${symbol}" does not occur in this file.${nearest.length ? ` Nearest: ${nearest.join(", ")}.` : ""}`,
	);
}

interface Declaration {
	readonly path: string;
	readonly position: Position;
}

async function declarations(
	server: LanguageServer,
	document: OpenDocument,
	signal?: AbortSignal,
): Promise<Declaration[]> {
	if (!server.offers("textDocument/documentSymbol")) return [];
	const found = await server.request<(DocumentSymbol | SymbolInformation)[] | null>(
		"textDocument/documentSymbol",
		{ textDocument: { uri: document.uri } },
		signal,
	);
	const list: Declaration[] = [];
	const walk = (symbol: DocumentSymbol | SymbolInformation, parent: string) => {
		if ("location" in symbol) {
			const path = symbol.containerName ? `${symbol.containerName}.${symbol.name}` : symbol.name;
			list.push({ path, position: symbol.location.range.start });
			return;
		}
		const path = parent ? `${parent}.${symbol.name}` : symbol.name;
		list.push({ path, position: symbol.selectionRange.start });
		for (const child of symbol.children ?? []) walk(child, path);
	};
	for (const symbol of found ?? []) walk(symbol, "");
	return list;
}

/** Where a name first stands as a whole word, 0-based; identifiers may hold any letter of any script, $ and _. */
function occurrence(text: string, name: string): number | undefined {
	const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	const match = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, "u").exec(text);
	return match?.index;
}

function listed(found: readonly Declaration[], lines: readonly string[], server: LanguageServer): string {
	return found
		.slice(0, 8)
		.map(({ path, position }) => `${path} on line ${toSpot(position, lines, server.encoding).line}`)
		.join(", ");
}

function nearestNames(name: string, paths: readonly string[]): string[] {
	const wanted = name.toLowerCase();
	return paths
		.map((path) => ({ path, cost: editDistance(wanted, (path.split(".").at(-1) ?? path).toLowerCase()) }))
		.filter(({ cost }) => cost <= Math.max(2, Math.floor(wanted.length / 2)))
		.sort((a, b) => a.cost - b.cost)
		.slice(0, 5)
		.map(({ path }) => path);
}

/** Levenshtein's distance; names are short. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++)
			next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
		row = next;
	}
	return row[b.length] ?? 0;
}
