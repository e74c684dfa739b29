import { linesOf } from "../lsp/positions.ts";
import { readText, realPathOf, stampOfStats, statOf } from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import { isSettled } from "./looked-at.ts";

/** A file as an answer quotes it. */
export interface SourceFile {
	/** With links followed. */
	readonly real: string;
	readonly lines: readonly string[];
}

interface Kept {
	readonly stamp: string;
	readonly file: SourceFile;
}

/**
 * Files that were quoted last. One question after the other leads to the same ones: to look whether a file has changed
 * takes a seventh of following its links, reading it and taking it apart.
 */
const kept = new Recent<Kept>(300);
/** So that all of them together are a few megabytes. */
const mostKeptBytes = 24n * 1024n;

/** A file's lines; undefined where it cannot be read, or where `isOurs` says no to what its links lead to. */
export async function sourceFile(path: string, isOurs: (real: string) => boolean): Promise<SourceFile | undefined> {
	const info = await statOf(path);
	if (!info) return undefined;
	const stamp = stampOfStats(info);
	const known = kept.get(path);
	// The same content by the same name: what was found to be ours is.
	if (known?.stamp === stamp && isOurs(known.file.real)) return known.file;
	const real = (await realPathOf(path)) ?? path;
	const text = isOurs(real) ? await readText(path) : undefined;
	if (text === undefined) return undefined;
	const file = { real, lines: linesOf(text) };
	if (isSettled(info) && info.size <= mostKeptBytes) kept.set(path, { stamp, file });
	return file;
}
