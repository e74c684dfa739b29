import type { Language } from "./languages.ts";

/** Thrown where a text is not understood: a string, a comment or a bracket that is not closed. */
export class Unsure extends Error {}

/** Where a string ends whose quote stands at `at`, behind a prefix that may be empty. */
export function endOfString(text: string, at: number, prefix: string, language: Language): number {
	const quote = text[at] ?? "";
	if (language.family === "python" && text.startsWith(quote.repeat(3), at))
		return endOfTriple(text, at, quote.repeat(3));
	if (language.family === "c" && quote === '"' && prefix.endsWith("R")) {
		const open = text.indexOf("(", at);
		return found(text, `)${text.slice(at + 1, open)}"`, open);
	}
	if (language.family === "rust" && prefix.endsWith("r")) {
		let hashes = at;
		while (text[hashes] === "#") hashes++;
		return found(text, `"${text.slice(at, hashes)}`, hashes + 1);
	}
	if (language.family === "rust" && quote === "'") return endOfRustCharacter(text, at) ?? at + 1;
	const { escapes, lines } = language.quotes[quote] ?? { escapes: true, lines: false };
	for (let end = at + 1; end < text.length; end++) {
		const sign = text[end];
		if (sign === "\\" && escapes) end += text.startsWith("\r\n", end + 1) ? 2 : 1;
		else if (sign === quote) return end + 1;
		else if ((sign === "\n" || sign === "\r") && !lines) break;
	}
	// An apostrophe of a text that `#if 0` leaves out is no character.
	if (language.family === "c" && quote === "'") return at + 1;
	throw new Unsure();
}

/** Where a character of Rust ends; undefined if what begins there is a lifetime. */
export function endOfRustCharacter(text: string, at: number): number | undefined {
	if (text[at + 1] === "\\") return found(text, "'", at + 3);
	const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
	return text[at + 1 + width] === "'" ? at + 2 + width : undefined;
}

function endOfTriple(text: string, at: number, quotes: string): number {
	for (let end = at + 3; end < text.length; end++) {
		if (text[end] === "\\") end++;
		else if (text[end] === quotes[0] && text.startsWith(quotes, end)) return end + 3;
	}
	throw new Unsure();
}

function found(text: string, what: string, from: number): number {
	const at = text.indexOf(what, from);
	if (at < 0) throw new Unsure();
	return at + what.length;
}

/** Where a comment ends that begins at `at`; undefined if none does. The line end is not part of it. */
export function endOfComment(text: string, at: number, language: Language): number | undefined {
	if (text.startsWith(language.lineComment, at)) return endOfLine(text, at);
	if (language.blockComments === "none" || !text.startsWith("/*", at)) return undefined;
	if (language.blockComments === "flat") return found(text, "*/", at + 2);
	let depth = 0;
	for (let end = at; end < text.length; end++) {
		if (text.startsWith("/*", end)) depth++;
		else if (text.startsWith("*/", end)) depth--;
		else continue;
		end++;
		if (depth === 0) return end + 1;
	}
	throw new Unsure();
}

export function endOfLine(text: string, at: number): number {
	for (let end = at; end < text.length; end++) if (text[end] === "\n" || text[end] === "\r") return end;
	return text.length;
}

/** Where a regular expression ends whose slash stands at `at`; undefined if the line ends first. */
export function endOfRegex(text: string, at: number): number | undefined {
	let isInClass = false;
	for (let end = at + 1; end < text.length; end++) {
		const sign = text[end];
		if (sign === "\n" || sign === "\r") return undefined;
		if (sign === "\\") end++;
		else if (sign === "[") isInClass = true;
		else if (sign === "]") isInClass = false;
		else if (sign === "/" && !isInClass) {
			end++;
			while (/[a-z]/.test(text[end] ?? "")) end++;
			return end;
		}
	}
	return undefined;
}

/** Where a number ends. A dot that is no part of it is left: `0..9`, `1.max(2)`. */
export function endOfNumber(text: string, at: number, separator: boolean): number {
	let end = at + 1;
	for (; end < text.length; end++) {
		const sign = text[end] ?? "";
		const isExponent =
			(sign === "+" || sign === "-") && /[eEpP]/.test(text[end - 1] ?? "") && !/^0[xX]/.test(text.slice(at, at + 2));
		if (sign === "." && /[.A-Za-z_]/.test(text[end + 1] ?? "")) return end;
		if (sign === "'" && !(separator && /[0-9a-fA-F]/.test(text[end + 1] ?? ""))) return end;
		if (!isExponent && !/[0-9A-Za-z_.']/.test(sign)) return end;
	}
	return end;
}

/** A directive of the C preprocessor in one line without comments, and where it ends. */
export function directiveAt(text: string, at: number): { readonly text: string; readonly end: number } {
	let said = "";
	let end = at;
	for (; end < text.length; end++) {
		const sign = text[end] ?? "";
		if (sign === "\\" && /^\\\r?\n/.test(text.slice(end, end + 3))) {
			end += text[end + 1] === "\r" ? 2 : 1;
			said += " ";
		} else if (sign === "\n" || sign === "\r") break;
		else if (sign === "/" && text[end + 1] === "*") {
			end = found(text, "*/", end + 2) - 1;
			said += " ";
		} else if (sign === "/" && text[end + 1] === "/") {
			end = endOfLine(text, end);
			break;
		} else if (sign === '"') {
			const close = text.indexOf('"', end + 1);
			const last = close < 0 || close > endOfLine(text, end) ? end : close;
			said += text.slice(end, last + 1);
			end = last;
		} else said += sign;
	}
	return { text: said.replace(/\s+/g, " ").trim(), end };
}

export function isWordStart(code: number): boolean {
	return (
		(code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || isLetterBeyondAscii(code)
	);
}

export function isWordPart(code: number): boolean {
	return isWordStart(code) || (code >= 48 && code <= 57);
}

function isLetterBeyondAscii(code: number): boolean {
	return code > 0x7f && code !== 0xa0 && code !== 0xfeff && code !== 0x2028 && code !== 0x2029;
}
