import type { DocumentSymbol, Position, SymbolInformation } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/symbol-kinds.ts";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { linesOf, type Spot, spotsAlong, toSpot } from "../util/positions.ts";

/** A declaration of a file: 1-based, columns in UTF-16 units; `end` is the place behind its last character. */
export interface DocumentSymbolEntry {
	/** As the server calls it. */
	readonly name: string;
	/** The names that lead to it, joined by dots: `Ledger.judge`, also where the server says `(*Ledger).judge`. */
	readonly path: string;
	readonly kind: string;
	readonly start: Spot;
	readonly end: Spot;
	/** Where its name stands. */
	readonly at: Spot;
	readonly children: readonly DocumentSymbolEntry[];
}

/** A declaration that is meant: one, or all overloads of one. */
export interface DeclaredGroup {
	/** As a caller reads it. */
	readonly path: string;
	/** In order; never empty. */
	readonly group: readonly DocumentSymbolEntry[];
	/** The lines of the file. */
	readonly lines: readonly string[];
}

/** True for a place between the first word of a declaration and the end of its name: it is no use of it. */
export function isNameOf(group: readonly DocumentSymbolEntry[], { line, column }: Spot): boolean {
	return group.some(({ at, start, name }) => {
		const first = start.line === at.line ? start.column : at.column;
		return line === at.line && column >= first && column <= at.column + name.length;
	});
}

const method = "textDocument/documentSymbol";
type Symbols = readonly (DocumentSymbol | SymbolInformation)[];

/** What was said of a document, which is another one with every other text. */
const said = new WeakMap<OpenDocument, Symbols>();
/** The same as declarations. */
const taken = new WeakMap<Symbols, readonly DocumentSymbolEntry[]>();

/**
 * What a server says that a file declares; undefined where it does not say. It follows from the text alone, so it is asked
 * once: a question by a symbol's name begins with it. Not so in C, where a macro of another file may stand in for a
 * declaration, nor of a server that is busy or knows nothing of the file yet.
 */
export async function documentSymbols(
	server: LanguageServer,
	document: OpenDocument,
	signal?: AbortSignal,
): Promise<Symbols | undefined> {
	if (!server.offers(method)) return undefined;
	const known = said.get(document);
	if (known) return known;
	const { busy } = server.readiness;
	const found = await server.request<Symbols | null>(method, { textDocument: { uri: document.uri } }, signal);
	const isFinal = busy === undefined && found !== null && found.length > 0;
	if (isFinal && !/^(?:c|cpp|cuda|objective)(?:-.*)?$/.test(document.languageId)) said.set(document, found);
	return found ?? [];
}

/** What a file declares, in order and nested. Rejects with LSP_UNSUPPORTED_REQUEST where the server does not say. */
export async function declaredIn(
	server: LanguageServer,
	document: OpenDocument,
	signal?: AbortSignal,
): Promise<readonly DocumentSymbolEntry[]> {
	server.require(method);
	const found = (await documentSymbols(server, document, signal)) ?? [];
	const known = taken.get(found);
	if (known) return known;
	const lines = documentLines(document);
	const all = toDeclared(found, (position) => toSpot(position, lines, server.encoding));
	const declared = /script/.test(document.languageId)
		? withoutImports(all, document.text).map((symbol) => withPlace(symbol, lines))
		: all;
	taken.set(found, declared);
	return declared;
}

/** A default export without a name is asked about at its `default`: servers say that its name stands at its first word. */
function withPlace(symbol: DocumentSymbolEntry, lines: readonly string[]): DocumentSymbolEntry {
	const { line, column } = symbol.start;
	const before = /^export\s+(?=default\b)/.exec((lines[line - 1] ?? "").slice(column - 1));
	if (symbol.name !== "default" || !before) return symbol;
	return { ...symbol, at: { line, column: column + before[0].length } };
}

