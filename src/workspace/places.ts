import { relative } from "node:path";
import type { Location, LocationLink, Position } from "vscode-languageserver-protocol";
import { linesOf, toPath, toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { readText, realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { isTestPath } from "../util/test-paths.ts";
import { isForeign } from "./root.ts";

/** A place with its line of source; without text where it lies outside the workspace or in an installed package. */
export interface SourcePlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	readonly text?: string;
	/** True in a file of tests. */
	readonly test?: boolean;
}

/** What a server answers where it is asked for places. */
export type FoundPlaces = Location | LocationLink | readonly (Location | LocationLink)[] | null;

export interface PlacesOptions {
	/** At most this many are told; only of those the source is read. */
	readonly limit?: number | undefined;
	/** So many places are passed over. */
	readonly offset?: number | undefined;
	/** Places that do not count. */
	readonly without?: FoundPlaces;
}

/** Places in order of path and line, those in tests behind them, those in libraries last; each told once, and how many there are in all. */
export interface PlaceList {
	readonly places: SourcePlace[];
	readonly total: number;
	/** How many of them are in tests, if any. */
	readonly tests?: number;
}

const maxTextLength = 200;
/** So many places are put in order at once; others' questions are answered in between. */
const sliceSize = 20_000;

/** Where in one file a server found something. */
interface FileStarts {
	readonly uri: string;
	readonly path: string | undefined;
	readonly shown: string;
	readonly test: boolean;
	/** By its path; links are followed when it is read. */
	readonly ours: boolean;
	readonly starts: Map<string, Position>;
}

/**
 * A server's locations as places. Source is read only inside the workspace: a library is named, not read, and a place
 * of another scheme (`jdt://`) keeps its URI. An answer of 400,000 places costs one look at each file, not at each place.
 */
export async function toPlaces(
	server: LanguageServer,
	workspace: string,
	found: FoundPlaces,
	display: (path: string) => string,
	{ limit = Number.POSITIVE_INFINITY, offset = 0, without = null }: PlacesOptions = {},
): Promise<PlaceList> {
	const files = await byFile(found, workspace, display);
	for (const { shown, starts } of await byFile(without, workspace, display))
		for (const key of starts.keys()) files.find((file) => file.shown === shown)?.starts.delete(key);
	files.sort((a, b) => rankOf(a) - rankOf(b) || (a.shown < b.shown ? -1 : 1));
	const places: SourcePlace[] = [];
	let total = 0;
	let tests = 0;
	for (const file of files) {
		const first = Math.max(offset - total, 0);
		total += file.starts.size;
		if (file.test) tests += file.starts.size;
		if (places.length >= limit || file.starts.size <= first) continue;
		const starts = [...file.starts.values()].sort((a, b) => a.line - b.line || a.character - b.character);
		places.push(...(await placesIn(server, workspace, file, starts.slice(first, first + limit - places.length))));
	}
	return { places, total, ...(tests > 0 ? { tests } : {}) };
}

async function byFile(found: FoundPlaces, workspace: string, display: (path: string) => string): Promise<FileStarts[]> {
	const locations: readonly (Location | LocationLink)[] = found === null ? [] : Array.isArray(found) ? found : [found];
	const byUri = new Map<string, FileStarts>();
	const byName = new Map<string, FileStarts>();
	for (const [index, location] of locations.entries()) {
		if (index % sliceSize === sliceSize - 1) await new Promise((resolve) => setImmediate(resolve));
		const [uri, start] =
			"targetUri" in location
				? [location.targetUri, location.targetSelectionRange.start]
				: [location.uri, location.range.start];
		let file = byUri.get(uri);
		if (!file) {
			const path = toPath(uri);
			const shown = path === undefined ? uri : display(path);
			// Two spellings of one URI are one file.
			const ours = path !== undefined && isInside(path, workspace) && !isForeign(path, workspace);
			const test = ours && isTestPath(relative(workspace, path));
			file = byName.get(shown) ?? { uri, path, shown, test, ours, starts: new Map() };
			byName.set(shown, file);
			byUri.set(uri, file);
		}
		file.starts.set(`${start.line}:${start.character}`, start);
	}
	return [...byName.values()];
}

/** Code, tests, libraries. */
function rankOf({ test, ours }: FileStarts): number {
	return ours ? Number(test) : 2;
}

async function placesIn(
	server: LanguageServer,
	workspace: string,
	{ path, shown, test }: FileStarts,
	starts: readonly Position[],
): Promise<SourcePlace[]> {
	if (path === undefined) return starts.map((start) => ({ path: shown, ...toSpot(start, [], "utf-16") }));
	// Where a link leads out of the workspace, what lies there is not ours to tell.
	const real = (await realPathOf(path)) ?? path;
	const ours = isInside(real, workspace) && !isForeign(real, workspace);
	// Of a library only the place is told; for its column in UTF-16 its line would have to be read.
	const text = ours || server.encoding !== "utf-16" ? await readText(path) : undefined;
	const lines = text === undefined ? [] : linesOf(text);
	return starts.map((start) => {
		const source = ours ? lines[start.line]?.trim().slice(0, maxTextLength) : undefined;
		return {
			path: shown,
			...toSpot(start, lines, server.encoding),
			...(source === undefined ? {} : { text: source }),
			...(test ? { test } : {}),
		};
	});
}
