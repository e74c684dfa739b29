import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Proof } from "./prove.ts";

/** A proof on its way, of a text, by a server that had been told so much. */
interface Ahead {
	readonly hash: string;
	readonly told: number;
	readonly proof: Promise<Proof>;
}

/** By server and path. */
const kept = new WeakMap<LanguageServer, Map<string, Ahead>>();

/** Keeps a proof that was asked for before somebody needs it; what the server was told too much for since is forgotten. */
export function keepAhead(server: LanguageServer, { path, hash }: OpenDocument, proof: Promise<Proof>): void {
	proof.catch(() => {});
	const { told } = server;
	const known = kept.get(server) ?? new Map<string, Ahead>();
	kept.set(server, known);
	for (const [other, ahead] of known) if (ahead.told !== told) known.delete(other);
	known.set(path, { hash, told, proof });
}

/**
 * Takes what was asked of a document ahead: it is the answer for now, as the document is the same, and the server was told
 * nothing since. Undefined where it is not, or where none came.
 */
export function takeAhead(
	server: LanguageServer,
	{ path, hash }: OpenDocument,
): Promise<Proof | undefined> | undefined {
	const known = kept.get(server);
	const found = known?.get(path);
	if (!known || !found) return undefined;
	known.delete(path);
	return found.hash === hash && found.told === server.told ? found.proof.catch(() => undefined) : undefined;
}
