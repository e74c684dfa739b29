/** Accepts every document. An error would become a diagnostic of the document. */
const emptySchema = "{}";

/** The schemas that a server requests from its client instead of fetching them. */
export class Schemas {
	readonly #refused = new Set<string>();

	/** The text of a schema by its URI; undefined to refuse it. */
	textOf: (uri: string) => Promise<string | undefined> = async () => undefined;

	/** The schema of a file, with this text, that the server does not fetch and does not mention. */
	unfetchedFor: (path: string, text: string) => string | undefined = () => undefined;

	/** Answers `vscode/content`, for a URI or a list with one URI. */
	async answer(params: unknown): Promise<string> {
		const uri = String(Array.isArray(params) ? params[0] : params);
		const text = await this.textOf(uri).catch(() => undefined);
		if (text === undefined) this.#refused.add(uri);
		return text ?? emptySchema;
	}

	/** The refused schema that a text names: diagnostics of the text prove nothing about it. */
	refusedFor(text: string): string | undefined {
		if (this.#refused.size === 0 || !text.includes("$schema")) return undefined;
		// Servers normalise URIs, so only the last part of the path is compared.
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
