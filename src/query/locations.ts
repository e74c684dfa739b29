import { relative } from "node:path";
import type { Location, LocationLink, Position, Range } from "vscode-languageserver-protocol";
import { isOurs } from "../project/root.ts";
import { isTestPath } from "../project/test-paths.ts";
import { displayPath } from "../routing/locate.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { linesOf, type PositionEncoding, toPath, toSpots } from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";

/** What a server answers to a request for locations. */
export type LocationResult = Location | LocationLink | readonly (Location | LocationLink)[] | null;

/** A location with its line of source; without `text` outside of the workspace and in installed packages. */
export interface SourceLocation {
	readonly path: string;
	/** 1-based, columns in UTF-16 units, the end exclusive. */
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
	readonly text?: string;
	/** True for a location of `LocationOptions.declared`. */
	readonly declaration?: boolean;
	/** True in a file of tests. */
	readonly test?: boolean;
}

export interface LocationOptions {
	/** The source is read only for locations within the limit. */
	readonly limit?: number | undefined;
	readonly offset?: number | undefined;
	/** Locations that do not count. */
	readonly without?: LocationResult;
	/** Locations that declare the symbol. */
	readonly declared?: LocationResult;
}

/** One page of the distinct locations: code first, then tests, then libraries, each by path and line. */
export interface LocationList {
	readonly places: SourceLocation[];
	/** How many locations there are on all pages. */
	readonly total: number;
	/** How many of the total are in tests, if any. */
	readonly tests?: number;
}

/** How a server's locations are read for one caller. */
export interface LocationReader {
	readonly names: UriNames;
	readonly encoding: PositionEncoding;
}

/** What a URI alone says of its file; the disk is not asked. */
export interface UriName {
	/** Undefined for another scheme than `file:` (`jdt://`). */
	readonly path: string | undefined;
	/** The path relative to the caller's directory, or the URI itself. */
	readonly shown: string;
	/** True in the workspace, outside of installed packages. A symbolic link may still lead elsewhere. */
	readonly isOurs: boolean;
	/** True for a file of tests in the workspace. */
	readonly isTest: boolean;
}

/** The names of URIs during one question, for a caller in `cwd`; both directories are real and absolute. */
export class UriNames {
	readonly workspace: string;
	readonly #cwd: string;
	readonly #names = new Map<string, UriName>();

	constructor(workspace: string, cwd: string) {
		this.workspace = workspace;
		this.#cwd = cwd;
	}

