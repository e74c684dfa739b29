import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../workspace/locate.ts";
import { forgetState, lastState, noteEdit, rememberState, toldNow } from "./last-states.ts";
import type { Baseline } from "./ledger.ts";
import { type Asking, looked, type Proof, proveDocument, tellOfFile, withDisk } from "./prove.ts";
import { compareShapes, type Shape, type ShapeChange, shapeOf } from "./shape.ts";

/** A file before and after an edit, as one server sees it. */
export interface Edit {
	readonly baseline: Baseline | undefined;
	/** Without text and diagnostics for a file that is gone. */
	readonly now: Proof;
	readonly see: See;
}

/** Asks what others see of the file; once for an edit, as long as no other edit of it has been checked. Does not reject. */
export type See = () => Promise<Seen>;

/** What others see of a file now, and how that differs; nothing where no server tells. */
export interface Seen {
	readonly shape?: Shape;
	readonly change?: ShapeChange;
}

/**
 * Called when the server has been sent the text that is to be proven, before its answer; again if the file changes
 * meanwhile. With `see` asked at once, nobody changes the document before that is known; the proof does not wait for it.
 */
export type Sent = (document: OpenDocument, baseline: Baseline | undefined, see: See) => void;

/**
 * Proves a file as it is on disk; its state before is what was handed over, or else what was proven of it last. `sent`
 * hears of it as early as others can be asked about.
 */
export function proveEdit(
	server: LanguageServer,
	path: string,
	route: Route,
	handed: Baseline | undefined,
	asking: Asking & { readonly signal: AbortSignal; readonly sent?: Sent },
): Promise<Edit> {
	const { signal, sent } = asking;
	return new Promise((resolve, reject) => {
		const work = async () => {
			await server.catchUp(signal, path);
			await server.documents.exclusively(path, async () => {
				let seen: Promise<unknown> | undefined;
				let isOurs = true;
				const last = lastState(server, path);
				const begun = performance.now();
				const prove = async (opened: OpenDocument): Promise<Edit> => {
					const document = looked(server, opened, begun);
					const told = toldNow(server);
					// A caller that hands nothing over (the command line, a shell command) is compared with what was proven last;
					// the same text again is no edit, and nothing is said of new or old.
					const baseline = handed ?? (last?.proof.hash === document.hash ? undefined : last);
					noteEdit(server, path, [baseline?.proof.text, document.text]);
					const proof = proveDocument(server, document, asking);
					const look = async () => {
						const found = await lookAt(server, document, baseline, signal);
						if (found.shape)
							void proof.then(
								(now) => rememberState(server, told, { proof: now, shape: found.shape }),
								() => {},
							);
						return found;
					};
					const see = once(() => {
						if (!isOurs) return onSameText(server, document, look);
						const looking = look();
						seen = looking;
						return looking;
					});
					sent?.(document, baseline, see);
					const now = await proof;
					rememberState(server, told, { proof: now, shape: undefined });
					return { baseline, now, see };
				};
				resolve(await withDisk(server, path, route.languageId, prove));
				await seen;
				isOurs = false;
			});
		};
		server.turns.read(work).catch(reject);
	});
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
	let begun: Promise<T> | undefined;
	return () => {
		begun ??= work();
		return begun;
	};
}

const nothingSeen: Promise<Seen> = Promise.resolve({});

/** Looks at a document if it still has the text that it had. */
function onSameText(server: LanguageServer, { path, hash }: OpenDocument, look: () => Promise<Seen>): Promise<Seen> {
	const { documents, turns } = server;
	return turns.read(() =>
		documents.exclusively(path, () => (documents.get(path)?.hash === hash ? look() : nothingSeen)),
	);
}

/** A file that was deleted, or moved away: nothing is wrong with it, and all that it declared is gone. */
export async function proveGone(
	server: LanguageServer,
	path: string,
	handed: Baseline | undefined,
	signal: AbortSignal,
): Promise<Edit> {
	return server.turns.read(async () => {
		await server.catchUp(signal);
		const last = lastState(server, path);
		forgetState(server, path);
		server.documents.close(path);
		// TypeScript 7 changes what it wants to hear of while it loads: in between nobody else would tell it.
		tellOfFile(server, path, "deleted");
		return { baseline: handed ?? last, now: { path, text: "", hash: "", diagnostics: [] }, see: () => nothingSeen };
	});
}

/**
 * Lets `work` ask the server as it was when each of some files had the text given for it. Nobody else asks meanwhile,
 * and the true texts are put back. Undefined, and nothing asked, if `still` says that it is too late.
 */
export function onOldTexts<T>(
	server: LanguageServer,
	{ languageId }: Route,
	old: ReadonlyMap<string, string>,
	work: () => Promise<T>,
	still: () => boolean = () => true,
): Promise<T | undefined> {
	return server.turns.write(async () => {
		if (!still()) return undefined;
		const now = new Map([...old.keys()].map((path) => [path, server.documents.get(path)]));
		for (const [path, text] of old) server.documents.set(path, now.get(path)?.languageId ?? languageId, text);
		try {
			return await work();
		} finally {
			for (const [path, document] of now)
				if (document) server.documents.set(path, document.languageId, document.text);
				else server.documents.close(path);
		}
	});
}

/** The same with the text before an edit, as long as no other edit of the file has been checked since. */
export function onOldText<T>(
	server: LanguageServer,
	route: Route,
	old: string,
	{ path, hash }: Proof,
	work: () => Promise<T>,
): Promise<T | undefined> {
	return onOldTexts(server, route, new Map([[path, old]]), work, () => server.documents.get(path)?.hash === hash);
}

/** Reads the shape of a document and compares it, while its diagnostics are asked for beside it. */
async function lookAt(
	server: LanguageServer,
	document: OpenDocument,
	baseline: Baseline | undefined,
	signal: AbortSignal,
): Promise<Seen> {
	try {
		const shape = await shapeOf(server, document, signal);
		if (!shape) return {};
		return { shape, change: await compareShapes(server, baseline?.shape, shape, signal) };
	} catch {
		// Whoever asks about the same server next says what is wrong with it.
		return {};
	}
}
