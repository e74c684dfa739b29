import { LspError } from "../contract/errors.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { anySource, readText, withoutMark } from "../util/read-file.ts";
import type { Baseline } from "./edit-session.ts";
import { type Dependencies, KnownStates } from "./known-states.ts";
import { readSignatures } from "./signatures.ts";
import { hasCheckedText } from "./sources/flycheck.ts";
import { type Asking, proveDocument, readsDisk } from "./sources/prove.ts";

/** An edit that is about to be made. */
export interface Announced {
	readonly path: string;
	/** What the file holds; undefined for one that does not exist. */
	readonly text: string | undefined;
	/** What is going to be written, if that is known. */
	readonly next: string | undefined;
}

/**
 * Proves the text that a file has before an edit, and reads the signatures that only the server can compare. What is
 * known of it is not asked again. Rejects with LSP_UNSUPPORTED_REQUEST for a server that checks what is on disk and has not done so yet.
 */
export async function proveBaseline(
	server: LanguageServer,
	{ languageId }: Route,
	{ path, text, next }: Announced,
	on: Dependencies,
	asking: Asking & { readonly signal: AbortSignal },
): Promise<Baseline> {
	if (text === undefined) return { proof: { path, text: "", hash: "", diagnostics: [] }, signatures: new Map() };
	const { signal } = asking;
	return server.turns.read(async () => {
		await server.fresh(signal);
		return server.documents.exclusively(path, async () => {
			const document = await documentWith(server, path, languageId, text);
			const states = server.part(KnownStates);
			const known = states.lastEdited(path);
			const holds = known?.proof.hash === document.hash && (await states.holds(path, known.revision, on));
			if (!holds && readsDisk(server) && !(await hasCheckedText(server, path, text)))
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} checks what is on disk, not what was.`);
			const { revision } = server.snapshot;
			// The last check has told what the compiler found in the text before; of any text only rust-analyzer's own errors are known.
			const how = readsDisk(server) ? { ...asking, save: false } : asking;
			const proof = holds ? known.proof : await proveDocument(server, document, how);
			if (!holds) states.remember(proof, revision, "edited");
			const after = next === undefined ? undefined : { hash: hashOf(withoutMark(next)), text: withoutMark(next) };
			const change = after && (await states.visible(path, document, after));
			const touched = [...(change?.uncertain ?? []), ...(change?.altered ?? [])];
			const named = touched.map((declaration) => ({ path: declaration.path, at: declaration.before }));
			return { proof, signatures: await readSignatures(server, document, named, signal) };
		});
	});
}

/** A document with the text that its file had when the edit was announced; it may have been written meanwhile. */
async function documentWith(
	server: LanguageServer,
	path: string,
	languageId: string,
	text: string,
): Promise<OpenDocument> {
	const open = server.documents.get(path);
	if (open?.text === withoutMark(text)) return open;
	const stamp = await stampOf(path);
	const isOnDisk = stamp !== undefined && (await readText(path, anySource)) === withoutMark(text);
	return server.documents.set(path, languageId, text, isOnDisk ? stamp : undefined);
}
