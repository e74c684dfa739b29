import { LspError } from "../../contract/errors.ts";

interface Wanted {
	readonly line?: number;
	readonly end_line?: number;
}

/** The lines that an input means, 1-based, both included. Rejects with LSP_INVALID_INPUT for lines that the file has not. */
export function linesWanted({ line, end_line: endLine }: Wanted, count: number): { first: number; last: number } {
	const first = line ?? 1;
	const last = endLine ?? line ?? count;
	if (first > count)
		throw new LspError("LSP_INVALID_INPUT", `Line ${first} is past the end: the file has ${count} lines.`);
	if (last < first)
		throw new LspError("LSP_INVALID_INPUT", `The last line, ${last}, is in front of the first, ${first}.`);
	return { first, last: Math.min(last, count) };
}
