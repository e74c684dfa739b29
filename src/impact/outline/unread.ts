import { basename, extname } from "node:path";
import { isBlank } from "../../util/blanks.ts";
import type { VisibleChange } from "../visible-change.ts";
import { languageOf } from "./languages.ts";

/** A text that differs from another in white space alone is the same when it is folded. */
export function folded(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

/** Where nobody knows what a file was, each of its names may be another. */
export const unknownChange: VisibleChange = {
	nothing: false,
	added: new Set(),
	changed: undefined,
	gone: new Set(),
	everywhere: false,
	uncertain: [],
	altered: [],
};

/** What a change of a file may be seen by whose declarations are not read; undefined if it is one of white space. */
export function foreignChange(path: string, before = "", after = ""): VisibleChange | undefined {
	if (isFoldedAlike(before, after)) return undefined;
	const changed = new Set([basename(path, extname(path))]);
	for (const lines of differingLines(before, after))
		for (const [word] of lines.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) changed.add(word);
	return { ...unknownChange, changed, everywhere: true };
}

/** As above, of a file whose language is known and whose text is not understood. */
export function unreadChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
): VisibleChange | undefined {
	const isWhiteSpace = before !== undefined && after !== undefined && isFoldedAlike(before, after);
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

/** True for two texts that are the same when they are folded; it ends where they differ. */
function isFoldedAlike(before: string, after: string): boolean {
	const behindBlanks = (text: string, from: number): number => {
		let at = from;
		while (at < text.length && isBlank(text.charCodeAt(at))) at++;
		return at;
	};
	let [old, now] = [behindBlanks(before, 0), behindBlanks(after, 0)];
	while (old < before.length && now < after.length) {
		if (before.charCodeAt(old) !== after.charCodeAt(now)) return false;
		const [oldNext, nowNext] = [behindBlanks(before, old + 1), behindBlanks(after, now + 1)];
		const isEnd = oldNext === before.length || nowNext === after.length;
		if (!isEnd && oldNext > old + 1 !== nowNext > now + 1) return false;
		[old, now] = [oldNext, nowNext];
	}
	return old === before.length && now === after.length;
}

/** Two texts without the whole lines that both begin and end with. */
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
