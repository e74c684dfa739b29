import { LspError } from "../../contract/errors.ts";
import { namesOf } from "../../contract/symbol-path.ts";
import { parseFile } from "../../impact/outline/parse-file.ts";
import { type SymbolSpan, spanInLines, spanInTree } from "../../planning/symbols/symbol-span.ts";
import type { DocumentSymbolEntry } from "../../query/document-symbols.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { dotted, everySymbol, isCalled, nameStart, overloadsIn, selectDeclaration } from "../../query/find-symbol.ts";
import { nearestNames } from "../../render/nearest-names.ts";
import { linesOf, type Spot } from "../../util/positions.ts";

type SelectedFor = "replace" | "before" | "after" | "delete";

async function selectSymbol(
	asked: FileQuery,
	symbol: string,
	kind: SelectedFor | undefined,
): Promise<DocumentSymbolEntry[]> {
	const [, name = symbol, index] = /^(.*)\[(\d+)\]$/.exec(symbol) ?? [];
	const symbols = await asked.symbols();
	const all = everySymbol(symbols);
	const placed = /^(\d+):([^:]+)$/.exec(name);
	if (placed) {
		const [line, word = ""] = [Number(placed[1]), placed[2]];
		const found = all.find((each) => nameStart(each, asked.lines).line === line && isCalled(each, word));
		if (found) return [found];
		throw notDeclared(`${word} on line ${line}`, all);
	}
	const wanted = namesOf(name).join(".") || name;
	if (index !== undefined) {
		const matching = all.filter((each) => isCalled(each, wanted));
		const whole = matching.filter(({ path }) => dotted(path) === wanted);
		const found = whole.length > 0 ? whole : matching;
		if (found.length === 0) throw notDeclared(name, all);
		const one = found[Number(index)];
		if (one) return [one];
		throw new LspError(
			"LSP_SYMBOL_NOT_FOUND",
			`${name} has ${found.length === 1 ? "one declaration" : `${found.length} declarations`}: ${numbered(name, found, asked)}.`,
		);
	}
	const group = selectDeclaration(overloadsIn(symbols), name, asked.lines, { preferWholePath: true });
	if (!group) throw notDeclared(name, all);
	if (group.length > 1 && kind === "replace")
		throw new LspError(
			"LSP_SYMBOL_AMBIGUOUS",
			`${name} has ${group.length} declarations: ${numbered(name, group, asked)}.`,
			{
				suggestion: `Name one of them, e.g. ${name}[0].`,
			},
		);
	return [...group];
}

function numbered(name: string, found: readonly DocumentSymbolEntry[], { lines }: FileQuery): string {
	return found.map((each, index) => `${name}[${index}] (line ${nameStart(each, lines).line})`).join(", ");
}

function notDeclared(name: string, all: readonly DocumentSymbolEntry[]): LspError {
	const nearest = nearestNames(
		namesOf(name).at(-1) ?? name,
		all.map(({ path }) => path),
	);
	const near = nearest.length > 0 ? ` Nearest: ${nearest.join(", ")}.` : "";
	return new LspError("LSP_SYMBOL_NOT_FOUND", `This file does not declare ${name}.${near}`, {
		candidates: nearest.map((path) => ({ symbol: path })),
	});
}

interface Reading {
	readonly asked: FileQuery;
	readonly text: string;
	readonly parsed: Awaited<ReturnType<typeof parseFile>>;
}

export interface SelectedSymbol extends Reading {
	readonly group: readonly DocumentSymbolEntry[];
	readonly spans: readonly SymbolSpan[];
}

/** Rejects with LSP_SYMBOL_NOT_FOUND, LSP_SYMBOL_AMBIGUOUS or LSP_EDIT_REFUSED. */
export async function selectSpans(asked: FileQuery, symbol: string, kind?: SelectedFor): Promise<SelectedSymbol> {
	const group = await selectSymbol(asked, symbol, kind);
	const text = asked.document.text.replace(/\r\n/g, "\n");
	const reading = { asked, text, parsed: await parseFile(asked.document.path, text) };
	return { ...reading, group, spans: group.map((entry) => spanOf(entry, reading)) };
}

function spanOf(entry: DocumentSymbolEntry, { asked, text, parsed }: Reading): SymbolSpan {
	const offsetOf = offsets(text);
	const name = offsetOf(nameStart(entry, linesOf(text)));
	const inTree = parsed && spanInTree(parsed, text, name);
	if (inTree) return inTree;
	const { start, end } = entry;
	const isName = start.line === end.line && end.column - start.column <= entry.name.length;
	if (isName) throw refused(`${asked.server.config.id} does not say where ${declared(entry, asked)} ends.`);
	return spanInLines(text, offsetOf(start), offsetOf(end), name);
}

/** `text` has no CRLF. */
export function offsets(text: string): (spot: Spot) => number {
	const starts = [0, ...Array.from(text.matchAll(/\n|\r/g), ({ index }) => index + 1)];
	return ({ line, column }) => Math.min((starts[line - 1] ?? text.length) + column - 1, text.length);
}

/** Throws LSP_EDIT_REFUSED for a declaration within a shared statement. */
export function requireOwn({ spans, group, asked }: SelectedSymbol): void {
	const shared = group[spans.findIndex(({ isShared }) => isShared)];
	if (shared) throw refused(`${declared(shared, asked)} is declared together with others in one statement.`);
}

/** `Shop.total on line 9`. */
export function declared(entry: DocumentSymbolEntry, { lines }: FileQuery): string {
	return `${entry.path} on line ${nameStart(entry, lines).line}`;
}

export function refused(message: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", message);
}
