/** In UTF-16 units. */
const maxMessageLength = 1000;
/** C0, C1 and bidirectional ones, and tag characters, which only a model reads. */
export const controls =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function escapeMessage(message: string): string {
	return escapeMarkup(oneLine(message));
}

/** Outside of blocks only their tags are escaped. */
export function oneLineOutside(text: string): string {
	return escapeTags(oneLine(text));
}

export function escapeTags(text: string): string {
	return text.replace(/<(?=\/?diagnostics)/gi, "&lt;");
}

export function oneLine(text: string): string {
	// The patterns take quadratic time for many blanks.
	const lines = text.slice(0, maxMessageLength * 8).split(/[\n\u2028\u2029]+/);
	const joined = lines
		.map((line) => line.replace(controls, "").trim())
		.filter(Boolean)
		.join(" ");
	if (joined.length <= maxMessageLength) return joined;
	const half = /[\ud800-\udbff]/.test(joined[maxMessageLength - 1] ?? "");
	return `${joined.slice(0, half ? maxMessageLength - 1 : maxMessageLength)}…`;
}

/** The text cannot close the tag around it. */
export function escapeMarkup(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapePath(path: string): string {
	return escapeMarkup(path.replace(controls, "")).replaceAll('"', "&quot;");
}
