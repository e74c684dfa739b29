import { relative } from "node:path";
import type { Location, LocationLink, Position } from "vscode-languageserver-protocol";
import { toPath } from "../lsp/positions.ts";
import { isTestPath } from "../util/test-paths.ts";
import type { FoundPlaces } from "./places.ts";

/** How many places there are in one file. */
export interface FileCount {
	readonly path: string;
	readonly count: number;
	readonly test?: boolean;
}

export interface CountOptions {
	/** Places that do not count. */
	readonly without?: FoundPlaces;
	/** True for a place, by its file as it is shown, that does not count either. */
	isDeclaration?(shown: string, start: Position): boolean;
}

/** A server's locations counted by file, each once: code before tests, the files with the most first. Nothing is read. */
export function countByFile(
	found: FoundPlaces,
	workspace: string,
	display: (path: string) => string,
	{ without = null, isDeclaration = () => false }: CountOptions = {},
): FileCount[] {
	const left = new Set([...keysOf(without)].map(({ key }) => key));
	const counts = new Map<string, { count: number; readonly test: boolean }>();
	for (const { key, uri, start } of keysOf(found)) {
		if (left.has(key)) continue;
		left.add(key);
		const path = toPath(uri);
		const shown = path === undefined ? uri : display(path);
		if (isDeclaration(shown, start)) continue;
		const file = counts.get(shown) ?? { count: 0, test: path !== undefined && isTestPath(relative(workspace, path)) };
		file.count++;
		counts.set(shown, file);
	}
	return [...counts]
		.sort(
			([a, one], [b, other]) => Number(one.test) - Number(other.test) || other.count - one.count || (a < b ? -1 : 1),
		)
		.map(([path, { count, test }]) => ({ path, count, ...(test ? { test } : {}) }));
}

function* keysOf(
	found: FoundPlaces,
): Generator<{ readonly key: string; readonly uri: string; readonly start: Position }> {
	for (const location of found === null ? [] : isList(found) ? found : [found]) {
		const [uri, { start }] =
			"targetUri" in location ? [location.targetUri, location.targetSelectionRange] : [location.uri, location.range];
		yield { key: `${uri}#${start.line}:${start.character}`, uri, start };
	}
}

function isList(found: NonNullable<FoundPlaces>): found is readonly (Location | LocationLink)[] {
	return Array.isArray(found);
}
