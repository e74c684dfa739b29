import type { Position } from "vscode-languageserver-protocol";
import { type ShapeSymbol, symbolKinds } from "./shape.ts";

/** After these a brace opens a type, and no body. */
const beforeType = /(?:[:|&<,([]|=>|\b(?:is|keyof|extends|readonly))\s*$/;

/**
 * True if what stands at a position (0-based) of a declaration may decide the declaration's type. It does not where the
 * declaration says its type itself and the place is behind that, in a body or an initial value. `lines` are those of
 * the document.
 */
export function decidesType({ kind, range, signed }: ShapeSymbol, lines: readonly string[], at: Position): boolean {
	if (!signed) return true;
	const before = textUpTo(lines, range.start.line, at);
	if (/^[^=(]*:[^=]*=(?!>)/.test(before)) return false;
	const isFunction = kind === symbolKinds.function || kind === symbolKinds.method;
	return !isFunction || !isInBody(before);
}

/** True if a place lies in front of a declaration's body or initial value: what stands there is part of its type. */
export function isHead({ kind, range }: ShapeSymbol, lines: readonly string[], at: Position): boolean {
	const before = textUpTo(lines, range.start.line, at);
	const isFunction = kind === symbolKinds.function || kind === symbolKinds.method;
	return isFunction && !/^[^(]*=/.test(before) ? !isInBody(before, 0) : !/=(?!>)/.test(before);
}

function textUpTo(lines: readonly string[], from: number, at: Position): string {
	return [...lines.slice(from, at.line), (lines[at.line] ?? "").slice(0, at.character)].join("\n");
}

/** True if a function's text up to a place says its type (given as the place where it begins), and its body has begun. */
function isInBody(text: string, begins?: number): boolean {
	const isArrow = /^[^(]*=/.test(text);
	let depth = 0;
	/** Where the type behind the parameters begins. */
	let type = begins;
	for (let at = 0; at < text.length; at++) {
		const sign = text[at] ?? "";
		if (depth === 0 && type !== undefined) {
			if (sign === "{" && !beforeType.test(text.slice(Math.max(0, type - 1), at))) return true;
			if (isArrow && text.startsWith("=>", at) && !text.slice(type, at).includes("(")) return true;
			// Python's own colon.
			if (sign === ":" && at > type && text.slice(type - 2, type) === "->") return true;
		}
		if ("([{".includes(sign)) depth++;
		else if (")]}".includes(sign)) depth--;
		if (sign === ")" && depth === 0) type ??= typeAfter(text, at + 1);
	}
	return false;
}

/** Where a type begins that a list of parameters ending at `at` is followed by. */
function typeAfter(text: string, at: number): number | undefined {
	const sign = /^\s*(?::|->)/.exec(text.slice(at, at + 40))?.[0];
	return sign === undefined ? undefined : at + sign.length;
}
