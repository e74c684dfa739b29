import type { LanguageServer } from "../../lsp/server.ts";

/** jdtls handles file events behind this answer, at the end of a build that runs (docs/facts.md, 37). */
const eventMs = 5000;

/** jdtls reads no message while a command waits for its index; a search, which waits too, leaves it free. */
class Index {
	isComplete = false;

	constructor(server: LanguageServer) {
		const done = () => {
			this.isComplete = true;
		};
		server.request("workspace/symbol", { query: "PushEnd" }).then(done, done);
	}
}

/**
 * The end of the pushes: the answer of the registry's `pushes.endedBy`. There is none where the command fails, before the
 * index is complete, nor soon after an event about a file that is not open.
 */
export class PushEnd {
	readonly #sentAt = performance.now();
	#state: "none" | "awaited" | "reached" = "none";

	constructor(server: LanguageServer, uri: string, onEnd: () => void, signal: AbortSignal | undefined) {
		const { endedBy } = server.config.pushes ?? {};
		if (!endedBy || !server.part(Index).isComplete) return;
		const changed = server.snapshot.eventsSince(this.#sentAt - eventMs);
		if (!changed?.every((path) => server.documents.get(path) !== undefined)) return;
		this.#state = "awaited";
		const end = (state: "none" | "reached") => {
			this.#state = state;
			onEnd();
		};
		const params = { command: endedBy.command, arguments: [uri, ...endedBy.arguments] };
		server.request("workspace/executeCommand", params, signal).then(
			() => end("reached"),
			() => end("none"),
		);
	}

	get isAwaited(): boolean {
		return this.#state === "awaited";
	}

	/** Whether `push`, the last one, is not older than the command. */
	includes(push: { readonly at: number }): boolean {
		return this.#state === "reached" && push.at >= this.#sentAt;
	}
}
