import { LspError } from "../contract/errors.ts";
import { type Spot, spotsAlong } from "../util/positions.ts";
import type { Pointer } from "./find-position.ts";

const mark = "@@";
const maxListed = 8;

/**
 * At `@@` in the only match (agent-lsp's `position_pattern`). Any white space matches. Throws LSP_INVALID_INPUT,
 * LSP_SYMBOL_NOT_FOUND or LSP_SYMBOL_AMBIGUOUS.
 */
export function findPattern(text: string, { pattern = "", line = 1, endLine }: Pointer): Spot {
	const parts = pattern.split(mark);
	if (parts.length !== 2)
		throw new LspError("LSP_INVALID_INPUT", `A pattern has one ${mark}, in front of the character that is meant.`);
	const [before = "", after = ""] = parts;
	if ((before + after).trim() === "")
		throw new LspError("LSP_INVALID_INPUT", `A pattern has some of the file's text around its ${mark}.`);
	const spots: Spot[] = [];
	const spotOf = spotsAlong(text);
	for (const { start, mark } of occurrences(collapse(text), collapse(before), collapse(before + after))) {
		const first = spotOf(start);
		if (first.line < line || first.line > (endLine ?? Number.POSITIVE_INFINITY)) continue;
		spots.push(spotOf(mark));
	}
	const [only] = spots;
	const scope = endLine === undefined ? (line > 1 ? ` from line ${line} on` : "") : ` on lines ${line} to ${endLine}`;
	if (!only) throw new LspError("LSP_SYMBOL_NOT_FOUND", `"${before}${after}" does not stand in this file${scope}.`);
	if (spots.length === 1) return only;
	const listed = spots.slice(0, maxListed);
	throw new LspError(
		"LSP_SYMBOL_AMBIGUOUS",
		`"${before}${after}" stands in this file ${spots.length} times${scope}: on lines ${listed.map((spot) => spot.line).join(", ")}.`,
		{
			candidates: listed.map((spot) => ({ ...spot, at: `${spot.line}:${spot.column}` })),
			suggestion: "Give `line` and `end_line` as well, or more of the text around it.",
		},
	);
}

interface Collapsed {
	readonly units: Uint16Array;
	readonly offsets: Uint32Array;
}

function collapse(text: string): Collapsed {
	const offsets = new Uint32Array(text.length + 1);
	const units = new Uint16Array(text.length);
	let count = 0;
	for (let at = 0, blank = false; at < text.length; at++) {
		const was = blank;
		const code = text.charCodeAt(at);
		blank = isBlank(code);
		if (blank && was) continue;
		offsets[count] = at;
		units[count++] = blank ? 0x20 : code;
	}
	offsets[count] = text.length;
	return { units: units.subarray(0, count), offsets };
}

/** UTF-16 offsets. */
interface Occurrence {
	readonly start: number;
	readonly mark: number;
}

/** Knuth, Morris and Pratt. */
function* occurrences(
	{ units, offsets }: Collapsed,
	{ units: before }: Collapsed,
	{ units: whole }: Collapsed,
): Generator<Occurrence> {
	const borders = [0];
	for (let at = 1, size = 0; at < whole.length; at++) {
		while (size > 0 && whole[at] !== whole[size]) size = borders[size - 1] ?? 0;
		if (whole[at] === whole[size]) size++;
		borders.push(size);
	}
	for (let at = 0, size = 0; at < units.length; at++) {
		while (size > 0 && units[at] !== whole[size]) size = borders[size - 1] ?? 0;
		if (units[at] === whole[size]) size++;
		if (size < whole.length) continue;
		const start = at + 1 - size;
		yield { start: offsets[start] ?? 0, mark: offsets[start + before.length] ?? 0 };
		size = 0;
	}
}

/** As `\s`, but cheaper. */
function isBlank(unit: number): boolean {
	return unit < 0x80 ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) : /\s/.test(String.fromCharCode(unit));
}
