import type { Pointer } from "../../query/find-position.ts";

/** A position that was written as one word. */
export interface WrittenPointer {
	/** The file that it names, if it names one. */
	readonly file?: string;
	readonly pointer: Pointer;
}

/**
 * Reads a position that is written as one word: `NAME`, `Class.method`, `LINE:NAME`, `LINE:COLUMN`, `FILE:LINE:COLUMN`,
 * `FILE:LINE:NAME`, `FILE#NAME`, or a text with `@@`. Lines and columns are 1-based. Whatever is none of these is a name.
 */
export function parsePointer(word: string): WrittenPointer {
	if (word.includes("@@")) return { pointer: { pattern: word } };
	const placed = /^(?:(?<file>.+):)?(?<line>\d+):(?<rest>[^:]+)$/u.exec(word)?.groups;
	if (!placed) {
		const inFile = /^(?<file>.+)#(?<name>[^#/\\]+)$/u.exec(word)?.groups;
		if (!inFile) return { pointer: { symbol: word } };
		return { file: inFile.file as string, pointer: { symbol: inFile.name as string } };
	}
	const { file, line, rest = "" } = placed;
	return {
		...(file === undefined ? {} : { file }),
		pointer: { line: Number(line), ...(/^\d+$/.test(rest) ? { column: Number(rest) } : { symbol: rest }) },
	};
}

/** What is given for a symbol: a name, one with its line as the candidates of an ambiguous one are listed, or a pattern. */
export function pointerOf(symbol: string): Pointer {
	return /^\d+:[^:]+$|@@/.test(symbol) ? parsePointer(symbol).pointer : { symbol };
}
