import { basename, extname } from "node:path";
import { linesOf } from "../lsp/positions.ts";
import { languageOf } from "./languages.ts";
import type { VisibleChange } from "./visible-change.ts";

/** A text that differs from another in white space alone is the same when it is folded. */
export function folded(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

/** What a change of a file may be seen by whose declarations are not read; undefined if it is one of white space. */
export function foreignChange(path: string, before = "", after = ""): VisibleChange | undefined {
	if (folded(before) === folded(after)) return undefined;
	const changed = new Set([basename(path, extname(path))]);
	for (const line of differingLines(before, after))
		for (const [word] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) changed.add(word);
	return { nothing: false, added: new Set(), changed, everywhere: true, gone: new Set(), uncertain: [], altered: [] };
}

/** As above, of a file whose language is known and whose text is not understood. */
export function unreadChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
): VisibleChange | undefined {
	const isWhiteSpace = before !== undefined && after !== undefined && folded(before) === folded(after);
	if (isWhiteSpace && languageOf(path)?.family !== "python") return undefined;
	const everywhere = [before, after].some((text) => text !== undefined && isSeenEverywhere(path, text));
	return {
		nothing: false,
		added: new Set(),
		changed: undefined,
		everywhere,
		gone: new Set(),
		uncertain: [],
		altered: [],
	};
}

function isSeenEverywhere(path: string, text: string): boolean {
	const family = languageOf(path)?.family;
	if (family !== "script") return family === "rust";
	if (/^[ \t]*(?:declare\s+(?:global|module)|export\s+as\s+namespace)\b/m.test(text)) return true;
	return !/^[ \t]*(?:import|export)\b/m.test(text) && !/\b(?:require\s*\(|exports\b)/.test(text);
}

/** The lines of two texts without those that both begin and end with. */
function differingLines(before: string, after: string): string[] {
	const [old, now] = [linesOf(before), linesOf(after)];
	const shorter = Math.min(old.length, now.length);
	let first = 0;
	while (first < shorter && old[first] === now[first]) first++;
	let last = 0;
	while (last < shorter - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
	return [...old.slice(first, old.length - last), ...now.slice(first, now.length - last)];
}
