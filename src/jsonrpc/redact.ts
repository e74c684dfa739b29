const longest = 80;
const maxShown = 2000;
const hidden = /^(text|newText|oldText|value|contents|env|token|password|secret)$/i;

/** Removes source and secrets, for logs. */
export function redacted(message: unknown): string {
	const shown = JSON.stringify(message, (key, value: unknown) => {
		if (typeof value !== "string") return hidden.test(key) && value && typeof value === "object" ? "<hidden>" : value;
		return value.length > longest || hidden.test(key) ? `<${value.length} characters>` : value;
	});
	return shown.length > maxShown ? `${shown.slice(0, maxShown)}… (${shown.length} characters)` : shown;
}
