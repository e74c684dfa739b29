import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";

/** jdtls handles file events behind this answer, after a running build (docs/facts.md, 37). */
const eventMs = 5000;

/** jdtls reads no message while a command waits for its index; a search waits without blocking. */
class Index {
	isComplete = false;

	constructor(server: LanguageServer) {
		const done = () => {
			this.isComplete = true;
		};
		server.request("workspace/symbol", { query: "PushEnd" }).then(done, done);
	}
}

/** Versions about which the command was last answered or refused. */
class Reconciled {
	readonly versions = new Map<string, number>();
}

/**
 * A message during jdtls's work on changed declarations leaves other files checked against old ones, until the command
 * checks the changed document (docs/facts.md, 37).
 */
export async function reconcileOthers(server: LanguageServer, path: string, signal?: AbortSignal): Promise<void> {
	if (!server.config.pushes?.endedBy || !server.part(Index).isComplete) return;
	const { versions } = server.part(Reconciled);
	for (const known of versions.keys()) if (!server.documents.get(known)) versions.delete(known);
	for (const other of server.documents.paths()) {
		const document = server.documents.get(other);
		if (!document || other === path || versions.get(other) === document.version) continue;
		const isAsOnDisk = server.documents.isFromDisk(other) && server.documents.opening(other) === document.version;
		if (isAsOnDisk) continue;
		await runCommand(server, document, signal).catch(() => signal?.throwIfAborted());
	}
}

async function runCommand(server: LanguageServer, { path, uri, version }: OpenDocument, signal?: AbortSignal) {
	const { endedBy } = server.config.pushes ?? {};
	if (!endedBy) return;
	const params = { command: endedBy.command, arguments: [uri, ...endedBy.arguments] };
	try {
		await server.request("workspace/executeCommand", params, signal);
	} finally {
		if (!signal?.aborted) server.part(Reconciled).versions.set(path, version);
	}
}

/**
 * The answer of `pushes.endedBy`; none if the command fails, before the index is complete, or soon after an event for a
 * closed file.
 */
export class PushEnd {
	readonly #sentAt = performance.now();
	#state: "none" | "awaited" | "reached" = "none";

	constructor(server: LanguageServer, document: OpenDocument, onEnd: () => void, signal: AbortSignal | undefined) {
		if (!server.config.pushes?.endedBy || !server.part(Index).isComplete) return;
		const changed = server.snapshot.eventsSince(this.#sentAt - eventMs);
		if (!changed?.every((path) => server.documents.get(path) !== undefined)) return;
		this.#state = "awaited";
		const end = (state: "none" | "reached") => {
			this.#state = state;
			onEnd();
		};
		runCommand(server, document, signal).then(
			() => end("reached"),
			() => end("none"),
		);
	}

	get isAwaited(): boolean {
		return this.#state === "awaited";
	}

	includes(push: { readonly at: number }): boolean {
		return this.#state === "reached" && push.at >= this.#sentAt;
	}
}
