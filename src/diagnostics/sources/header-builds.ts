import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { statOf } from "../../util/files.ts";

const secondMs = 1000;

interface Build {
	readonly startedAt: number;
	readonly endedAt: number;
}

/**
 * clangd keeps a header whose size and second of writing, or sending, are the same (docs/facts.md, 16). Times by
 * performance.now().
 */
export class HeaderBuilds {
	readonly #server: LanguageServer;
	readonly #byPath = new Map<string, Build>();

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	/** Whether clangd may not see a header's change since the last proof. */
	async mayMissChange({ path, version, sentAt }: OpenDocument): Promise<boolean> {
		const { documents, snapshot } = this.#server;
		const openedAt = documents.opening(path) === version ? sentAt : Number.NEGATIVE_INFINITY;
		const { startedAt, endedAt } = this.#byPath.get(path) ?? {
			startedAt: openedAt,
			endedAt: Number.POSITIVE_INFINITY,
		};
		if (documents.sameSizeTimes(path).some((at) => at > startedAt && at - endedAt < secondMs)) return true;
		const opened = documents
			.openedSince(startedAt)
			.filter((other) => other.path !== path && other.sentAt - endedAt < secondMs);
		if ((await Promise.all(opened.map(isJustWritten))).includes(true)) return true;
		const changed = snapshot.eventsSince(startedAt);
		if (!changed) return true;
		const times = await Promise.all(changed.filter((other) => other !== path).map(writtenAt));
		return times.some((at) => at - endedAt < secondMs);
	}

	/** Call it before asking; the returned function once all headers are read. */
	begin(path: string): () => void {
		const startedAt = performance.now();
		this.#byPath.set(path, { startedAt, endedAt: Number.POSITIVE_INFINITY });
		return () => {
			this.#byPath.set(path, { startedAt, endedAt: performance.now() });
		};
	}
}

/** The disk may have had another text when the document was sent: an open document's file has no events. */
async function isJustWritten({ path, sentAt }: OpenDocument): Promise<boolean> {
	const info = await statOf(path);
	// A file moved back keeps its text's time, but its entry's is new.
	return !info || sentAt - (Number(info.ctimeMs) - performance.timeOrigin) < secondMs;
}

/** In its own time, which may have been restored. Infinity if it is gone. */
async function writtenAt(path: string): Promise<number> {
	const info = await statOf(path);
	return info ? Number(info.mtimeMs) - performance.timeOrigin : Number.POSITIVE_INFINITY;
}
