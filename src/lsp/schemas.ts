const emptySchema = "{}";

export class Schemas {
	readonly #refused = new Set<string>();

	textOf: (uri: string) => Promise<string | undefined> = async () => undefined;

	unfetchedFor: (path: string, text: string) => string | undefined = () => undefined;

	/** `vscode/content` has a URI or a list of one. */
	async answer(params: unknown): Promise<string> {
		const uri = String(Array.isArray(params) ? params[0] : params);
		const text = await this.textOf(uri).catch(() => undefined);
		if (text === undefined) this.#refused.add(uri);
		else this.#refused.delete(uri);
		return text ?? emptySchema;
	}

	/** The refused schema of a text, whose diagnostics prove nothing. */
	refusedFor(text: string): string | undefined {
		if (this.#refused.size === 0 || !text.includes("$schema")) return undefined;
		// Servers normalise URIs.
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
