import { LspError } from "../contract/errors.ts";
import { namesOf } from "../contract/symbol-path.ts";
import { type Spot, spotAt } from "../util/positions.ts";
import { type DocumentSymbolEntry, plainName } from "./document-symbols.ts";

export type Overloads = readonly [DocumentSymbolEntry, ...DocumentSymbolEntry[]];

/** Adjacent siblings with one path and kind. */
export function overloadsIn(symbols: readonly DocumentSymbolEntry[]): Overloads[] {
	const siblings: [DocumentSymbolEntry, ...DocumentSymbolEntry[]][] = [];
	for (const symbol of symbols) {
		const last = siblings.at(-1);
		if (last?.[0].path === symbol.path && last[0].kind === symbol.kind) last.push(symbol);
		else siblings.push([symbol]);
	}
	return siblings.flatMap((group): Overloads[] => [group, ...group.flatMap(({ children }) => overloadsIn(children))]);
}

/** Positions tell overloads apart in C++ and Java, not in TypeScript and Python. */
export function requestableIn(symbols: readonly DocumentSymbolEntry[], languageId: string): Overloads[] {
	const all = everySymbol(symbols);
	if (!/script|^python$/.test(languageId)) return all.map((symbol) => [symbol]);
	const groups = new Map<unknown, [DocumentSymbolEntry, ...DocumentSymbolEntry[]]>();
	for (const symbol of all) {
		const { kind, path } = symbol;
		const key = /^(?:function|method)$/.test(kind) ? `${kind} ${path}` : symbol;
		const known = groups.get(key);
		if (known) known.push(symbol);
		else groups.set(key, [symbol]);
	}
	return [...groups.values()];
}

export function everySymbol(symbols: readonly DocumentSymbolEntry[]): DocumentSymbolEntry[] {
	return symbols.flatMap((symbol) => [symbol, ...everySymbol(symbol.children)]);
}

const maxListed = 8;

/** Its path is or ends with `symbol`. Throws LSP_SYMBOL_AMBIGUOUS with selecting words. */
export function selectDeclaration(
	declarations: readonly Overloads[],
	symbol: string,
	lines: readonly string[],
	{ preferWholePath = false } = {},
): Overloads | undefined {
	const names = namesOf(symbol);
	const wanted = names.join(".") || symbol;
	const matching = declarations.filter(([first]) => isCalled(first, wanted));
	const whole = preferWholePath ? matching.filter(([first]) => dotted(first.path) === wanted) : [];
	const named = matching.filter(([{ path }]) => !path.startsWith("<unknown>."));
	// typescript-language-server names the object of `module.exports = { name }` so.
	const known = named.length > 0 ? named : matching;
	const found = whole.length > 0 ? whole : known;
	if (found.length < 2) return found[0];
	const paths = found.map(([{ path }]) => path);
	const candidates = found.slice(0, maxListed).map(([first]) => {
		const { path, kind } = first;
		const { line, column } = nameStart(first, lines);
		const isSelective = path !== wanted && paths.filter((other) => other === path).length === 1;
		return { symbol: path, kind, line, column, at: isSelective ? path : `${line}:${names.at(-1)}` };
	});
	const listed = candidates.map(({ kind, symbol: path, line, at }) =>
		at === path ? `${at} (${kind}, line ${line})` : `${at} (${kind} ${path})`,
	);
	const more = found.length > maxListed ? `, and ${found.length - maxListed} more` : "";
	throw new LspError(
		"LSP_SYMBOL_AMBIGUOUS",
		`"${symbol}" is declared ${found.length} times: ${listed.join(", ")}${more}.`,
		{ candidates, suggestion: `Ask for one of them, e.g. ${candidates[0]?.at}: as \`symbol\`, or in \`at\`.` },
	);
}

export function isCalled({ path, container }: DocumentSymbolEntry, wanted: string): boolean {
	const own = dotted(path);
	const isEnd = `.${own}`.endsWith(`.${wanted}`);
	return isEnd || (container !== undefined && `.${container}.${own}`.endsWith(`.${wanted}`));
}

/** clangd names a method outside its class `Till::put`. */
export function dotted(path: string): string {
	return path.includes("::") ? namesOf(path).join(".") : path;
}

export function declarationAround(symbols: readonly DocumentSymbolEntry[], position: Spot): Overloads | undefined {
	return overloadsIn(symbols).findLast((group) => group.some((symbol) => contains(symbol, position)));
}

export function contains({ start, end, at }: DocumentSymbolEntry, { line, column }: Spot): boolean {
	const isAfterStart = line > start.line || (line === start.line && column >= start.column);
	const isBeforeEnd = line < end.line || (line === end.line && column <= end.column);
	// typescript-language-server leaves `export const` out of a variable's range.
	const isLineOfName = line === at.line && start.line === end.line && column <= at.column && column === 1;
	return (isAfterStart && isBeforeEnd) || isLineOfName;
}

export function isAtName(declaration: Overloads, { line, column }: Spot): boolean {
	return declaration.some(
		({ at, name }) => line === at.line && column >= at.column && column <= at.column + name.length,
	);
}

export function isBeforeNameEnd(declaration: Overloads, { line, column }: Spot): boolean {
	return declaration.some(({ at, start, name }) => {
		const first = start.line === at.line ? start.column : at.column;
		return line === at.line && column >= first && column <= at.column + name.length;
	});
}

const maxSearched = 1000;

/** In three lines from `at`, the range's start in a flat list. */
export function nameStart({ name, at }: DocumentSymbolEntry, lines: readonly string[]): Spot {
	const plain = plainName(name);
	const last = plain.split(".").at(-1) ?? plain;
	const assigned = assignedStart(last, at, lines[at.line - 1] ?? "");
	if (assigned) return assigned;
	for (let index = at.line - 1; index < Math.min(at.line + 2, lines.length); index++) {
		const from = index === at.line - 1 ? at.column - 1 : 0;
		const found = indexOfWord((lines[index] ?? "").slice(from, from + maxSearched), last);
		if (found !== undefined) return spotAt(index, from + found);
	}
	return at;
}

const exported = "exports.";
const maxAssigned = 200;

/** TypeScript 7 places `exports.name = …` at the assigned function. */
function assignedStart(name: string, { line, column }: Spot, text: string): Spot | undefined {
	const from = Math.max(column - 1 - maxAssigned, 0);
	const before = text.slice(from, column - 1);
	const start = before.lastIndexOf(exported) + exported.length;
	if (start < exported.length || !before.startsWith(name, start)) return undefined;
	const isAssigned = /^\s*=\s*(?:async\s+)?(?:function\s*\*?\s*)?$/.test(before.slice(start + name.length));
	return isAssigned ? spotAt(line - 1, from + start) : undefined;
}

export function indexOfWord(text: string, name: string): number | undefined {
	if (name === "") return undefined;
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
		const end = at + name.length;
		if (!endsInWord.test(text.slice(Math.max(at - 2, 0), at)) && !beginsWord.test(text.slice(end, end + 2))) return at;
	}
	return undefined;
}

const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWord = /^[\p{L}\p{N}_$]/u;
