import { relative } from "node:path";
import type { Location, LocationLink, Position, Range } from "vscode-languageserver-protocol";
import { type PositionEncoding, toPath, toSpots } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { isInside } from "../util/paths.ts";
import { Recent } from "../util/recent.ts";
import { isTestPath } from "../util/test-paths.ts";
import { isForeign } from "./root.ts";
import { sourceFile } from "./source-file.ts";

/** A place with its line of source; without text where it lies outside the workspace or in an installed package. */
export interface SourcePlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	/** Behind its last character. */
	readonly endLine: number;
	readonly endColumn: number;
	readonly text?: string;
	/** True for a place that was told to be what declares the symbol. */
	readonly declaration?: boolean;
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
	/** Places that declare the symbol. */
	readonly declared?: FoundPlaces;
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
interface FileRanges {
	readonly uri: string;
	readonly path: string | undefined;
	readonly shown: string;
	readonly test: boolean;
	/** By its path; links are followed when it is read. */
	readonly ours: boolean;
	/** By their starts. */
	readonly ranges: Map<string, Range>;
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
	{ limit = Number.POSITIVE_INFINITY, offset = 0, without = null, declared = null }: PlacesOptions = {},
): Promise<PlaceList> {
	const files = await byFile(found, workspace, display);
	for (const { shown, ranges } of await byFile(without, workspace, display))
		for (const key of ranges.keys()) files.find((file) => file.shown === shown)?.ranges.delete(key);
	const declaring = await byFile(declared, workspace, display);
	files.sort((a, b) => rankOf(a) - rankOf(b) || (a.shown < b.shown ? -1 : 1));
	const places: SourcePlace[] = [];
	let total = 0;
	let tests = 0;
	for (const file of files) {
		const first = Math.max(offset - total, 0);
		total += file.ranges.size;
		if (file.test) tests += file.ranges.size;
		if (places.length >= limit || file.ranges.size <= first) continue;
		const ranges = [...file.ranges.values()].sort(
			({ start: a }, { start: b }) => a.line - b.line || a.character - b.character,
		);
		const wanted = ranges.slice(first, first + limit - places.length);
		const declarations = declaring.find(({ shown }) => shown === file.shown)?.ranges;
		places.push(...(await placesIn(server, workspace, file, wanted, declarations)));
	}
	return { places, total, ...(tests > 0 ? { tests } : {}) };
}

async function byFile(found: FoundPlaces, workspace: string, display: (path: string) => string): Promise<FileRanges[]> {
	const locations: readonly (Location | LocationLink)[] = found === null ? [] : Array.isArray(found) ? found : [found];
	const byUri = new Map<string, FileRanges>();
	const byName = new Map<string, FileRanges>();
	for (const [index, location] of locations.entries()) {
		if (index % sliceSize === sliceSize - 1) await new Promise((resolve) => setImmediate(resolve));
		const [uri, range] =
			"targetUri" in location ? [location.targetUri, location.targetSelectionRange] : [location.uri, location.range];
		let file = byUri.get(uri);
		if (!file) {
			const named = namedBy(uri, workspace);
			const shown = named.path === undefined ? uri : display(named.path);
			// Two spellings of one URI are one file.
			file = byName.get(shown) ?? { uri, ...named, shown, ranges: new Map() };
			byName.set(shown, file);
			byUri.set(uri, file);
		}
		file.ranges.set(keyOf(range.start), range);
	}
	return [...byName.values()];
}

type Named = Pick<FileRanges, "path" | "test" | "ours">;

/** What a URI says by itself: asked again for the same few hundred files in every answer. */
function namedBy(uri: string, workspace: string): Named {
	const key = `${workspace}\n${uri}`;
	const known = namedFiles.get(key);
	if (known) return known;
	const path = toPath(uri);
	const ours = path !== undefined && isOurs(path, workspace);
	const named = { path, ours, test: ours && isTestPath(relative(workspace, path)) };
	namedFiles.set(key, named);
	return named;
}

const namedFiles = new Recent<Named>(2000);

function isOurs(path: string, workspace: string): boolean {
	return isInside(path, workspace) && !isForeign(path, workspace);
}

/** Code, tests, libraries. */
function rankOf({ test, ours }: FileRanges): number {
	return ours ? Number(test) : 2;
}

function keyOf({ line, character }: Position): string {
	return `${line}:${character}`;
}

async function placesIn(
	server: LanguageServer,
	workspace: string,
	{ path, shown, test, ours: isNamedOurs }: FileRanges,
	ranges: readonly Range[],
	declarations: FileRanges["ranges"] | undefined,
): Promise<SourcePlace[]> {
	const placed = (range: Range, lines: readonly string[], encoding: PositionEncoding) => {
		const { start, end } = toSpots(range, lines, encoding);
		return { path: shown, ...start, endLine: end.line, endColumn: end.column };
	};
	if (path === undefined) return ranges.map((range) => placed(range, [], "utf-16"));
	// Where a link leads out of the workspace, what lies there is not ours to tell.
	const leadsToOurs = (real: string) => (real === path ? isNamedOurs : isOurs(real, workspace));
	// Of a library only the place is told; for its column in UTF-16 its line has to be read.
	const file = await sourceFile(path, (real) => server.encoding !== "utf-16" || leadsToOurs(real));
	const ours = file !== undefined && leadsToOurs(file.real);
	const lines = file?.lines ?? [];
	return ranges.map((range) => {
		const source = ours ? lines[range.start.line]?.trim().slice(0, maxTextLength) : undefined;
		return {
			...placed(range, lines, server.encoding),
			...(source === undefined ? {} : { text: source }),
			...(test ? { test } : {}),
			...(declarations?.has(keyOf(range.start)) ? { declaration: true } : {}),
		};
	});
}
