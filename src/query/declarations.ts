import type { DocumentSymbol, Position, SymbolInformation } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/symbol-kinds.ts";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { type Spot, spotAt, toSpot } from "../util/positions.ts";
import { documentSymbols, plainName } from "./document-symbols.ts";

/** Something that a file declares. */
export interface Declaration {
	/** The names that lead to it, with dots. */
	readonly path: string;
	readonly kind: string;
	/** Where its name stands. */
	readonly spot: Spot;
}

/** What a file declares, in the server's order; nothing where the server does not tell. */
export async function declarationsOf(
	server: LanguageServer,
	document: OpenDocument,
	signal?: AbortSignal,
): Promise<Declaration[]> {
	const found = await documentSymbols(server, document, signal);
	const lines = documentLines(document);
	const list: Declaration[] = [];
	const add = (path: string, { name, kind }: DocumentSymbol | SymbolInformation, start: Position) =>
		list.push({
			path,
			kind: symbolKind(kind),
			spot: nameFrom(toSpot(start, lines, server.encoding), plainName(name), lines),
		});
	const walk = (symbol: DocumentSymbol | SymbolInformation, parent: string) => {
		const above = "location" in symbol ? plainName(symbol.containerName ?? "") : parent;
		const name = plainName(symbol.name);
		const path = above ? `${above}.${name}` : name;
		add(path, symbol, "location" in symbol ? symbol.location.range.start : symbol.selectionRange.start);
		if ("children" in symbol) for (const child of symbol.children ?? []) walk(child, path);
	};
	for (const symbol of found ?? []) walk(symbol, "");
	return list;
}

/** So many characters from where a declaration begins its name is looked for: a line may be a megabyte of declarations. */
const searched = 1000;

/** A flat list has only where the whole declaration begins: its name stands on the same line or on one of the next. */
function nameFrom(spot: Spot, name: string, lines: readonly string[]): Spot {
	const last = name.split(".").at(-1) ?? name;
	for (let index = spot.line - 1; index < Math.min(spot.line + 2, lines.length); index++) {
		const from = index === spot.line - 1 ? spot.column - 1 : 0;
		const found = occurrence((lines[index] ?? "").slice(from, from + searched), last);
		if (found !== undefined) return spotAt(index, from + found);
	}
	return spot;
}

/** Where a name first stands as a whole word, 0-based; identifiers may hold any letter of any script, $ and _. */
export function occurrence(text: string, name: string): number | undefined {
	// No pattern out of the name: to compile one takes longer than all that is searched, and a file may declare 60,000.
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
		const end = at + name.length;
		if (!endsInWord.test(text.slice(Math.max(at - 2, 0), at)) && !beginsWord.test(text.slice(end, end + 2))) return at;
	}
	return undefined;
}

const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWord = /^[\p{L}\p{N}_$]/u;

/** What takes the product of two lengths is not done with longer names, nor with more of them. */
const [longestName, maxCompared] = [64, 10_000];

/** The names, out of dotted paths, that are written most like one that does not exist; at most five. */
export function nearestNames(name: string, paths: readonly string[]): string[] {
	if (name.length > longestName) return [];
	const wanted = name.toLowerCase();
	const most = Math.max(2, Math.floor(wanted.length / 2));
	return paths
		.slice(0, maxCompared)
		.filter((path) => path.length - path.lastIndexOf(".") - 1 <= wanted.length + most)
		.map((path) => ({ path, cost: editDistance(wanted, (path.split(".").at(-1) ?? path).toLowerCase()) }))
		.filter(({ cost }) => cost <= most)
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
