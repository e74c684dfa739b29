import { basename, extname } from "node:path";
import type { VisibleChange } from "../visible-change.ts";
import { NameSearches } from "./identifier-filter.ts";
import { languageOf } from "./languages.ts";

export function folded(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

function equalFolded(before: string, after: string): boolean {
	const [a, b] = [before.trim(), after.trim()];
	const behind = (text: string, at: number) => {
		let end = at;
		while (isWhite(text.charCodeAt(end))) end++;
		return end;
	};
	let [i, j] = [0, 0];
	while (i < a.length && j < b.length) {
		const [endA, endB] = [behind(a, i), behind(b, j)];
		if (endA > i !== endB > j || a.charCodeAt(endA) !== b.charCodeAt(endB)) return false;
		[i, j] = [endA + 1, endB + 1];
	}
	return i >= a.length && j >= b.length;
}

function isWhite(code: number): boolean {
	if (code < 160) return code === 32 || (code >= 9 && code <= 13);
	return /\s/.test(String.fromCharCode(code));
}

export const noChange: VisibleChange = {
	nothing: true,
	added: new Set(),
	changed: new Set(),
	gone: new Set(),
	lost: new Set(),
	everywhere: false,
	uncertain: [],
	altered: [],
};

export const unknownChange: VisibleChange = { ...noChange, nothing: false, changed: undefined };

/** They name nothing in some language. */
const reserved = new Set(
	`abstract bool boolean break byte case catch char class const continue def default do double elif else elsif end enum
	extends extern false final finally float for foreach func fun function goto if implements import in instanceof int
	interface internal let long namespace new nil null override package private protected public readonly return sealed self
	short static string String struct super switch synchronized this throw throws trait true try unsigned using val var virtual
	void volatile while yield`.split(/\s+/),
);

const reservedInPhp = new Set("$this array callable echo iterable mixed never self".split(" "));

/** Undefined if only white space differs, except in YAML. */
export function foreignChange(path: string, before = "", after = ""): VisibleChange | undefined {
	if (!/\.ya?ml$/.test(path) && equalFolded(before, after)) return undefined;
	const [linesBefore, linesAfter] = differingLines(before, after);
	const old = namesIn(linesBefore, path);
	const kept = new NameSearches().of(old).in(after);
	return {
		...unknownChange,
		changed: new Set([basename(path, extname(path)), ...old, ...namesIn(linesAfter, path)]),
		gone: new Set([...old].filter((name) => !kept.has(name))),
		everywhere: true,
	};
}

function namesIn(lines: string, path: string): Set<string> {
	const own = path.endsWith(".php") ? reservedInPhp : undefined;
	const words = lines.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
	return new Set(words.filter((word) => !reserved.has(word) && !own?.has(word)));
}

/** Undefined if only white space differs, except in Python. */
export function unreadChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
): VisibleChange | undefined {
	const isWhiteSpace = before !== undefined && after !== undefined && equalFolded(before, after);
	if (isWhiteSpace && languageOf(path)?.family !== "python") return undefined;
	const everywhere = [before, after].some((text) => text !== undefined && isSeenEverywhere(path, text));
	return { ...unknownChange, everywhere };
}

function isSeenEverywhere(path: string, text: string): boolean {
	const family = languageOf(path)?.family;
	if (family !== "script") return family === "rust";
	if (/^[ \t]*(?:declare\s+(?:global|module)|export\s+as\s+namespace)\b/m.test(text)) return true;
	return !/^[ \t]*(?:import|export)\b/m.test(text) && !/\b(?:require\s*\(|exports\b)/.test(text);
}

function differingLines(before: string, after: string): readonly [string, string] {
	const most = Math.min(before.length, after.length);
	let first = 0;
	while (first < most && before.charCodeAt(first) === after.charCodeAt(first)) first++;
	let last = 0;
	while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last++;
	first = before.slice(0, first).lastIndexOf("\n") + 1;
	const isWhole = [before, after].every((text) => /^\n?$/.test(text.charAt(text.length - last - 1)));
	const end = before.indexOf("\n", before.length - last);
	if (!isWhole) last = end < 0 ? 0 : before.length - end;
	return [before.slice(first, before.length - last), after.slice(first, after.length - last)];
}
