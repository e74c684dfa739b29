import type { Range } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../lsp/server.ts";
import { isOurs } from "../project/root.ts";
import { type PositionEncoding, toSpots } from "../util/positions.ts";
import { type FileLocations, type FoundPlaces, placesByFile, rangesIn, startKey } from "./group-locations.ts";
import { sourceFile } from "./text-at-position.ts";
import type { NameFile, UriName } from "./uri-names.ts";

/** A place with its line of source; without text where it lies outside the workspace or in an installed package. */
export interface SourceLocation {
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
	readonly places: SourceLocation[];
	readonly total: number;
	/** How many of them are in tests, if any. */
	readonly tests?: number;
}

const maxTextLength = 200;

/**
 * A server's locations as places. Source is read only inside the workspace: a library is named, not read, and a place
 * of another scheme (`jdt://`) keeps its URI. An answer of 400,000 places costs one look at each file, not at each place.
 */
export async function toPlaces(
	server: LanguageServer,
	workspace: string,
	found: FoundPlaces,
	named: NameFile,
	{ limit = Number.POSITIVE_INFINITY, offset = 0, without = null, declared = null }: PlacesOptions = {},
): Promise<PlaceList> {
	const files = await placesByFile(found, named, without);
	const declaring = await placesByFile(declared, named);
	files.sort((a, b) => rankOf(a.file) - rankOf(b.file) || (a.file.shown < b.file.shown ? -1 : 1));
	const places: SourceLocation[] = [];
	let total = 0;
	let tests = 0;
	for (const { file, ranges } of files) {
		const first = Math.max(offset - total, 0);
		total += ranges.size;
		if (file.test) tests += ranges.size;
		if (places.length >= limit || ranges.size <= first) continue;
		const inOrder = [...ranges.values()].sort(
			({ start: a }, { start: b }) => a.line - b.line || a.character - b.character,
		);
		const wanted = inOrder.slice(first, first + limit - places.length);
		places.push(...(await placesIn(server, workspace, file, wanted, rangesIn(declaring, file))));
	}
	return { places, total, ...(tests > 0 ? { tests } : {}) };
}

/** Code, tests, libraries. */
function rankOf({ test, ours }: UriName): number {
	return ours ? Number(test) : 2;
}

async function placesIn(
	server: LanguageServer,
	workspace: string,
	{ path, shown, test, ours }: UriName,
	ranges: readonly Range[],
	declarations: FileLocations["ranges"] | undefined,
): Promise<SourceLocation[]> {
	const placed = (range: Range, lines: readonly string[], encoding: PositionEncoding) => {
		const { start, end } = toSpots(range, lines, encoding);
		return { path: shown, ...start, endLine: end.line, endColumn: end.column };
	};
	if (path === undefined) return ranges.map((range) => placed(range, [], "utf-16"));
	// Where a link leads out of the workspace, what lies there is not ours to tell.
	const leadsToOurs = (real: string) => (real === path ? ours : isOurs(real, workspace));
	// Of a library only the place is told; for its column in UTF-16 its line has to be read.
	const file = await sourceFile(path, (real) => server.encoding !== "utf-16" || leadsToOurs(real));
	const isShown = file !== undefined && leadsToOurs(file.real);
	const lines = file?.lines ?? [];
	return ranges.map((range) => {
		const source = isShown ? lines[range.start.line]?.trim().slice(0, maxTextLength) : undefined;
		return {
			...placed(range, lines, server.encoding),
			...(source === undefined ? {} : { text: source }),
			...(test ? { test } : {}),
			...(declarations?.has(startKey(range.start)) ? { declaration: true } : {}),
		};
	});
}
