import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { aborter, withSignals } from "../util/abort.ts";
import { statOf } from "../util/files.ts";
import type { KnownState } from "./known-states.ts";
import { withTexts } from "./preview.ts";
import { type ProofOptions, proveDocument, readsDisk, resentIfDoubtful } from "./sources/prove.ts";

/** Undefined if others use the server, or after `signal`. */
export async function proveAhead(
	server: LanguageServer,
	path: string,
	text: string,
	options: ProofOptions & { readonly signal: AbortSignal },
): Promise<KnownState | undefined> {
	if (readsDisk(server)) return undefined;
	const begunAt = performance.now();
	const turn = server.turns.writeWhileIdle(async (wanted) => {
		const stopping = aborter();
		void wanted.then(() => stopping.abort());
		return withSignals([options.signal, stopping.signal], async (signal) => {
			await server.catchUp(signal);
			const { revision } = server.snapshot;
			const created = new Set((await statOf(path)) ? [] : [path]);
			const proof = await withTexts(server, new Map([[path, text]]), { created }, () => {
				const document = resentIfDoubtful(server, server.documents.get(path)!, begunAt);
				return proveDocument(server, document, { ...options, signal, save: false });
			});
			return { proof, revision };
		});
	});
	return turn?.catch(() => undefined);
}

export function isProofOf(
	{ proof, revision }: KnownState,
	server: LanguageServer,
	{ path, hash }: OpenDocument,
): boolean {
	const changes = server.snapshot.since(revision);
	return proof.hash === hash && changes !== undefined && changes.every((change) => change.path === path);
}
