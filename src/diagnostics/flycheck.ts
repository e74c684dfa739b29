import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { waitOrAbort } from "../util/abort.ts";
import { offersPull, pullDiagnostics } from "./pull.ts";
import { lastPushed } from "./push.ts";

/** What rust-analyzer says of itself. */
interface Flychecks {
	/** It has loaded and indexed everything: before that an empty answer means nothing. */
	readonly quiescent: Promise<void>;
	/** Resolves at the end of the first check that begins after the call. */
	next(): Promise<void>;
}

const flychecksOf = new WeakMap<LanguageServer, Flychecks>();

/** Begins to listen to a server's states; to be called before it is asked anything. */
export function followFlychecks(server: LanguageServer): void {
	const quiescent = new Promise<void>((resolve) => {
		const off = server.on("experimental/serverStatus", (params) => {
			if ((params as { quiescent?: boolean } | null)?.quiescent !== true) return;
			off();
			resolve();
		});
	});
	flychecksOf.set(server, { quiescent, next: () => nextCheck(server) });
}

function nextCheck(server: LanguageServer): Promise<void> {
	return new Promise((resolve) => {
		const begun = new Set<unknown>();
		const off = server.on("$/progress", (params) => {
			const { token, value } = params as { token: unknown; value?: { kind?: string } };
			if (!String(token).includes("/flycheck/")) return;
			// The end of a check that was under way before is not ours: it is ended early, and ours begins.
			if (value?.kind === "begin") begun.add(token);
			else if (value?.kind === "end" && begun.has(token)) {
				off();
				resolve();
			}
		});
	});
}

/**
 * Strategy `flycheck`: rust-analyzer's own errors by pull, and those that only `cargo check` finds (borrows, traits),
 * which a save starts, a progress token ends, and which are pushed. The check reads the disk, so its findings are for
 * what is saved: with `save: false` only what the last one found is told.
 */
export async function flycheckDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const flychecks = flychecksOf.get(server);
	if (!flychecks) throw new Error(`the checks of ${server.config.id} are not followed`);
	await waitOrAbort(flychecks.quiescent, signal);
	// One that runs nothing of the repository's checks nothing at a save: its end would never come.
	if (save && !server.config.partial) {
		const checked = flychecks.next();
		server.documents.save(document.path);
		await waitOrAbort(checked, signal);
	}
	const own = offersPull(server) ? await pullDiagnostics(server, document.path, signal) : [];
	return [...own, ...lastPushed(server, document.path)];
}
