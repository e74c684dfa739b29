import { unknownChange } from "../impact/outline/unread.ts";
import { type VisibleChange, visibleChange } from "../impact/visible-change.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import type { Baseline } from "./edit-session.ts";
import { KnownStates } from "./known-states.ts";
import { readSignatures, type SignatureDifference } from "./signatures.ts";
import { type Asking, looked, type Proof, proveDocument, tellOfFile, withDisk } from "./sources/prove.ts";

/** A file before and after an edit, as one server sees it. */
export interface ProvenEdit {
	readonly baseline: Baseline | undefined;
	/** Without text and diagnostics for a file that is gone. */
	readonly proof: Proof;
	readonly change: VisibleChange;
	readonly signatures: readonly SignatureDifference[];
	/** The server's revision before it was told of the edit. */
	readonly revision: number;
	/** How long the server took for its answer, in milliseconds. */
	readonly ms: number;
}

/**
 * Proves a file as it is on disk. Its state before is what was announced, or else what was proven of it last. Nothing
 * else is asked before the answer; after it, only the signatures that decide whether others can see the change.
 */
export function proveEdit(
	server: LanguageServer,
	path: string,
	{ languageId }: Route,
	announced: Baseline | undefined,
	asking: Asking & { readonly signal: AbortSignal },
): Promise<ProvenEdit> {
	const { signal } = asking;
	const begun = performance.now();
	return server.turns.read(async () => {
		await server.catchUp(signal, path);
		return server.documents.exclusively(path, () => {
			const states = server.part(KnownStates);
			const last = states.lastEdited(path);
			const { revision } = server.snapshot;
			const prove = async (opened: OpenDocument): Promise<ProvenEdit> => {
				const document = looked(server, opened, begun);
				const asked = server.snapshot.revision;
				const askedAt = performance.now();
				const proving = proveDocument(server, document, asking);
				// The command line and a shell command announce nothing: they are compared with what was proven last. The same
				// text again is no edit, and nothing is said of new or old.
				const baseline = announced ?? (last?.proof.hash === document.hash ? undefined : last);
				// While the server works out its answer, the texts are compared.
				const before = textBefore(baseline);
				const changed = (same?: ReadonlySet<string>) => visibleChange(path, before, document.text, same);
				const comparing = !baseline
					? unknownChange
					: before === undefined
						? changed()
						: states.visible(path, baseline.proof, document);
				const answered = proving.then((proof) => ({ proof, ms: performance.now() - askedAt }));
				const [{ proof, ms }, change] = await Promise.all([answered, comparing]);
				states.remember(proof, asked, "edited");
				const signatures = await readChanged(server, document, baseline, change, signal);
				const same = new Set(signatures.filter(({ before, after }) => before === after).map((each) => each.path));
				return {
					baseline,
					proof,
					change: same.size > 0 ? await changed(same) : change,
					signatures: signatures.filter(({ before, after }) => before !== after),
					revision,
					ms,
				};
			};
			return withDisk(server, path, languageId, prove);
		});
	});
}

/** A file that was deleted, or moved away: nothing is wrong with it, and all that it declared is gone. */
export function proveGone(
	server: LanguageServer,
	path: string,
	announced: Baseline | undefined,
	signal: AbortSignal,
): Promise<ProvenEdit> {
	return server.turns.read(async () => {
		await server.catchUp(signal);
		const states = server.part(KnownStates);
		const baseline = announced ?? states.lastEdited(path);
		states.forget(path);
		const { revision } = server.snapshot;
		server.documents.close(path);
		// TypeScript 7 changes what it wants to hear of while it loads: in between nobody else would tell it.
		tellOfFile(server, path, "deleted");
		const change = baseline ? await visibleChange(path, textBefore(baseline), undefined) : unknownChange;
		return { baseline, proof: { path, text: "", hash: "", diagnostics: [] }, change, signatures: [], revision, ms: 0 };
	});
}

/** The text before an edit; undefined for a file that did not exist. */
export function textBefore(baseline: Baseline | undefined): string | undefined {
	return baseline && baseline.proof.hash !== "" ? baseline.proof.text : undefined;
}

/** The declarations whose signatures are known of before, with what they are now. */
async function readChanged(
	server: LanguageServer,
	document: OpenDocument,
	baseline: Baseline | undefined,
	{ uncertain, altered }: VisibleChange,
	signal: AbortSignal,
): Promise<SignatureDifference[]> {
	const known = [...uncertain, ...altered].flatMap(({ path, after }) => {
		const before = baseline?.signatures.get(path);
		return before === undefined ? [] : [{ path, at: after, before }];
	});
	if (known.length === 0) return [];
	const now = await readSignatures(server, document, known, signal);
	return known.flatMap((each) => {
		const after = now.get(each.path);
		return after === undefined ? [] : [{ ...each, after }];
	});
}
