import type { DocumentSymbol, Position, Range, SymbolInformation } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/protocol-kinds.ts";
import { linesOf, type PositionEncoding, type Spot, spotsAlong, toSpot } from "../util/positions.ts";
import { comparePositions } from "./locations.ts";

export const documentSymbol = "textDocument/documentSymbol";

/** Positions are 1-based, in UTF-16 units. */
export interface DocumentSymbolEntry {
	readonly name: string;
	/** Plain names joined by dots, outermost first. */
	readonly path: string;
	readonly kind: string;
	readonly detail?: string;
	readonly start: Spot;
	readonly end: Spot;
	readonly at: Spot;
	readonly children: readonly DocumentSymbolEntry[];
	/** Outside the document: a package. */
	readonly container?: string;
}

export type SymbolResult = readonly (DocumentSymbol | SymbolInformation)[] | null;

export function symbolTree(
	found: SymbolResult,
	lines: readonly string[],
	encoding: PositionEncoding,
): DocumentSymbolEntry[] {
	const flat = (found ?? []).filter((symbol) => "location" in symbol);
	const roots: readonly Node[] = flat.length > 0 ? nest(flat) : ((found ?? []) as DocumentSymbol[]);
	const convert = (symbols: readonly Node[], parent = ""): DocumentSymbolEntry[] =>
		symbols
			.map(({ name, kind, detail, range, selectionRange, children = [], container }) => {
				const path = parent + plainName(name);
				return {
					name,
					path,
					kind: symbolKind(kind),
					...(detail ? { detail } : {}),
					start: toSpot(range.start, lines, encoding),
					end: toSpot(range.end, lines, encoding),
					at: toSpot(selectionRange.start, lines, encoding),
					children: convert(withoutItself({ name, kind, range, children }), `${path}.`),
					...(container === undefined ? {} : { container }),
				};
			})
			// typescript-language-server sorts symbols by name.
			.sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
	return convert(roots);
}

interface Node {
	readonly name: string;
	readonly kind: number;
	readonly detail?: string;
	readonly range: Range;
	readonly selectionRange: Range;
	readonly children?: readonly Node[];
	readonly container?: string;
}

/** typescript-language-server lists the function of `exports.name = …` also in itself. */
function withoutItself({ name, kind, range: { end }, children = [] }: Omit<Node, "selectionRange">): readonly Node[] {
	return children.flatMap((child) => {
		const isItself = child.name === name && child.kind === kind && comparePositions(child.range.end, end) === 0;
		return isItself ? (child.children ?? []) : [child];
	});
}

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

/** Without imports, which TypeScript 7 lists; corrects default exports. */
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

/** 1-based. */
function importLines(text: string): Set<number> {
	const imported = new Set<number>();
	const spotOf = spotsAlong(text);
	// The optional module ends the search in incomplete statements.
	for (const { 0: statement, 1: module, index } of text.matchAll(/^import\b[^"'`;=]*(["'][^"'\n]*["'])?/gm)) {
		if (module === undefined) continue;
		const first = spotOf(index).line;
		for (let line = first; line < first + linesOf(statement).length; line++) imported.add(line);
	}
	return imported;
}

/** Servers select `export` of a nameless default export, where no symbol is found. */
function atDefault(symbol: DocumentSymbolEntry, lines: readonly string[]): DocumentSymbolEntry {
	const { line, column } = symbol.start;
	const before = /^export\s+(?=default\b)/.exec((lines[line - 1] ?? "").slice(column - 1));
	if (symbol.name !== "default" || !before) return symbol;
	return { ...symbol, at: { line, column: column + before[0].length } };
}

/** The expressions are slow on longer names. */
const maxNameLength = 1000;

/** gopls sends `(*T).Name`, rust-analyzer `impl Named for T`, jdtls `greet(String)`. */
export function plainName(name: string): string {
	if (name.length > maxNameLength) return name;
	const implemented = /^impl\b.*?([\p{L}\p{N}_]+)(<.*>)?$/u.exec(name)?.[1];
	if (implemented !== undefined) return implemented;
	const receiver = name.replace(/^\(\*?([^()]+)\)\./, "$1.");
	return /^(?!operator\b)([\p{L}\p{N}_$.]+)(?:<.*>)?(?:\(.*\))?$/u.exec(receiver)?.[1] ?? receiver;
}
