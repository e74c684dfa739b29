import { LspError } from "../errors.ts";
import { linesOf, type Spot, spotAt } from "../lsp/positions.ts";
import type { Pointer } from "./find-position.ts";

const mark = "@@";
const mostListed = 8;

/**
 * Where a `@@` pattern points: the character behind the mark, in the one place of the text that reads like the pattern.
 * Blanks and line ends match any run of blanks, so that an indentation need not be known. Rejects with
 * LSP_INVALID_INPUT for a pattern without one mark, LSP_SYMBOL_NOT_FOUND, or LSP_SYMBOL_AMBIGUOUS with the lines
 * (specs/agent-lsp-tool-reference.md, `position_pattern`).
 */
export function findPattern(text: string, { pattern = "", line = 1, endLine }: Pointer): Spot {
	const parts = pattern.split(mark);
	if (parts.length !== 2)
		throw new LspError("LSP_INVALID_INPUT", `A pattern has one ${mark}, in front of the character that is meant.`);
	const [before = "", after = ""] = parts;
	if ((before + after).trim() === "")
		throw new LspError("LSP_INVALID_INPUT", `A pattern has some of the file's text around its ${mark}.`);
	const expression = new RegExp(`(?<before>${loosely(before)})${loosely(after)}`, "gu");
	const spots: Spot[] = [];
	for (const match of text.matchAll(expression)) {
		const first = spotOf(text, match.index);
		if (first.line < line || first.line > (endLine ?? Number.POSITIVE_INFINITY)) continue;
		spots.push(spotOf(text, match.index + (match.groups?.before?.length ?? 0)));
	}
	const [only] = spots;
	const scope = endLine === undefined ? (line > 1 ? ` from line ${line} on` : "") : ` on lines ${line} to ${endLine}`;
	if (!only) throw new LspError("LSP_SYMBOL_NOT_FOUND", `"${before}${after}" does not stand in this file${scope}.`);
	if (spots.length === 1) return only;
	const listed = spots.slice(0, mostListed);
	throw new LspError(
		"LSP_SYMBOL_AMBIGUOUS",
		`"${before}${after}" stands in this file ${spots.length} times${scope}: on lines ${listed.map((spot) => spot.line).join(", ")}.`,
		{
			candidates: listed.map((spot) => ({ ...spot, at: `${spot.line}:${spot.column}` })),
			suggestion: "Give `line` and `end_line` as well, or more of the text around it.",
		},
	);
}

function loosely(part: string): string {
	return part
		.split(/(\s+)/)
		.map((piece) => (/^\s+$/.test(piece) ? "\\s+" : piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
		.join("");
}

function spotOf(text: string, index: number): Spot {
	const lines = linesOf(text.slice(0, index));
	return spotAt(lines.length - 1, lines.at(-1)?.length ?? 0);
}
