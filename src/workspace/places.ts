import type { Location, LocationLink } from "vscode-languageserver-protocol";
import { linesOf, toPath, toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { readText, realPathOf } from "../util/files.ts";
import { isForeign, isInside } from "./root.ts";

/** A place with its line of source; without text where it lies outside the workspace or in an installed package. */
export interface SourcePlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	readonly text?: string;
}

const maxTextLength = 200;

/**
 * A server's locations as places, in order of path and line, each line told once. Source is read only inside the
 * workspace: a library is named, not read, and a place of another scheme (`jdt://`) keeps its URI.
 */
export async function toPlaces(
	server: LanguageServer,
	workspace: string,
	found: Location | readonly (Location | LocationLink)[] | null,
	display: (path: string) => string,
): Promise<SourcePlace[]> {
	const locations = (found === null ? [] : "uri" in found ? [found] : [...found]).map((location) =>
		"targetUri" in location
			? { uri: location.targetUri, start: location.targetSelectionRange.start }
			: { uri: location.uri, start: location.range.start },
	);
	const texts = new Map<string, Promise<string[] | undefined>>();
	// Where a link leads out of the workspace, what lies there is not ours to tell.
	const isOurs = async (path: string) => {
		const real = (await realPathOf(path)) ?? path;
		return isInside(real, workspace) && !isForeign(real, workspace);
	};
	const linesFor = (path: string) => {
		const known = texts.get(path) ?? readLines(path);
		texts.set(path, known);
		return known;
	};
	const places = await Promise.all(
		locations.map(async ({ uri, start }): Promise<SourcePlace> => {
			const path = toPath(uri);
			if (path === undefined) return { path: uri, ...toSpot(start, [], "utf-16") };
			const ours = await isOurs(path);
			// Of a library only the place is told; for its column in UTF-16 its line would have to be read.
			const lines = ours || server.encoding !== "utf-16" ? await linesFor(path) : undefined;
			const spot = toSpot(start, lines ?? [], server.encoding);
			const text = ours ? lines?.[start.line]?.trim().slice(0, maxTextLength) : undefined;
			return { path: display(path), ...spot, ...(text === undefined ? {} : { text }) };
		}),
	);
	const unique = new Map(places.map((place) => [`${place.path}:${place.line}:${place.column}`, place]));
	return [...unique.values()].sort((a, b) =>
		a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1,
	);
}

function readLines(path: string): Promise<string[] | undefined> {
	return readText(path).then((text) => (text === undefined ? undefined : linesOf(text)));
}
