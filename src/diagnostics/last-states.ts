import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { Recent } from "../util/recent.ts";
import type { ImportGraph } from "./import-graph.ts";
import { isScript, isSeenByImporters } from "./imports.ts";
import type { Baseline } from "./ledger.ts";
import type { Proof } from "./prove.ts";

/** What a server has been told up to a moment. */
export interface Told {
	/** Of disk and settings. */
	readonly news: number;
	/** Of documents: a moment of their history. */
	readonly texts: number;
	/** How often it was told anything. */
	readonly count: number;
}

interface LastState extends Baseline {
	readonly told: Told;
	/** True if the server was told of no other text while it worked out its answer. */
	readonly steady: boolean;
}

/** Who imports whom; `watched` if that is told of every change. */
export interface Importers {
	readonly graph: ImportGraph;
	readonly watched: boolean;
}

/** The importers of more changed files are not looked for. */
const mostChanged = 8;

const lastStates = new WeakMap<LanguageServer, Recent<LastState>>();
/** When the text of a file was last changed that others see without an import: a moment of the documents' history. */
const globals = new WeakMap<LanguageServer, number>();

/** What a server knows now. */
export function toldNow({ news, told, documents }: LanguageServer): Told {
	return { news, texts: documents.history.moment, count: told };
}

/** Keeps what has just been proven of a document; `told` is what the server knew when it was asked. */
export function rememberState(server: LanguageServer, told: Told, state: Baseline): void {
	const states = lastStates.get(server) ?? new Recent(50);
	lastStates.set(server, states);
	const { path } = state.proof;
	const known = states.get(path);
	const steady = known?.proof === state.proof ? known.steady : server.documents.history.moment === told.texts;
	states.set(path, { ...state, told, steady });
}

/** The same of one that was proven because another file was edited: its signatures may follow from that one. */
export function renewState(server: LanguageServer, told: Told, proof: Proof): void {
	const last = lastState(server, proof.path);
	if (last?.shape && last.proof.hash === proof.hash)
		rememberState(server, told, { proof, shape: { ...last.shape, signatures: new Map() } });
}

/** What was proven of a document last, whatever the server was told since. */
export function lastState(server: LanguageServer, path: string): Baseline | undefined {
	return lastStates.get(server)?.get(path);
}

/** Forgets a document whose file is gone. */
export function forgetState(server: LanguageServer, path: string): void {
	lastStates.get(server)?.delete(path);
}

/** Notes an edit from one text to another: where others see it without an import, all that was known has changed. */
export function noteEdit(server: LanguageServer, path: string, texts: readonly (string | undefined)[]): void {
	if (!isSeenByImporters(path, texts)) globals.set(server, server.documents.history.moment);
}

/**
 * The last state of a document if that is what a server would say now: the next edit's baseline, for free. It holds while
 * the server was told nothing, and while it was told of modules alone that the document does not depend on.
 */
export async function recallState(
	server: LanguageServer,
	{ path, hash }: OpenDocument,
	importers: Importers,
): Promise<Baseline | undefined> {
	const state = lastStates.get(server)?.get(path);
	if (!state || state.proof.hash !== hash || state.told.news !== server.news) return undefined;
	if (server.config.doubtfulUnchanged) return state.told.count === server.told ? state : undefined;
	const { history } = server.documents;
	if (!state.steady || state.told.texts < (globals.get(server) ?? 0)) return undefined;
	const changed = history.differingSince(state.told.texts)?.filter((other) => other !== path);
	if (changed?.length === 0) return state;
	const { moment } = history;
	if (!changed || !(await isBeside(server, path, changed, importers))) return undefined;
	return moment === history.moment && state.told.news === server.news ? state : undefined;
}

/** True if a file depends on none of some changed ones, as far as the texts of all of them tell. */
async function isBeside(
	{ documents }: LanguageServer,
	path: string,
	changed: readonly string[],
	{ graph, watched }: Importers,
): Promise<boolean> {
	if (!watched || changed.length > mostChanged || !isScript(path)) return false;
	if (!changed.every((other) => isSeenByImporters(other, [documents.get(other)?.text]))) return false;
	for (const other of changed) if ((await graph.dependents(other, { all: true, watched })).includes(path)) return false;
	return true;
}
