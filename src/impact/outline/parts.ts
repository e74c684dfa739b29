import type { Language } from "./languages.ts";

/** Some statements of a text's top level. */
export interface Part {
	readonly text: string;
	/** Where it begins in the whole text, in UTF-16 units. */
	readonly start: number;
}

/** Before these a line goes on, wherever the next one begins. */
const goesOn = /[=(,[{|&?:+.]\s*$/;

/**
 * Cuts a text, of which the parser is shown `shown`, before lines that begin a statement in their first column. Who indents otherwise gets fewer parts. A cut
 * within a statement leaves the part before it with a syntax error. Comments between two parts are a part of none, where
 * they say nothing.
 */
export function partsOf(text: string, shown: string, { skipped, begins, readsComments }: Language): Part[] {
	const parts: Part[] = [];
	const places = new RegExp(`${skipped.source}|^(?=${begins.source})`, "gm");
	let from = 0;
	/** Where the comments begin that stand directly before `last`. */
	let comments: number | undefined;
	let last = 0;
	/** What is written before a declaration and is a part of it. */
	let isPrefix = false;
	for (let found = places.exec(shown); found; found = places.exec(shown)) {
		const at = found.index;
		const isAfterComments = comments !== undefined && shown.slice(last, at).trim() === "";
		if (found[0] === "") {
			places.lastIndex++;
			const cut = isAfterComments && comments !== undefined ? comments : at;
			if (!isPrefix && cut > from && !goesOn.test(shown.slice(Math.max(from, cut - 80), cut))) {
				parts.push({ text: text.slice(from, cut), start: from });
				from = readsComments ? cut : at;
			}
			isPrefix = shown[at] === "@" || shown[at] === "#";
			comments = undefined;
		} else {
			const isComment = /^(?:\/[/*]|#)/.test(found[0]);
			if (!isComment) comments = undefined;
			else if (!isAfterComments) comments = isFirstOfLine(text, at, last) ? at : undefined;
		}
		last = at + found[0].length;
	}
	parts.push({ text: text.slice(from), start: from });
	return parts;
}

/** True if nothing but blanks stands in front of a place on its line, where what ends at `from` is none. */
function isFirstOfLine(text: string, at: number, from: number): boolean {
	// The line is not read from its beginning: a text of one line may hold as many comments as it has room for.
	const gap = text.slice(from, at);
	const isBegun = gap.includes("\n") || from === 0 || text[from - 1] === "\n";
	return isBegun && gap.slice(gap.lastIndexOf("\n") + 1).trim() === "";
}