	of(uri: string): UriName {
		const known = this.#names.get(uri);
		if (known) return known;
		const path = toPath(uri);
		const ours = path !== undefined && isOurs(path, this.workspace);
		const name = {
			path,
			shown: path === undefined ? uri : displayPath(path, this.#cwd),
			isOurs: ours,
			isTest: ours && isTestPath(relative(this.workspace, path)),
		};
		this.#names.set(uri, name);
		return name;
	}
}

/** Converts a server's locations for a caller. The source is read once for each file, and only inside the workspace. */
export async function listLocations(
	found: LocationResult,
	reader: LocationReader,
	{ limit = Number.POSITIVE_INFINITY, offset = 0, without = null, declared = null }: LocationOptions = {},
): Promise<LocationList> {
	const files = await locationsByFile(found, reader.names, without);
	const declarations = await locationsByFile(declared, reader.names);
	const places: SourceLocation[] = [];
	let total = 0;
	let tests = 0;
	for (const { file, ranges } of [...files.values()].sort(byRankAndPath)) {
		const first = Math.max(offset - total, 0);
		total += ranges.size;
		if (file.isTest) tests += ranges.size;
		if (places.length >= limit || ranges.size <= first) continue;
		const inOrder = [...ranges.values()].sort((a, b) => comparePositions(a.start, b.start));
		const page = { file, ranges: inOrder.slice(first, first + limit - places.length) };
		places.push(...(await sourceLocations(page, reader, declarations.get(file.shown)?.ranges)));
	}
	return { places, total, ...(tests > 0 ? { tests } : {}) };
}

/** How many locations there are in one file. */
export interface FileCount {
	readonly path: string;
	readonly count: number;
	readonly test?: boolean;
}

export interface CountOptions {
	/** Locations that do not count. */
	readonly without?: LocationResult;
	/** True for a location that does not count either, by its file as shown and its start. */
	isDeclaration?(shown: string, start: Position): boolean;
}

/** Counts the distinct locations by file without reading any: code before tests, the files with the most first. */
export async function countByFile(
	found: LocationResult,
	names: UriNames,
	{ without = null, isDeclaration = () => false }: CountOptions = {},
): Promise<FileCount[]> {
	const files = await locationsByFile(found, names, without);
	const counts = [...files.values()].map(({ file: { shown, isTest }, ranges }): FileCount => {
		const count = [...ranges.values()].filter(({ start }) => !isDeclaration(shown, start)).length;
		return { path: shown, count, ...(isTest ? { test: true } : {}) };
	});
	return counts
		.filter(({ count }) => count > 0)
		.sort(
			(one, other) =>
				Number(one.test === true) - Number(other.test === true) ||
				other.count - one.count ||
				(one.path < other.path ? -1 : 1),
		);
}

/** The distinct ranges of one file by their start. */
interface FileLocations {
	readonly file: UriName;
	readonly ranges: Map<string, Range>;
}

/** Other callers are served after each slice of this many locations. */
const sliceSize = 20_000;

/** Groups locations by the file's path as shown, since two spellings of one URI are one file. */
async function locationsByFile(
	found: LocationResult,
	names: UriNames,
	without: LocationResult = null,
): Promise<Map<string, FileLocations>> {
	const files = new Map<string, FileLocations>();
	for (const [index, location] of asList(found).entries()) {
		if (index % sliceSize === sliceSize - 1) await new Promise((resolve) => setImmediate(resolve));
		const { uri, range } = asLocation(location);
		const file = names.of(uri);
		const known = files.get(file.shown) ?? { file, ranges: new Map() };
		files.set(file.shown, known);
		known.ranges.set(startKey(range), range);
	}
	for (const location of asList(without)) {
		const { uri, range } = asLocation(location);
		files.get(names.of(uri).shown)?.ranges.delete(startKey(range));
	}
	return files;
}

function asList(found: LocationResult): readonly (Location | LocationLink)[] {
	if (found === null) return [];
	return Array.isArray(found) ? found : [found as Location | LocationLink];
}

function asLocation(location: Location | LocationLink): Location {
	if (!("targetUri" in location)) return location;
	return { uri: location.targetUri, range: location.targetSelectionRange };
}

function startKey({ start }: Range): string {
	return `${start.line}:${start.character}`;
}

function byRankAndPath({ file: a }: FileLocations, { file: b }: FileLocations): number {
	const rank = ({ isOurs: ours, isTest }: UriName) => (ours ? Number(isTest) : 2);
	return rank(a) - rank(b) || (a.shown < b.shown ? -1 : 1);
}

/** Negative if `a` is before `b`. */
export function comparePositions(a: Position, b: Position): number {
	return a.line - b.line || a.character - b.character;
}

const maxTextLength = 200;

async function sourceLocations(
	{ file, ranges }: { readonly file: UriName; readonly ranges: readonly Range[] },
	{ names: { workspace }, encoding }: LocationReader,
	declarations: FileLocations["ranges"] | undefined,
): Promise<SourceLocation[]> {
	const { path, shown, isTest } = file;
	const leadsToOurs = (real: string) => (real === path ? file.isOurs : isOurs(real, workspace));
	// The line of a library is read only to convert its columns to UTF-16, and is not shown.
	const mayRead = (real: string) => encoding !== "utf-16" || leadsToOurs(real);
	const source = path === undefined ? undefined : await readSource(path, mayRead);
	const lines = source?.lines ?? [];
	const isShown = source !== undefined && leadsToOurs(source.real);
	return ranges.map((range) => {
		const { start, end } = toSpots(range, lines, encoding);
		const text = isShown ? lines[range.start.line]?.trim().slice(0, maxTextLength) : undefined;
		return {
			path: shown,
			...start,
			endLine: end.line,
			endColumn: end.column,
			...(text === undefined ? {} : { text }),
			...(isTest ? { test: true } : {}),
			...(declarations?.has(startKey(range)) ? { declaration: true } : {}),
		};
	});
}

interface SourceFile {
	/** With symbolic links followed. */
	readonly real: string;
	readonly lines: readonly string[];
}

const maxKeptBytes = 64n * 1024n;
/** The lines of small files that answers quoted last. The process keeps them, since all servers and callers share the disk. */
const sourceFiles = new StatCache<SourceFile>(100);

/** Reads the lines of a file. Undefined if it cannot be read, or if `mayRead` refuses the path without symbolic links. */
export async function readSource(path: string, mayRead: (real: string) => boolean): Promise<SourceFile | undefined> {
	const info = await statOf(path);
	if (!info) return undefined;
	const known = sourceFiles.get(path, info)?.value;
	if (known && mayRead(known.real)) return known;
	const real = (await realPathOf(path)) ?? path;
	const text = mayRead(real) ? await readText(real, anySource) : undefined;
	if (text === undefined) return undefined;
	const file = { real, lines: linesOf(text) };
	if (info.size <= maxKeptBytes) sourceFiles.set(path, info, file);
	return file;
}
