import { LspError } from "../errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { withoutMark } from "../util/files.ts";
import type { Route } from "../workspace/locate.ts";
import { type Importers, recallState } from "./last-states.ts";
import type { Baseline } from "./ledger.ts";
import { type Asking, proveDocument, readsDisk } from "./prove.ts";
import { knowsSignatures, readSignatures, shapeOf, touchedBy } from "./shape.ts";

/** An edit that is about to be made. */
export interface Announced {
	readonly path: string;
	/** What the file holds; undefined for one that does not exist. */
	readonly text: string | undefined;
	/** What is going to be written, if that is known. */
	readonly next: string | undefined;
}

/** Proves a text that a file has before an edit; what is known of it is not asked. */
export async function proveBaseline(
	server: LanguageServer,
	{ languageId }: Route,
	{ path, text, next }: Announced,
	asking: Asking & Importers & { readonly signal: AbortSignal },
): Promise<Baseline> {
	const { signal } = asking;
	if (text === undefined) return { proof: { path, text: "", hash: "", diagnostics: [] }, shape: undefined };
	return server.turns.read(async () => {
		await server.fresh(signal);
		return server.documents.exclusively(path, async () => {
			const document = server.documents.set(path, languageId, text);
			const known = await recallState(server, document, asking);
			if (!known && readsDisk(server))
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} checks what is on disk, not what was.`);
			const [proof, shape] = await Promise.all([
				known?.proof ?? proveDocument(server, document, asking),
				known?.shape ?? shapeOf(server, document, signal),
			]);
			if (shape && next !== undefined) await readSignatures(server, shape, touchedBy(shape, next), signal);
			return { proof, shape };
		});
	});
}

/**
 * The baseline of an edit if nothing has to be asked for it. It holds as long as `server.fresh` has no news; nobody has
 * looked at the disk for it.
 */
export async function knownBaseline(
	server: LanguageServer,
	{ path, text, next }: Announced,
	importers: Importers,
): Promise<Baseline | undefined> {
	const document = server.documents.get(path);
	if (!document || text === undefined || next === undefined || document.text !== withoutMark(text)) return undefined;
	const known = await recallState(server, document, importers);
	return known?.shape && knowsSignatures(known.shape, touchedBy(known.shape, next)) ? known : undefined;
}
