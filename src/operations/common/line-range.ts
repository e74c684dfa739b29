import { LspError } from "../../contract/errors.ts";
import type { FieldsOf } from "../../contract/schema.ts";
import type { Lines } from "./inputs.ts";

/** 1-based, inclusive. Throws LSP_INVALID_INPUT outside the file. */
export function lineRangeOf(
	{ line, end_line: endLine }: FieldsOf<typeof Lines>,
	count: number,
): { first: number; last: number } {
	const first = line ?? 1;
	const last = endLine ?? line ?? count;
	if (first > count)
		throw new LspError("LSP_INVALID_INPUT", `Line ${first} is past the end: the file has ${count} lines.`);
	if (last < first)
		throw new LspError("LSP_INVALID_INPUT", `The last line, ${last}, is in front of the first, ${first}.`);
	return { first, last: Math.min(last, count) };
}
