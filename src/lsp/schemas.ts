/** What a schema that is not given is: one that nothing breaks. An error would be told as an error of the document. */
const nothingSaid = "{}";

/** The schemas that a server asks its client for instead of fetching them itself. */
export class Schemas {
	readonly #refused = new Set<string>();

	/** The text of a schema by its URI, or undefined if it is not given; by itself none is. */
	textOf: (uri: string) => Promise<string | undefined> = async () => undefined;

	/** The answer to `vscode/content`, whose parameter is a URI or a list of one. */
	async answer(params: unknown): Promise<string> {
		const uri = String(Array.isArray(params) ? params[0] : params);
		const text = await this.textOf(uri).catch(() => undefined);
		if (text === undefined) this.#refused.add(uri);
		return text ?? nothingSaid;
	}

	/** The schema that a text names and that was not given, so that the text is not known to follow it. */
	refusedFor(text: string): string | undefined {
		if (this.#refused.size === 0 || !text.includes("$schema")) return undefined;
		// A server writes a URI in its own way; the last part of its path stands in both.
		return [...this.#refused].find((uri) => text.includes(lastPart(uri)));
	}
}

function lastPart(uri: string): string {
	const part =
		uri
			.replace(/[?#].*/, "")
			.split("/")
			.filter(Boolean)
			.at(-1) ?? uri;
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
