import type { FileIndentation } from "../../project/indentation.ts";
import { lineStart } from "../../util/positions.ts";
import type { Replacement } from "../text-edits.ts";
import { indentCode, unitOf } from "./indent-code.ts";
import type { SymbolSpan } from "./symbol-span.ts";

export interface Code {
	/** With LF, without empty lines around it. */
	readonly text: string;
	/** 0-based lines of multi-line texts. */
	readonly kept: ReadonlySet<number>;
	readonly begins: "comment" | "decorator" | "code";
}

interface SymbolPlace {
	/** With LF alone. */
	readonly text: string;
	readonly span: SymbolSpan;
	readonly isPython: boolean;
	readonly configured?: FileIndentation | undefined;
}

/** Comments and decorators above stay unless the code brings its own. */
export function replaceSymbol({ text, span, configured }: SymbolPlace, code: Code): Replacement[] {
	const start = code.begins === "comment" ? span.top : code.begins === "decorator" ? span.decorated : span.start;
	const indent = indentAt(text, span.top);
	const placed = indentCode(code.text, { indent, unit: unitOf(text, configured) }, code.kept).slice(indent.length);
	const closes = /[;,]$/.test(placed) && span.closed > span.end;
	return [{ start, end: closes ? span.closed : span.end, text: placed }];
}

export function insertBefore(place: SymbolPlace, code: Code): Replacement[] {
	const { text, span, isPython } = place;
	const { indent, placed, isMultiline } = prepared(place, code);
	const gap = gapFor({ text, span, isPython }, isMultiline, "above");
	const comma = span.isListed && !placed.endsWith(",") ? "," : "";
	const start = lineStart(text, span.top);
	const isFirst = text.slice(start, span.top).trim() === "";
	if (!isFirst && comma && !isMultiline) return [{ start: span.top, end: span.top, text: `${placed.trimStart()}, ` }];
	if (!isFirst) return [{ start: span.top, end: span.top, text: `${placed.trimStart()}${comma}\n${indent}` }];
	const above = span.hasPrevious ? Math.max(0, gap - blankLinesAbove(text, start)) : 0;
	return [{ start, end: start, text: `${"\n".repeat(above)}${placed}${comma}\n${"\n".repeat(gap)}` }];
}

export function insertAfter(place: SymbolPlace, code: Code): Replacement[] {
	const { text, span, isPython } = place;
	const { indent, placed, isMultiline } = prepared(place, code);
	const gap = gapFor({ text, span, isPython }, isMultiline, "below");
	const isClosed = span.closed > span.end;
	const comma = span.isListed && isClosed && !placed.endsWith(",") ? "," : "";
	const end = lineEnd(text, span.closed);
	const rest = text.slice(span.closed, end);
	const isLast = /^\s*(?:\/\/.*|\/\*.*\*\/\s*|#.*)?$/.test(rest);
	if (!isLast && span.isListed && !isMultiline) {
		const element = placed.trim().replace(/,$/, "");
		return [{ start: span.closed, end: span.closed, text: isClosed ? ` ${element},` : `, ${element}` }];
	}
	const separator = span.isListed && !isClosed ? [{ start: span.end, end: span.end, text: "," }] : [];
	if (!isLast) {
		const width = /^[ \t]*/.exec(rest)![0].length;
		const added = `\n${"\n".repeat(gap)}${placed}${comma}\n${"\n".repeat(gap)}${indent}`;
		return [...separator, { start: span.closed, end: span.closed + width, text: added }];
	}
	const below = span.hasNext ? Math.max(0, gap - blankLinesBelow(text, end)) : 0;
	const added = `\n${"\n".repeat(gap)}${placed}${comma}${"\n".repeat(below)}`;
	return [...separator, { start: end, end, text: added }];
}

export function deleteSymbol({ text, span }: SymbolPlace): Replacement[] {
	if (span.filler !== undefined) return [{ start: span.top, end: span.closed, text: span.filler }];
	const start = lineStart(text, span.top);
	const end = lineEnd(text, span.closed);
	const isAlone =
		text.slice(start, span.top).trim() === "" && /^\s*(?:\/\/.*|#.*)?$/.test(text.slice(span.closed, end));
	if (!isAlone) return [deletePart(text, span)];
	const [above, below] = [blankLinesAbove(text, start), blankLinesBelow(text, end)];
	const isBetween = span.hasPrevious && span.hasNext;
	const fewer = isBetween ? Math.min(above, below) : span.hasNext ? below : 0;
	const before = isBetween || (span.hasNext && !span.hasPrevious) ? 0 : above;
	return [{ start: linesBack(text, start, before), end: linesOn(text, end, fewer), text: "" }];
}

function deletePart(text: string, { top, closed, end, isListed, hasPrevious }: SymbolSpan): Replacement {
	const behind = /^[ \t]*/.exec(text.slice(closed))![0].length;
	if (!isListed || closed > end || !hasPrevious) return { start: top, end: closed + behind, text: "" };
	const before = /,\s*$/.exec(text.slice(0, top))?.[0].length ?? 0;
	return { start: top - before, end: closed, text: "" };
}

function prepared({ text, span, configured }: SymbolPlace, code: Code) {
	const indent = indentAt(text, span.top);
	const placed = indentCode(code.text, { indent, unit: unitOf(text, configured) }, code.kept);
	return { indent, placed, isMultiline: placed.includes("\n") };
}

function gapFor({ text, span, isPython }: SymbolPlace, isMultiline: boolean, side: "above" | "below"): number {
	const isLine = !text.slice(span.start, span.end).includes("\n");
	const [above, below] = [
		blankLinesAbove(text, lineStart(text, span.top)),
		blankLinesBelow(text, lineEnd(text, span.closed)),
	];
	const standard = isPython && indentAt(text, span.top) === "" ? 2 : 1;
	const [near, far] = side === "above" ? (["hasPrevious", "hasNext"] as const) : (["hasNext", "hasPrevious"] as const);
	const [nearGap, farGap] = side === "above" ? [above, below] : [below, above];
	const observed = span[near] ? nearGap : span[far] ? farGap : undefined;
	if (observed === undefined) return isLine && !isMultiline ? 0 : standard;
	return observed === 0 && isLine && isMultiline ? standard : Math.min(observed, 2);
}

function indentAt(text: string, offset: number): string {
	return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))![0];
}

function lineEnd(text: string, offset: number): number {
	const end = text.indexOf("\n", offset);
	return end < 0 ? text.length : end;
}

function blankLinesAbove(text: string, start: number): number {
	let count = 0;
	for (let at = start; at > 0; count++) {
		const above = lineStart(text, at - 1);
		if (text.slice(above, at).trim() !== "") break;
		at = above;
	}
	return count;
}

function blankLinesBelow(text: string, end: number): number {
	let count = 0;
	for (let at = end; at < text.length - 1; count++) {
		const below = lineEnd(text, at + 1);
		if (text.slice(at, below).trim() !== "") break;
		at = below;
	}
	return count;
}

function linesBack(text: string, start: number, count: number): number {
	let at = start;
	for (let left = count; left > 0; left--) at = lineStart(text, at - 1);
	return at;
}

function linesOn(text: string, end: number, count: number): number {
	let at = end;
	for (let left = count; left > 0; left--) at = lineEnd(text, at + 1);
	return Math.min(at + 1, text.length);
}
