import type { Language } from "./languages.ts";

export interface Part {
	readonly text: string;
	/** UTF-16 offset in the whole text. */
	readonly start: number;
}

const goesOn = /[=(,[{|&?:+.]\s*$/;

/** A wrong cut makes a syntax error. Only comments with types stay between parts. */
export function partsOf(text: string, shown: string, { skipped, begins, readsComments }: Language): Part[] {
	const parts: Part[] = [];
	const places = new RegExp(`${skipped.source}|^(?=${begins.source})`, "gm");
	let from = 0;
	let comments: number | undefined;
	let last = 0;
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

function isFirstOfLine(text: string, at: number, from: number): boolean {
	const gap = text.slice(from, at);
	const isBegun = gap.includes("\n") || from === 0 || text[from - 1] === "\n";
	return isBegun && gap.slice(gap.lastIndexOf("\n") + 1).trim() === "";
}
