import type { Diagnostic as ProtocolDiagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { DiagnosticSeverity } from "../../contract/protocol-kinds.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { validated } from "../../lsp/validate-result.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { toPath } from "../../util/positions.ts";
import { barrier } from "./barrier.ts";
import { HeaderBuilds } from "./header-builds.ts";
import { PushEnd, reconcileOthers } from "./push-end.ts";

const firstQuietMs = 1000;
const shortestQuietMs = 100;
const longestQuietMs = 5000;

const published = "textDocument/publishDiagnostics";

interface Push {
	/** Throws LSP_SERVER_ERROR. */
	readonly items: () => readonly ProtocolDiagnostic[];
	readonly isEmpty: boolean;
	readonly hasErrors: boolean;
	readonly version: number | undefined;
	/** Undefined if the text was not open. */
	readonly hash: string | undefined;
	readonly at: number;
}

export type PushesByPath = ReadonlyMap<string, Push>;

export class Pushes {
	readonly #byPath = new Map<string, Push>();
	#before: PushesByPath = new Map();
	readonly #waiting = new Set<() => void>();
	readonly #delays: number[] = [];
	/** Includes the server's start. */
	#firstDelay: number | undefined;

	constructor(server: LanguageServer) {
		server.on(published, (params) => {
			const { uri, version, diagnostics } = (params ?? {}) as Partial<PublishDiagnosticsParams>;
			// Servers escape URIs differently (`%40`, `c%3A`).
			const path = typeof uri === "string" ? toPath(uri) : undefined;
			if (path === undefined) return;
			const items = () => validated<PublishDiagnosticsParams>(server.config.id, published, params).diagnostics;
			const isEmpty = Array.isArray(diagnostics) && diagnostics.length === 0;
			const hasErrors = Array.isArray(diagnostics) && diagnostics.some(isError);
			const open = server.documents.get(path);
			const hash = open?.version === version ? open?.hash : undefined;
			this.#byPath.set(path, { items, isEmpty, hasErrors, version: version ?? undefined, hash, at: performance.now() });
			this.wake();
		});
	}

	all(): PushesByPath {
		return new Map(this.#byPath);
	}

	compareWith(before: PushesByPath): void {
		this.#before = before;
	}

	/** Throws LSP_SERVER_ERROR for an invalid push. */
	changed(): Map<string, readonly ProtocolDiagnostic[]> {
		const itemsOf = (push: Push | undefined) => (!push || push.isEmpty ? [] : push.items());
		const changed = new Map<string, readonly ProtocolDiagnostic[]>();
		for (const path of new Set([...this.#before.keys(), ...this.#byPath.keys()])) {
			const before = itemsOf(this.#before.get(path));
			if (JSON.stringify(before) !== JSON.stringify(itemsOf(this.#byPath.get(path)))) changed.set(path, before);
		}
		return changed;
	}

	last(path: string): Push | undefined {
		return this.#byPath.get(path);
	}

	/** jdtls publishes warnings for half of a project. */
	isFailing(path: string): boolean {
		return this.#byPath.get(path)?.hasErrors === true;
	}

	/** Only intelephense's first push takes seconds. */
	learn(ms: number): void {
		if (this.#firstDelay === undefined) this.#firstDelay = ms;
		else this.#delays.push(ms);
		if (this.#delays.length > 10) this.#delays.shift();
	}

	wake(): void {
		for (const wake of [...this.#waiting]) wake();
	}

	get quietMs(): number {
		const [usual, least] =
			this.#delays.length > 0
				? [Math.max(...this.#delays), shortestQuietMs]
				: [this.#firstDelay ?? firstQuietMs / 2, firstQuietMs];
		return Math.min(Math.max(usual * 2, least), longestQuietMs);
	}

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

function isError(item: Partial<ProtocolDiagnostic> | null): boolean {
	return (item?.severity ?? DiagnosticSeverity.Error) === DiagnosticSeverity.Error;
}

/** Call it before the first document is opened. */
export function collectPushes(server: LanguageServer): void {
	server.part(Pushes);
}

/**
 * Strategies `versioned-push` and `push`.
 * - A push with the document's version is the answer.
 * - One without counts after a barrier and a quiet time learned from earlier delays, or at the answer of `endedBy`.
 * - A server that is silent without changes is shown a wrong text (`provoke`).
 * - The registry's `pushes` excludes pushes for an older text or half a project.
 * - fortls publishes what is on disk, at a save: other texts reject with LSP_UNSUPPORTED_REQUEST.
 */
export async function pushedDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const askedAt = performance.now();
	const pushes = server.part(Pushes);
	if (server.config.pushes?.staleHeaders) return pushedAfterUpdates(server, document, pushes, signal);
	const { afterMs = 0, afterLoading = false, provokedBy, ofDisk = false } = server.config.pushes ?? {};
	if (ofDisk && !server.documents.isFromDisk(document.path))
		throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} checks what is on disk alone.`);
	const isChange = server.documents.opening(document.path) !== document.version;
	let { version, sentAt } = document;
	let earliest = sentAt + (isChange ? afterMs : 0);
	const answers = (push: Push | undefined): push is Push =>
		push !== undefined &&
		(!afterLoading || push.at > server.readiness.settledAt) &&
		(push.version === version || (push.version === undefined && push.at > earliest));
	if ((save || ofDisk) && !answers(pushes.last(document.path))) server.documents.save(document.path);
	await reconcileOthers(server, document.path, signal);
	await barrier(server, document.uri, signal);
	const readAt = performance.now();
	const delayOf = (push: Push) => push.at - Math.max(earliest, askedAt);
	const silenceAfter = (push: Push) => performance.now() - Math.max(push.at, readAt);
	const learn = (push: Push) => {
		if (delayOf(push) < 0) return;
		pushes.learn(delayOf(push));
		server.learnedMs = pushes.quietMs;
	};
	let maySilenceMeanClean = provokedBy !== undefined;
	const nextEnd = () => new PushEnd(server, document, () => pushes.wake(), signal);
	let end = nextEnd();
	for (;;) {
		signal?.throwIfAborted();
		const push = pushes.last(document.path);
		if (answers(push) && end.includes(push)) return push.items();
		let quiet = end.isAwaited ? longestQuietMs : pushes.quietMs;
		if (maySilenceMeanClean && !end.isAwaited && !answers(push) && performance.now() - readAt >= quiet) {
			maySilenceMeanClean = false;
			({ version, sentAt } = await provoke(server, document, pushes, signal));
			earliest = sentAt;
			end = nextEnd();
		}
		if (answers(push)) {
			if (push.version === undefined) quiet -= silenceAfter(push);
			if (push.version !== undefined || quiet <= 0) {
				learn(push);
				return push.items();
			}
		}
		await waitOrAbort(pushes.next(Math.ceil(quiet)), signal).catch((reason) => {
			// Otherwise a shorter time is never learned after a slow first push.
			const last = pushes.last(document.path);
			if (answers(last) && silenceAfter(last) >= Math.max(2 * delayOf(last), firstQuietMs)) learn(last);
			throw reason;
		});
	}
}

/** Has the server push about a wrong text, then about the restored document. */
async function provoke(
	server: LanguageServer,
	document: OpenDocument,
	pushes: Pushes,
	signal: AbortSignal | undefined,
): Promise<OpenDocument> {
	const { path, text } = document;
	const { provokedBy = "" } = server.config.pushes ?? {};
	const isClean = pushes.last(path)?.isEmpty !== false;
	const sentAt = performance.now();
	server.documents.sendOther(path, isClean ? text + provokedBy : "");
	let again: OpenDocument | undefined;
	try {
		while ((pushes.last(path)?.at ?? 0) < sentAt) await waitOrAbort(pushes.next(longestQuietMs), signal);
	} finally {
		again = server.documents.resend(path);
	}
	return again ?? document;
}

const updates = 3;

/**
 * Unchanged updates make clangd look for changed headers (docs/facts.md, 16). The barrier's answer comes after the last
 * push.
 */
async function pushedAfterUpdates(
	server: LanguageServer,
	document: OpenDocument,
	pushes: Pushes,
	signal: AbortSignal | undefined,
): Promise<readonly ProtocolDiagnostic[]> {
	const { path, uri, version, hash } = document;
	const builds = server.part(HeaderBuilds);
	const update = { textDocument: { uri, version }, contentChanges: [], wantDiagnostics: true };
	const readHeaders = async (forceRebuild: boolean) => {
		const end = builds.begin(path);
		for (let sent = 0; sent < updates; sent++)
			server.notify("textDocument/didChange", sent === 0 && forceRebuild ? { ...update, forceRebuild } : update);
		await barrier(server, uri, signal);
		end();
	};
	// clangd pushes nothing after a change and its reversal (docs/facts.md, 16).
	const answers = (push: Push | undefined): push is Push =>
		push?.version !== undefined && (push.version === version || push.hash === hash);
	const mayMissChange = await builds.mayMissChange(document);
	await readHeaders(mayMissChange);
	// A push of this text may predate another open one: only a build from scratch pushes again.
	if (!mayMissChange && !answers(pushes.last(path))) await readHeaders(true);
	for (;;) {
		signal?.throwIfAborted();
		const push = pushes.last(path);
		if (answers(push)) return push.items();
		await waitOrAbort(pushes.next(longestQuietMs), signal);
	}
}
