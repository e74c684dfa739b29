import type { Diagnostic as ProtocolDiagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { validated } from "../../lsp/validate-result.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { toPath } from "../../util/positions.ts";

/** How long a server may stay silent after a change before its silence is taken for an answer: what it took so far. */
const firstQuietMs = 1000;
const shortestQuietMs = 100;
const longestQuietMs = 5000;

const published = "textDocument/publishDiagnostics";

interface Push {
	/** Throws LSP_SERVER_ERROR where what was pushed could not be read. */
	readonly items: () => readonly ProtocolDiagnostic[];
	/** True if it is no empty list. */
	readonly failing: boolean;
	readonly version: number | undefined;
	readonly at: number;
}

/** What one server has pushed, and how long it usually takes. */
class Pushes {
	readonly #byPath = new Map<string, Push>();
	#kept: ReadonlyMap<string, Push> = new Map();
	readonly #waiting = new Set<() => void>();
	/** Milliseconds from a change to its push, of the last few. */
	readonly #delays: number[] = [];
	/** The same of the first answer, which has the server's start in it. */
	#firstDelay: number | undefined;
	/** Whether the server is reading its project, and when it last said something about that. */
	#loads: () => boolean = () => false;
	#loadedAt = 0;

	constructor(server: LanguageServer) {
		server.on(published, (params) => {
			const { uri, version, diagnostics } = (params ?? {}) as Partial<PublishDiagnosticsParams>;
			// Servers spell URIs differently than we do (`%40`, `c%3A`): the path is the key.
			const path = typeof uri === "string" ? toPath(uri) : undefined;
			if (path === undefined) return;
			const items = () => validated<PublishDiagnosticsParams>(server.config.id, published, params).diagnostics;
			const failing = !Array.isArray(diagnostics) || diagnostics.length > 0;
			this.#byPath.set(path, { items, failing, version: version ?? undefined, at: performance.now() });
			for (const wake of [...this.#waiting]) wake();
		});
		if (!server.config.pushes?.afterLoading) return;
		this.#loads = () => server.readiness.busy !== undefined;
		server.on("$/progress", () => {
			this.#loadedAt = performance.now();
		});
	}

	/** The moment before which nothing counts, by performance.now(). */
	get loadedAt(): number {
		return this.#loads() ? Number.POSITIVE_INFINITY : this.#loadedAt;
	}

	/** Keeps what has been pushed so far, to be compared with what comes. */
	keep(): void {
		this.#kept = new Map(this.#byPath);
	}

	/** What was kept of the files about which something else has been pushed since. */
	changed(): Map<string, readonly ProtocolDiagnostic[]> {
		const said = (push: Push | undefined) => (push?.failing ? push.items() : []);
		const changed = new Map<string, readonly ProtocolDiagnostic[]>();
		for (const path of new Set([...this.#kept.keys(), ...this.#byPath.keys()])) {
			const kept = said(this.#kept.get(path));
			if (JSON.stringify(kept) !== JSON.stringify(said(this.#byPath.get(path)))) changed.set(path, kept);
		}
		return changed;
	}

	last(path: string): Push | undefined {
		return this.#byPath.get(path);
	}

	/** The first answer counts only until there is another: else intelephense would be waited for 4 s each time. */
	learn(ms: number): void {
		if (this.#firstDelay === undefined) this.#firstDelay = ms;
		else this.#delays.push(ms);
		if (this.#delays.length > 10) this.#delays.shift();
	}

	/** Milliseconds of silence after which nothing more is expected. */
	get quietMs(): number {
		const [usual, least] =
			this.#delays.length > 0
				? [Math.max(...this.#delays), shortestQuietMs]
				: [this.#firstDelay ?? firstQuietMs / 2, firstQuietMs];
		return Math.min(Math.max(usual * 2, least), longestQuietMs);
	}

	/** Resolves at the next push, or after `ms`. */
	next(ms: number): Promise<void> {
		return new Promise((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.#waiting.delete(done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			timer.unref();
			this.#waiting.add(done);
		});
	}
}

/** Begins to collect what a server pushes; to be called before its first document is opened. */
export function collectPushes(server: LanguageServer): void {
	server.part(Pushes);
}

/** Keeps what a server has pushed so far, to be compared with what comes. */
export function keepPushes(server: LanguageServer): void {
	server.part(Pushes).keep();
}

/** What was kept of the files about which a server has pushed something else since. Throws as `lastPushed`. */
export function changedPushes(server: LanguageServer): ReadonlyMap<string, readonly ProtocolDiagnostic[]> {
	return server.part(Pushes).changed();
}

/** What a server pushed last about a file; nothing if it never did. Throws LSP_SERVER_ERROR where that could not be read. */
export function lastPushed(server: LanguageServer, path: string): readonly ProtocolDiagnostic[] {
	return server.part(Pushes).last(path)?.items() ?? [];
}

/**
 * Strategies `versioned-push` and `push`: waits for what the server publishes about this version of the document.
 *
 * - A push that carries our version is the answer.
 * - A push without a version counts if it came after a barrier: a cheap request sent after the change, whose answer
 *   proves that the server has read it. Then a quiet time follows, learned from how long this server took before.
 * - What the registry says of a server's `pushes` takes away those that are about an older text, or half a project.
 * - Some publish at a save only (fortls), so that it is told; not with `save: false`, for a text that is not on disk.
 *
 * Silence proves nothing: without a push this waits until the signal ends, which the caller tells as `timed_out`.
 */
export async function pushedDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const pushes = server.part(Pushes);
	if (server.config.pushes?.staleHeaders) return pushedAfterUpdates(server, document, pushes, signal);
	const sent = document.sentAt;
	const { afterMs = 0 } = server.config.pushes ?? {};
	const isChange = server.documents.opening(document.path) !== document.version;
	const earliest = sent + (isChange ? afterMs : 0);
	const answers = (push: Push | undefined): push is Push =>
		push !== undefined &&
		push.at > pushes.loadedAt &&
		(push.version === document.version || (push.version === undefined && push.at > earliest));
	if (save && !answers(pushes.last(document.path))) server.documents.save(document.path);
	await barrier(server, document, signal);
	const read = performance.now();
	for (;;) {
		signal?.throwIfAborted();
		const push = pushes.last(document.path);
		let quiet = pushes.quietMs;
		if (answers(push)) {
			// What is left of the quiet time: a timer may ring a part of a millisecond early, and then it is not waited for anew.
			if (push.version === undefined) quiet -= performance.now() - Math.max(push.at, read);
			if (push.version !== undefined || quiet <= 0) {
				pushes.learn(Math.max(push.at - earliest, 0));
				server.learnedMs = pushes.quietMs;
				return push.items();
			}
		}
		await waitOrAbort(pushes.next(Math.ceil(quiet)), signal);
	}
}

/** An update waits until clangd has begun to read the headers of the one before it: the third comes when those of the first are read. */
const updates = 3;

/**
 * clangd builds a text with the headers that it has, pushes that, reads those that have changed and builds it once more
 * under the same version; without a change of the text it does not even look whether they have. Updates that change
 * nothing and want diagnostics make it look, and the answer to the barrier behind them comes behind its last push (clangd
 * 16 to 22; TUScheduler.cpp, `PreambleThread::update`). Where nothing has changed, it pushes nothing: what it pushed last holds.
 */
async function pushedAfterUpdates(
	server: LanguageServer,
	document: OpenDocument,
	pushes: Pushes,
	signal: AbortSignal | undefined,
): Promise<readonly ProtocolDiagnostic[]> {
	const { uri, version } = document;
	const update = { textDocument: { uri, version }, contentChanges: [], wantDiagnostics: true };
	for (let sent = 0; sent < updates; sent++) server.notify("textDocument/didChange", update);
	await barrier(server, document, signal);
	for (;;) {
		signal?.throwIfAborted();
		const push = pushes.last(document.path);
		// What it pushes at a close has no version.
		if (push?.version !== undefined) return push.items();
		await waitOrAbort(pushes.next(longestQuietMs), signal);
	}
}

/** A request that costs a server little and is answered in the order of arrival. An error is an answer too. */
async function barrier(server: LanguageServer, { uri }: OpenDocument, signal: AbortSignal | undefined): Promise<void> {
	if (!server.offers("textDocument/documentSymbol")) return;
	await server.request("textDocument/documentSymbol", { textDocument: { uri } }, signal).catch(() => {
		signal?.throwIfAborted();
	});
}
