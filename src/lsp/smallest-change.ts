import type { TextDocumentContentChangeEvent } from "vscode-languageserver-protocol";
import { type PositionEncoding, positionAt } from "../util/positions.ts";

/** Whole lines split neither a CRLF nor a surrogate pair. */
export function smallestChange(
	before: string,
	after: string,
	encoding: PositionEncoding,
): TextDocumentContentChangeEvent {
	// pygls and tsserver end lines at some of these characters.
	if (/\r(?!\n)|[\v\f\x1c-\x1e\x85\u2028\u2029]/.test(before)) return { text: after };
	const limit = Math.min(before.length, after.length);
	let start = 0;
	while (start < limit && before.charCodeAt(start) === after.charCodeAt(start)) start++;
	start = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
	let tail = 0;
	while (
		tail < limit - start &&
		before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
	)
		tail++;
	const firstLineEnd = before.indexOf("\n", before.length - tail);
	tail = firstLineEnd < 0 ? 0 : before.length - firstLineEnd - 1;
	return {
		range: { start: positionAt(start, before, encoding), end: positionAt(before.length - tail, before, encoding) },
		text: after.slice(start, after.length - tail),
	};
}
