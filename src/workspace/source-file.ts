import { linesOf } from "../lsp/positions.ts";
import { ByStamp } from "../util/by-stamp.ts";
import { readText, realPathOf, statOf } from "../util/files.ts";

/** A file as an answer quotes it. */
export interface SourceFile {
	/** With links followed. */
	readonly real: string;
	readonly lines: readonly string[];
}

/**
 * Files that were quoted last. One question after the other leads to the same ones: to look whether a file has changed
 * takes a seventh of following its links, reading it and taking it apart.
 */
const kept = new ByStamp<SourceFile>(300);
/** So that all of them together are a few megabytes. */
const mostKeptBytes = 24n * 1024n;

/** A file's lines; undefined where it cannot be read, or where `isOurs` says no to what its links lead to. */
export async function sourceFile(path: string, isOurs: (real: string) => boolean): Promise<SourceFile | undefined> {
	const info = await statOf(path);
	if (!info) return undefined;
	const known = kept.get(path, info)?.value;
	// The same content by the same name: what was found to be ours is.
	if (known && isOurs(known.real)) return known;
	const real = (await realPathOf(path)) ?? path;
	const text = isOurs(real) ? await readText(path) : undefined;
	if (text === undefined) return undefined;
	const file = { real, lines: linesOf(text) };
	if (info.size <= mostKeptBytes) kept.set(path, info, file);
	return file;
}
