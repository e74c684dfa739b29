/** Text out of a server is untrusted input to a model: it stays one harmless line. */

const maxMessageLength = 1000;
/**
 * C0 and C1 controls, the bidirectional controls that make a text read otherwise than it is, and letters that a model reads
 * and a person does not see (tags).
 */
export const controls =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A message on one line, without control characters, cut to a length, with `<`, `>` and `&` escaped. */
export function escapeMessage(message: string): string {
	return escapeMarkup(oneLine(message));
}

/** A text on one line, without control characters, cut to a length. */
export function oneLine(text: string): string {
	// Cut before anything is searched in it: a pattern over blanks takes the square of their number.
	const lines = text.slice(0, maxMessageLength * 8).split(/[\n\u2028\u2029]+/);
	const joined = lines
		.map((line) => line.replace(controls, "").trim())
		.filter(Boolean)
		.join(" ");
	if (joined.length <= maxMessageLength) return joined;
	const half = /[\ud800-\udbff]/.test(joined[maxMessageLength - 1] ?? "");
	return `${joined.slice(0, half ? maxMessageLength - 1 : maxMessageLength)}…`;
}

/** `<`, `>` and `&` as entities, so that a text cannot end the frame around it. */
export function escapeMarkup(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A path for an attribute of a tag. */
export function escapePath(path: string): string {
	return escapeMarkup(path.replace(controls, "")).replaceAll('"', "&quot;");
}
