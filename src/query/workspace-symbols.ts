import type { Range, SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/protocol-kinds.ts";
import { type PositionEncoding, toSpots } from "../util/positions.ts";
import { plainName } from "./document-symbols.ts";
import type { LocationReader } from "./locations.ts";

/** What a server answers to `workspace/symbol`. */
export type WorkspaceSymbolResult = readonly (SymbolInformation | WorkspaceSymbol)[] | null;

/** A symbol of the workspace. The file is not read, so columns are present only for a server that counts UTF-16 units. */
export interface FoundSymbol {
	/** The name, with its container if the server names it: `Ledger.judge`. */
	readonly symbol: string;
	readonly kind: string;
	readonly path: string;
	/** 1-based. */
	readonly line: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
	/** True in a file of tests. */
	readonly test?: boolean;
}

export interface FoundSymbols {
	readonly symbols: FoundSymbol[];
	/** How many symbols there are in libraries and elsewhere. */
	readonly outside: number;
	/** How many symbols the server answered. */
	readonly answered: number;
}

/** Converts a server's workspace symbols for a caller; `isWanted` decides by the absolute path of a file of the workspace. */
export function toFoundSymbols(
	found: WorkspaceSymbolResult,
	{ names, encoding }: LocationReader,
	isWanted: (path: string) => boolean,
): FoundSymbols {
	const symbols: FoundSymbol[] = [];
	let outside = 0;
	for (const { name, kind, containerName, location } of found ?? []) {
		const { path, shown, isOurs, isTest } = names.of(location.uri);
		if (path === undefined || !isOurs) {
			outside++;
			continue;
		}
		if (!isWanted(path)) continue;
		symbols.push({
			symbol: withContainer(plainName(name), symbolKind(kind), containerName),
			kind: symbolKind(kind),
			path: shown,
			// A server may leave out the range only for a client that resolves symbols.
			...("range" in location ? linesOfRange(location.range, encoding) : { line: 1 }),
			...(isTest ? { test: true } : {}),
		});
	}
	return { symbols, outside, answered: found?.length ?? 0 };
}

function linesOfRange(range: Range, encoding: PositionEncoding) {
	const { start, end } = toSpots(range, [], encoding);
	if (encoding !== "utf-16") return { line: start.line };
	return { ...start, endLine: end.line, endColumn: end.column };
}

/** Leaves out a container that is a package or a file, which the path names already. */
function withContainer(name: string, kind: string, container = ""): string {
	const isMember = /^(?:method|field|property|constructor|enum-member)$/.test(kind);
	if (container === "" || name.includes(".") || /[/\\"\s]/.test(container)) return name;
	return isMember || /^\p{Lu}/u.test(container) ? `${container}.${name}` : name;
}
