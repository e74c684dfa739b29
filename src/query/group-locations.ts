import type { Location, LocationLink, Position, Range } from "vscode-languageserver-protocol";
import type { NameFile, UriName } from "./uri-names.ts";

/** What a server answers where it is asked for places. */
export type FoundPlaces = Location | LocationLink | readonly (Location | LocationLink)[] | null;

/** Where in one file a server found something, each place once. */
export interface FileLocations {
	readonly file: UriName;
	/** By what `startKey` says of their starts. */
	readonly ranges: Map<number, Range>;
}

/** So many places are put in order at once; others' questions are answered in between. */
const sliceSize = 20_000;
const columnBits = 2 ** 24;

/**
 * A server's places file by file: what is to be known of a file is asked once, not for each of its places. Those of
 * `without` are left out, and a file may have none left.
 */
export async function placesByFile(
	found: FoundPlaces,
	named: NameFile,
	without: FoundPlaces = null,
): Promise<FileLocations[]> {
	const files = await grouped(found, named);
	for (const { file, ranges } of await grouped(without, named)) {
		const left = rangesIn(files, file);
		for (const key of ranges.keys()) left?.delete(key);
	}
	return files;
}

/** The places in one file; undefined if it is none of these. */
export function rangesIn(files: readonly FileLocations[], { shown }: UriName): FileLocations["ranges"] | undefined {
	return files.find(({ file }) => file.shown === shown)?.ranges;
}

async function grouped(found: FoundPlaces, named: NameFile): Promise<FileLocations[]> {
	const byUri = new Map<string, FileLocations>();
	const byName = new Map<string, FileLocations>();
	for (const [index, location] of listOf(found).entries()) {
		if (index % sliceSize === sliceSize - 1) await new Promise((resolve) => setImmediate(resolve));
		const [uri, range] =
			"targetUri" in location ? [location.targetUri, location.targetSelectionRange] : [location.uri, location.range];
		let places = byUri.get(uri);
		if (!places) {
			const file = named(uri);
			// Two spellings of one URI are one file.
			places = byName.get(file.shown) ?? { file, ranges: new Map() };
			byName.set(file.shown, places);
			byUri.set(uri, places);
		}
		places.ranges.set(startKey(range.start), range);
	}
	return [...byName.values()];
}

function listOf(found: FoundPlaces): readonly (Location | LocationLink)[] {
	if (found === null) return [];
	return Array.isArray(found) ? found : [found as Location | LocationLink];
}

/** Tells one place of a file from another. */
export function startKey({ line, character }: Position): number {
	return line * columnBits + character;
}
