import type { PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { toPath, toUri } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { Pushes } from "./push.ts";

const published = "textDocument/publishDiagnostics";

/** rust-analyzer publishes within some ms of a `didClose`. */
const publishMs = 2000;

/**
 * rust-analyzer publishes findings of `cargo check` from several threads: an earlier push, with fewer, may come last
 * (docs/facts.md, 40).
 */
export class PushOrder {
	readonly #server: LanguageServer;
	/** By file, since the last check began. */
	readonly #found = new Map<string, Set<string>>();
	readonly #doubtful = new Set<string>();

	constructor(server: LanguageServer) {
		this.#server = server;
		server.on(published, (params) => {
			const { uri, diagnostics } = (params ?? {}) as Partial<PublishDiagnosticsParams>;
			const path = typeof uri === "string" ? toPath(uri) : undefined;
			if (path !== undefined && Array.isArray(diagnostics)) this.#published(path, diagnostics);
		});
	}

	checkBegan(): void {
		this.#found.clear();
		this.#doubtful.clear();
	}

	/** Has doubtful findings published again. Rejects with the signal. */
	async confirm(signal: AbortSignal | undefined): Promise<void> {
		await Promise.all([...this.#doubtful].map((path) => this.#publishAgain(path, signal)));
	}

	#published(path: string, items: readonly unknown[]): void {
		const last = new Set(items.map((item) => JSON.stringify(item)));
		const found = this.#found.get(path) ?? [];
		if ([...found].every((item) => last.has(item))) this.#doubtful.delete(path);
		else this.#doubtful.add(path);
		this.#found.set(path, new Set([...found, ...last]));
	}

	async #publishAgain(path: string, signal: AbortSignal | undefined): Promise<void> {
		const { documents } = this.#server;
		const pushes = this.#server.part(Pushes);
		const text = documents.get(path) ? undefined : await readText(path, anySource);
		this.#doubtful.delete(path);
		this.#found.delete(path);
		const before = pushes.last(path);
		if (text === undefined) documents.reopen([path]);
		else {
			const textDocument = { uri: toUri(path), languageId: "rust", version: 0, text };
			this.#server.notify("textDocument/didOpen", { textDocument });
			this.#server.notify("textDocument/didClose", { textDocument: { uri: textDocument.uri } });
		}
		const end = performance.now() + publishMs;
		while (pushes.last(path) === before && performance.now() < end) {
			signal?.throwIfAborted();
			await pushes.next(end - performance.now());
		}
	}
}
