import type { FieldsOf } from "../../contract/schema.ts";
import type { Pointer } from "../../query/find-position.ts";
import type { At } from "./inputs.ts";

interface ParsedPointer {
	readonly file?: string;
	readonly pointer: Pointer;
}

/**
 * `NAME`, `Class.method`, `LINE:NAME`, `LINE:COLUMN`, `FILE:LINE:COLUMN`, `FILE:LINE:NAME`, `FILE#NAME`, or a text with
 * `@@`; 1-based. Other words are names.
 */
export function parsePointer(word: string): ParsedPointer {
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

/** Of an input. */
export function givenPointer({
	symbol,
	line,
	column,
	pattern,
	end_line: endLine,
}: Partial<FieldsOf<typeof At>>): Pointer {
	return {
		...(symbol === undefined ? {} : line === undefined ? pointerOf(symbol) : { symbol }),
		...(line === undefined ? {} : { line }),
		...(column === undefined ? {} : { column }),
		...(pattern === undefined ? {} : { pattern }),
		...(endLine === undefined ? {} : { endLine }),
	};
}

/** A name, `LINE:NAME` (as in errors), or a pattern. */
export function pointerOf(symbol: string): Pointer {
	return /^\d+:[^:]+$|@@/.test(symbol) ? parsePointer(symbol).pointer : { symbol };
}
