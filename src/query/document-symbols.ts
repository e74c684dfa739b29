import type { DocumentSymbol, Position, Range, SymbolInformation } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/protocol-kinds.ts";
import { linesOf, type PositionEncoding, type Spot, spotsAlong, toSpot } from "../util/positions.ts";
import { comparePositions } from "./locations.ts";

/** The request that lists the symbols of a document. */
export const documentSymbol = "textDocument/documentSymbol";

/** A symbol in the tree of a document: 1-based, columns in UTF-16 units, the end exclusive. */
export interface DocumentSymbolEntry {
	/** The server's own name for the symbol. */
	readonly name: string;
	/** The plain names of the containers and of the symbol, joined by dots: `Ledger.judge`. */
	readonly path: string;
	readonly kind: string;
	readonly start: Spot;
	readonly end: Spot;
	/** The start of the server's selection range: usually of the name. */
	readonly at: Spot;
	readonly children: readonly DocumentSymbolEntry[];
	/** The container that a flat list names, if the document does not declare it (a package). */
	readonly container?: string;
}

/** What a server answers to `textDocument/documentSymbol`. */
export type SymbolResult = readonly (DocumentSymbol | SymbolInformation)[] | null;

/** Converts a server's symbols to a tree in the order of the document; a flat list is nested by its ranges. */
export function symbolTree(
	found: SymbolResult,
	lines: readonly string[],
	encoding: PositionEncoding,
): DocumentSymbolEntry[] {
	const flat = (found ?? []).filter((symbol) => "location" in symbol);
	const roots: readonly Node[] = flat.length > 0 ? nest(flat) : ((found ?? []) as DocumentSymbol[]);
	const convert = (symbols: readonly Node[], parent = ""): DocumentSymbolEntry[] =>
		symbols
			.map(({ name, kind, range, selectionRange, children = [], container }) => {
				const path = parent + plainName(name);
				return {
					name,
					path,
					kind: symbolKind(kind),
					start: toSpot(range.start, lines, encoding),
					end: toSpot(range.end, lines, encoding),
					at: toSpot(selectionRange.start, lines, encoding),
					children: convert(children, `${path}.`),
					...(container === undefined ? {} : { container }),
				};
			})
			// typescript-language-server sorts symbols by name.
			.sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
	return convert(roots);
}

/** A symbol without its details. */
interface Node {
	readonly name: string;
	readonly kind: number;
	readonly range: Range;
	readonly selectionRange: Range;
	readonly children?: readonly Node[];
	readonly container?: string;
}

/** Puts each symbol below the smallest one whose range contains it, else below the last one that its container is called. */
function nest(flat: readonly SymbolInformation[]): Node[] {
	type Parent = Node & { readonly children: Node[] };
	const sorted = [...flat].sort(
		({ location: { range: a } }, { location: { range: b } }) =>
			comparePositions(a.start, b.start) || comparePositions(b.end, a.end),
	);
	const roots: Node[] = [];
	const open: Parent[] = [];
	const byName = new Map<string, Parent>();
	const endsBefore = (parent: Parent | undefined, end: Position) =>
		parent !== undefined && comparePositions(parent.range.end, end) < 0;
	for (const { name, kind, containerName, location } of sorted) {
		const { range } = location;
		while (endsBefore(open.at(-1), range.end)) open.pop();
		const parent = open.at(-1) ?? byName.get(containerName ?? "");
		const container = parent || !containerName ? {} : { container: plainName(containerName) };
		const node: Parent = { name, kind, range, selectionRange: range, children: [], ...container };
		(parent?.children ?? roots).push(node);
		open.push(node);
		byName.set(name, node);
	}
	return roots;
}

/** The symbols that a script declares: without its imports, which TypeScript 7 lists, and with positions of default exports. */
export function scriptDeclarations(
	symbols: readonly DocumentSymbolEntry[],
	text: string,
	lines: readonly string[],
): DocumentSymbolEntry[] {
	const imported = importLines(text);
	return symbols
		.filter(({ kind, start, children }) => kind !== "variable" || children.length > 0 || !imported.has(start.line))
		.map((symbol) => atDefault(symbol, lines));
}

/** The 1-based lines of the import statements of a script. */
function importLines(text: string): Set<number> {
	const imported = new Set<number>();
	const spotOf = spotsAlong(text);
	// A statement without its module matches too; otherwise the expression would search the rest of the text for each.
	for (const { 0: statement, 1: module, index } of text.matchAll(/^import\b[^"'`;=]*(["'][^"'\n]*["'])?/gm)) {
		if (module === undefined) continue;
		const first = spotOf(index).line;
		for (let line = first; line < first + linesOf(statement).length; line++) imported.add(line);
	}
	return imported;
}

/** Servers select the `export` of a default export without a name, where no symbol is found: `at` becomes its `default`. */
function atDefault(symbol: DocumentSymbolEntry, lines: readonly string[]): DocumentSymbolEntry {
	const { line, column } = symbol.start;
	const before = /^export\s+(?=default\b)/.exec((lines[line - 1] ?? "").slice(column - 1));
	if (symbol.name !== "default" || !before) return symbol;
	return { ...symbol, at: { line, column: column + before[0].length } };
}

/** Longer names are left alone, since the expressions below would take long. */
const maxNameLength = 1000;

/**
 * The name of a symbol in the source. gopls calls a method `(*T).Name`, rust-analyzer a block `impl Named for T`, jdtls a
 * method `greet(String)`. Other names stay, such as TypeScript's `test("…") callback`.
 */
export function plainName(name: string): string {
	if (name.length > maxNameLength) return name;
	const implemented = /^impl\b.*?([\p{L}\p{N}_]+)(<.*>)?$/u.exec(name)?.[1];
	if (implemented !== undefined) return implemented;
	const receiver = name.replace(/^\(\*?([^()]+)\)\./, "$1.");
	return /^(?!operator\b)([\p{L}\p{N}_$.]+)(?:<.*>)?(?:\(.*\))?$/u.exec(receiver)?.[1] ?? receiver;
}
