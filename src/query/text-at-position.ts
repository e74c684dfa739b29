import { realPathOf, statOf } from "../util/files.ts";
import { linesOf } from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";

/** A file as an answer quotes it. */
export interface SourceFile {
	/** With links followed. */
	readonly real: string;
	readonly lines: readonly string[];
}

/**
 * Files that were quoted last, many small ones and some large ones: all of them together are a few megabytes. One question
 * after the other leads to the same ones: to look whether a file has changed takes a seventh of following its links,
 * reading it and taking it apart, and of a file of 30 KB a thirtieth.
 */
const shelves = [
	{ upToBytes: 24n * 1024n, kept: new StatCache<SourceFile>(300) },
	{ upToBytes: 256n * 1024n, kept: new StatCache<SourceFile>(16) },
] as const;

/** A file's lines; undefined where it cannot be read, or where `isOurs` says no to what its links lead to. */
export async function sourceFile(path: string, isOurs: (real: string) => boolean): Promise<SourceFile | undefined> {
	const info = await statOf(path);
	if (!info) return undefined;
	const { size } = info;
	const kept = shelves.find(({ upToBytes }) => size <= upToBytes)?.kept;
	const known = kept?.get(path, info)?.value;
	// The same content by the same name: what was found to be ours is.
	if (known && isOurs(known.real)) return known;
	const real = (await realPathOf(path)) ?? path;
	const text = isOurs(real) ? await readText(real, anySource) : undefined;
	if (text === undefined) return undefined;
	const file = { real, lines: linesOf(text) };
	kept?.set(path, info, file);
	return file;
}