/** TypeScript 7 counts what a file imports among its symbols. */
function withoutImports(declared: DocumentSymbolEntry[], text: string): DocumentSymbolEntry[] {
	const imported = new Set<number>();
	const spotOf = spotsAlong(text);
	// One without its module is taken too, or the rest of the text would be searched again for each.
	for (const { 0: statement, 1: module, index } of text.matchAll(/^import\b[^"'`;=]*(["'][^"'\n]*["'])?/gm)) {
		if (module === undefined) continue;
		const first = spotOf(index).line;
		for (let line = first; line < first + linesOf(statement).length; line++) imported.add(line);
	}
	return declared.filter(
		({ kind, start, children }) => kind !== "variable" || children.length > 0 || !imported.has(start.line),
	);
}

type ToSpot = (position: Position) => Spot;

/** A server's symbols as a tree; a flat list is nested by what lies within what. */
export function toDeclared(found: Symbols | null, spotOf: ToSpot): DocumentSymbolEntry[] {
	const list = Array.isArray(found) ? found : [];
	const flat = list.filter((symbol) => "location" in symbol);
	const roots = flat.length > 0 ? nested(flat) : (list as DocumentSymbol[]);
	return inOrder(roots.map((symbol) => convert(symbol, "", spotOf)));
}

function convert(symbol: DocumentSymbol, parent: string, spotOf: ToSpot): DocumentSymbolEntry {
	const plain = plainName(symbol.name);
	const path = parent === "" ? plain : `${parent}.${plain}`;
	return {
		name: symbol.name,
		path,
		kind: symbolKind(symbol.kind),
		start: spotOf(symbol.range.start),
		end: spotOf(symbol.range.end),
		at: spotOf(symbol.selectionRange.start),
		children: inOrder((symbol.children ?? []).map((child) => convert(child, path, spotOf))),
	};
}

/** typescript-language-server sorts by name. */
function inOrder(declared: DocumentSymbolEntry[]): DocumentSymbolEntry[] {
	return declared.sort((a, b) => compareSpots(a.start, b.start));
}

/** A longer one is searched for nothing. */
const longestName = 1000;

/**
 * A name as a person writes it: gopls calls a method `(*T).Name`, rust-analyzer a block `impl Named for T`, jdtls a method
 * `greet(String)`. What TypeScript 7 calls `test("…") callback` has no other name.
 */
export function plainName(name: string): string {
	if (name.length > longestName) return name;
	const implemented = /^impl\b.*?([\p{L}\p{N}_]+)(<.*>)?$/u.exec(name)?.[1];
	if (implemented !== undefined) return implemented;
	const receiver = name.replace(/^\(\*?([^()]+)\)\./, "$1.");
	return /^(?!operator\b)([\p{L}\p{N}_$.]+)(?:<.*>)?(?:\(.*\))?$/u.exec(receiver)?.[1] ?? receiver;
}

/** Below 0 if `a` stands before `b`. */
function compareSpots(a: Spot, b: Spot): number {
	return a.line - b.line || a.column - b.column;
}

/** A flat list as a tree: each below the smallest one that holds it, else below the last one that is called its container. */
function nested(flat: readonly SymbolInformation[]): DocumentSymbol[] {
	type Node = DocumentSymbol & { children: Node[] };
	const sorted = [...flat].sort(
		(a, b) =>
			comparePositions(a.location.range.start, b.location.range.start) ||
			comparePositions(b.location.range.end, a.location.range.end),
	);
	const roots: Node[] = [];
	const open: Node[] = [];
	const byName = new Map<string, Node>();
	for (const { name, kind, containerName = "", location } of sorted) {
		const { range } = location;
		const node: Node = { name, kind, range, selectionRange: range, children: [] };
		while (open.length > 0 && !holds(open.at(-1) as Node, node)) open.pop();
		const parent = open.at(-1) ?? byName.get(containerName);
		(parent?.children ?? roots).push(node);
		open.push(node);
		byName.set(name, node);
	}
	return roots;
}

function holds(outer: DocumentSymbol, inner: DocumentSymbol): boolean {
	return comparePositions(inner.range.end, outer.range.end) <= 0;
}

function comparePositions(a: Position, b: Position): number {
	return a.line - b.line || a.character - b.character;
}
