import { LspError } from "../../contract/errors.ts";
import type { DeclaredGroup, DocumentSymbolEntry } from "../../query/document-symbols.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";
import type { FoundPlaces } from "../../query/group-locations.ts";
import { namesOf } from "./rank-names.ts";

interface Spot {
	readonly line: number;
	readonly column: number;
}

/**
 * The declaration that a pointer means. By a name: what is declared so in the file, else where the definition of its first
 * use lies. By a position: what is declared there; with `follow` what is defined elsewhere and only used there, else the
 * innermost declaration that holds the position. Undefined where nothing does, or where it lies in a library. Rejects
 * as `findPosition`.
 */
export async function targetOf(
	asked: FileQuery,
	pointer: Pointer,
	{ follow = false }: { readonly follow?: boolean } = {},
): Promise<DeclaredGroup | undefined> {
	const { symbol, line, pattern } = pointer;
	const byName = symbol !== undefined && line === undefined && pattern === undefined;
	// At a place both are asked at once; by a name what the file declares says whether there is anything else to ask.
	const elsewhere = byName || !follow ? undefined : definitionOf(asked, pointer);
	elsewhere?.catch(() => {});
	const declared = await asked.declared();
	const here = (group: readonly DocumentSymbolEntry[]): DeclaredGroup => ({
		path: asked.display(asked.document.path),
		group,
		lines: asked.lines,
	});
	if (byName) {
		const group = named(declared, symbol);
		if (group) return here(group);
	}
	const spot = asked.spotOf(await asked.position(pointer));
	const holder = innermost(declared, spot);
	if (!byName && (!follow || (holder && isAt(holder, spot)))) return holder && here(holder);
	return (
		(await definedAt(asked, await (elsewhere ?? definitionOf(asked, pointer)))) ??
		(byName ? undefined : holder && here(holder))
	);
}

function definitionOf(asked: FileQuery, pointer: Pointer): Promise<FoundPlaces> {
	return asked.request<FoundPlaces>("textDocument/definition", pointer);
}

async function definedAt(asked: FileQuery, definition: FoundPlaces): Promise<DeclaredGroup | undefined> {
	const { places } = await asked.places(definition);
	// Without its line of source it lies in a library, which is named and not read.
	const [place] = places.filter(({ text }) => text !== undefined);
	if (!place) return undefined;
	return asked.beside(place.path, async (other) => {
		const group = innermost(await other.declared(), place);
		return group && { path: place.path, group, lines: other.lines };
	});
}

type Groups = readonly (readonly DocumentSymbolEntry[])[];

/** What a file declares stays the same list while its text does, and every question looks through it. */
const grouped = new WeakMap<readonly DocumentSymbolEntry[], Groups>();

/** All that is declared in a tree, each with its overloads, in order. */
export function groupsOf(declared: readonly DocumentSymbolEntry[]): Groups {
	const known = grouped.get(declared);
	if (known) return known;
	const groups: DocumentSymbolEntry[][] = [];
	for (const symbol of declared) {
		const last = groups.at(-1);
		if (last?.[0]?.path === symbol.path && last[0].kind === symbol.kind) last.push(symbol);
		else groups.push([symbol]);
	}
	const all = groups.flatMap((group) => [group, ...group.flatMap(({ children }) => groupsOf(children))]);
	grouped.set(declared, all);
	return all;
}

/** What a file declares under a name or a dotted path: by its whole path, else by the end of it. Rejects if that are several. */
function named(declared: readonly DocumentSymbolEntry[], symbol: string): readonly DocumentSymbolEntry[] | undefined {
	const wanted = namesOf(symbol).join(".");
	const groups = groupsOf(declared);
	const whole = groups.filter(([first]) => first?.path === wanted);
	const found = whole.length > 0 ? whole : groups.filter(([first]) => first?.path.endsWith(`.${wanted}`));
	if (found.length < 2) return found[0];
	const candidates = found.flatMap(([first]) => (first ? [{ symbol: first.path, line: first.at.line }] : []));
	const listed = candidates.slice(0, 8).map(({ symbol: path, line }) => `${path} on line ${line}`);
	throw new LspError("LSP_SYMBOL_AMBIGUOUS", `"${symbol}" is declared ${found.length} times: ${listed.join(", ")}.`, {
		candidates,
	});
}

/** The innermost declaration that holds a spot, with its overloads. */
function innermost(declared: readonly DocumentSymbolEntry[], spot: Spot): readonly DocumentSymbolEntry[] | undefined {
	return groupsOf(declared).findLast((group) => group.some((symbol) => holds(symbol, spot)));
}

function holds({ start, end, at }: DocumentSymbolEntry, { line, column }: Spot): boolean {
	const after = line > start.line || (line === start.line && column >= start.column);
	const before = line < end.line || (line === end.line && column <= end.column);
	// typescript-language-server leaves `export const` out of the range of a variable; a line is pointed at by its start.
	return (after && before) || (line === at.line && start.line === end.line && column <= at.column && column === 1);
}

/** True if a spot is the very name of what is declared. */
function isAt(group: readonly DocumentSymbolEntry[], { line, column }: Spot): boolean {
	return group.some(({ at, name }) => at.line === line && column >= at.column && column <= at.column + name.length);
}
