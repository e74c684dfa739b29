import type { Range, SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/symbol-kinds.ts";
import { type PositionEncoding, toSpots } from "../util/positions.ts";
import { plainName } from "./document-symbols.ts";
import type { NameFile } from "./uri-names.ts";

/** A symbol that a server found in a workspace; no text is read for it, so there are columns only where it counts as we do. */
export interface FoundSymbol {
	/** The name with its containers, as far as the server says them: `Ledger.judge`. */
	readonly symbol: string;
	readonly kind: string;
	readonly path: string;
	/** 1-based. */
	readonly line: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
	/** True for a test's. */
	readonly test?: boolean;
}

/** Symbols of the workspace, and how many there are in libraries and elsewhere. */
export interface FoundSymbols {
	readonly symbols: FoundSymbol[];
	readonly outside: number;
	/** How many the server answered in all: it may have a limit. */
	readonly answered: number;
}

/** What a server answers to `workspace/symbol`, as a caller reads it; what lies in installed packages is only counted. */
export function toFoundSymbols(
	found: readonly (SymbolInformation | WorkspaceSymbol)[] | null,
	named: NameFile,
	encoding: PositionEncoding,
	isWanted: (path: string) => boolean,
): FoundSymbols {
	const list = Array.isArray(found) ? found : [];
	const symbols: FoundSymbol[] = [];
	let outside = 0;
	for (const { name, kind, containerName, location } of list) {
		const { path, shown, ours, test } = named(location.uri);
		if (path === undefined || !ours) {
			outside++;
			continue;
		}
		if (!isWanted(path)) continue;
		symbols.push({
			symbol: withContainer(plainName(name), symbolKind(kind), containerName),
			kind: symbolKind(kind),
			path: shown,
			// Without a range only for clients that say that they ask once more.
			...("range" in location ? placeOf(location.range, encoding) : { line: 1 }),
			...(test ? { test } : {}),
		});
	}
	return { symbols, outside, answered: list.length };
}

function placeOf(range: Range, encoding: PositionEncoding) {
	const { start, end } = toSpots(range, [], encoding);
	if (encoding !== "utf-16") return { line: start.line };
	return { ...start, endLine: end.line, endColumn: end.column };
}

/** A container that is a package or a file says where it lies, and the path says that better. */
function withContainer(name: string, kind: string, container = ""): string {
	const isMember = /^(?:method|field|property|constructor|enum-member)$/.test(kind);
	if (container === "" || name.includes(".") || /[/\\"\s]/.test(container)) return name;
	return isMember || /^\p{Lu}/u.test(container) ? `${container}.${name}` : name;
}
