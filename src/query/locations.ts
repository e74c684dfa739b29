import { relative } from "node:path";
import type { Position, Range } from "vscode-languageserver-protocol";
import { isOurs } from "../project/root.ts";
import { isTestPath } from "../project/test-paths.ts";
import { displayPath } from "../routing/locate.ts";
import { realPathOf, statOf } from "../util/files.ts";
import {
	type LocationResult,
	linesOf,
	locationsIn,
	type PositionEncoding,
	toPath,
	toSpots,
} from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";

export interface SourceLocation {
	readonly path: string;
	/** 1-based, in UTF-16 units. */
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
	readonly text?: string;
	readonly indent?: string;
	readonly declaration?: boolean;
	readonly test?: boolean;
}

export interface LocationOptions {
	readonly limit?: number | undefined;
	readonly offset?: number | undefined;
	readonly without?: LocationResult;
	readonly declared?: LocationResult;
}

/** A page: code, tests, libraries, each by path and line. */
export interface LocationList {
	readonly places: SourceLocation[];
	/** On all pages. */
	readonly total: number;
	/** In test files, on all pages. */
	readonly tests?: number;
}

export interface LocationReader {
	readonly names: UriNames;
	readonly encoding: PositionEncoding;
	unwritten?(path: string): string | undefined;
}

export interface UriName {
	/** Undefined for another scheme (`jdt://`). */
	readonly path: string | undefined;
	/** Relative to the caller's directory, or the URI. */
	readonly shown: string;
	/** In the workspace, not installed; links may lead elsewhere. */
	readonly isOurs: boolean;
	readonly isTest: boolean;
}

/** Both directories are real and absolute. */
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

export interface FileCount {
	readonly path: string;
	readonly count: number;
	readonly test?: boolean;
}

export interface CountOptions {
	readonly without?: LocationResult;
	isDeclaration?(shown: string, start: Position): boolean;
}

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

interface FileLocations {
	readonly file: UriName;
	readonly ranges: Map<string, Range>;
}

const sliceSize = 20_000;

async function locationsByFile(
	found: LocationResult,
	names: UriNames,
	without: LocationResult = null,
): Promise<Map<string, FileLocations>> {
	const files = new Map<string, FileLocations>();
	for (const [index, { uri, range }] of locationsIn(found).entries()) {
		if (index % sliceSize === sliceSize - 1) await new Promise((resolve) => setImmediate(resolve));
		const file = names.of(uri);
		const known = files.get(file.shown) ?? { file, ranges: new Map() };
		files.set(file.shown, known);
		known.ranges.set(startKey(range), range);
	}
	for (const { uri, range } of locationsIn(without)) files.get(names.of(uri).shown)?.ranges.delete(startKey(range));
	return files;
}

function startKey({ start }: Range): string {
	return `${start.line}:${start.character}`;
}

function byRankAndPath({ file: a }: FileLocations, { file: b }: FileLocations): number {
	const rank = ({ isOurs: ours, isTest }: UriName) => (ours ? Number(isTest) : 2);
	return rank(a) - rank(b) || (a.shown < b.shown ? -1 : 1);
}

export function comparePositions(a: Position, b: Position): number {
	return a.line - b.line || a.character - b.character;
}

const maxTextLength = 200;

async function sourceLocations(
	{ file, ranges }: { readonly file: UriName; readonly ranges: readonly Range[] },
	{ names: { workspace }, encoding, unwritten }: LocationReader,
	declarations: FileLocations["ranges"] | undefined,
): Promise<SourceLocation[]> {
	const { path, shown, isTest } = file;
	const leadsToOurs = (real: string) => (real === path ? file.isOurs : isOurs(real, workspace));
	const mayRead = (real: string) => encoding !== "utf-16" || leadsToOurs(real);
	const shownText = path === undefined ? undefined : unwritten?.(path);
	const onDisk = path === undefined || shownText !== undefined ? undefined : await readSource(path, mayRead);
	const source = path === undefined || shownText === undefined ? onDisk : { real: path, lines: linesOf(shownText) };
	const lines = source?.lines ?? [];
	const isShown = source !== undefined && leadsToOurs(source.real);
	return ranges.map((range) => {
		const { start, end } = toSpots(range, lines, encoding);
		const source = isShown ? lines[range.start.line] : undefined;
		const text = source?.trim().slice(0, maxTextLength);
		const indent = source?.slice(0, Math.min(source.length - source.trimStart().length, maxTextLength));
		return {
			path: shown,
			...start,
			endLine: end.line,
			endColumn: end.column,
			...(text === undefined ? {} : { text }),
			...(indent ? { indent } : {}),
			...(isTest ? { test: true } : {}),
			...(declarations?.has(startKey(range)) ? { declaration: true } : {}),
		};
	});
}

interface SourceFile {
	readonly real: string;
	readonly lines: readonly string[];
}

const maxKeptBytes = 64n * 1024n;
const sourceFiles = new StatCache<SourceFile>(100);

/** `mayRead` gets the real path. */
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
