import type { Span, Tokens } from "./tokens.ts";

/** One statement of Python, or the first line of one with a block. */
export interface Line {
	readonly from: number;
	readonly end: number;
	/** Columns that it is indented by. */
	readonly indent: number;
}

const tab = 8;

/** The logical lines of a text: each goes on within brackets and behind a backslash. */
export function linesOfPython(tokens: Tokens): Line[] {
	const lines: Line[] = [];
	for (let from = 0; from < tokens.length; ) {
		let end = tokens.after(from);
		while (end < tokens.length && !tokens.fresh(end)) end = tokens.after(end);
		const indent = indentOf(tokens.scan.source, tokens.start(from));
		// Statements that share a line.
		for (const [first, last] of tokens.split(from, end, ";")) lines.push({ from: first, end: last, indent });
		from = end;
	}
	return lines;
}

function indentOf(text: string, start: number): number {
	let first = start;
	while (first > 0 && (text[first - 1] === " " || text[first - 1] === "\t" || text[first - 1] === "\f")) first--;
	let columns = 0;
	for (let at = first; at < start; at++) columns = text[at] === "\t" ? columns + tab - (columns % tab) : columns + 1;
	return columns;
}

/** The index of the first line behind the block of the line at `index`. */
export function afterBlock(lines: readonly Line[], index: number): number {
	const indent = lines[index]?.indent ?? 0;
	let next = index + 1;
	while (next < lines.length && (lines[next]?.indent ?? 0) > indent) next++;
	return next;
}

/** The colon that opens a line's block, or that stands behind a name with a type. */
export function colonOf(tokens: Tokens, { from, end }: Line): number {
	return tokens.find(from, end, ":");
}

/** True for a line that is a text alone: a docstring. A type that a comment says is a text too, and begins with `#`. */
export function isProse(tokens: Tokens, { from, end }: Line): boolean {
	for (let at = from; at < end; at++) if (!tokens.isString(at) || tokens.text(at).startsWith("#")) return false;
	return true;
}

/** The tokens of some lines without their docstrings, each line with a sign of how deep it is indented. */
export function spansOf(tokens: Tokens, lines: readonly Line[]): Span[] {
	return lines.filter((line) => !isProse(tokens, line)).map(({ from, end }): Span => [from, end]);
}
