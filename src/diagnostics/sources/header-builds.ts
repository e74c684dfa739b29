import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";

const secondMs = 1000;

interface Build {
	readonly startedAt: number;
	readonly endedAt: number;
}

/**
 * The last proofs of documents by clangd, which takes a header for the one that it has read if its size and the second in
 * which it was sent are the same (docs/facts.md, 16). Times by performance.now().
 */
export class HeaderBuilds {
	readonly #server: LanguageServer;
	readonly #byPath = new Map<string, Build>();

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	/** Whether a header may have changed since the last proof so that clangd does not see it. */
	mayMissChange({ path, version, sentAt }: OpenDocument): boolean {
		const { documents } = this.#server;
		const openedAt = documents.opening(path) === version ? sentAt : Number.NEGATIVE_INFINITY;
		const { startedAt, endedAt } = this.#byPath.get(path) ?? {
			startedAt: openedAt,
			endedAt: Number.POSITIVE_INFINITY,
		};
		return documents.sameSizeTimes(path).some((at) => at > startedAt && at - endedAt < secondMs);
	}

	/** To be called before the server is asked; the returned function when it has read all headers. */
	begin(path: string): () => void {
		const startedAt = performance.now();
		this.#byPath.set(path, { startedAt, endedAt: Number.POSITIVE_INFINITY });
		return () => {
			this.#byPath.set(path, { startedAt, endedAt: performance.now() });
		};
	}
}
