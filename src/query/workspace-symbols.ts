import type { Range, SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import { symbolKind } from "../contract/protocol-kinds.ts";
import { type PositionEncoding, toSpots } from "../util/positions.ts";
import { plainName } from "./document-symbols.ts";
import type { LocationReader } from "./locations.ts";

export type WorkspaceSymbolResult = readonly (SymbolInformation | WorkspaceSymbol)[] | null;

/** Columns only if the server counts UTF-16 units: the file is not read. */
export interface FoundSymbol {
	readonly symbol: string;
	readonly kind: string;
	readonly path: string;
	/** 1-based. */
	readonly line: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
	readonly test?: boolean;
}

export interface FoundSymbols {
	readonly symbols: FoundSymbol[];
	readonly outside: number;
	readonly answered: number;
}

/** `isWanted` gets absolute paths. */
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

function withContainer(name: string, kind: string, container = ""): string {
	const isMember = /^(?:method|field|property|constructor|enum-member)$/.test(kind);
	if (container === "" || name.includes(".") || /[/\\"\s]/.test(container)) return name;
	return isMember || /^\p{Lu}/u.test(container) ? `${container}.${name}` : name;
}
