import { LspError } from "../contract/errors.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { deadline } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { anySource, readText, withoutMark } from "../util/read-file.ts";
import { type ImportIndex, type KnownState, KnownStates } from "./known-states.ts";
import { proveAhead } from "./prove-ahead.ts";
import { readSignatures } from "./signatures.ts";
import { hasCheckedText } from "./sources/flycheck.ts";
import { checksProject, type Proof, type ProofOptions, proveDocument } from "./sources/prove.ts";

export interface Baseline {
	/** Empty `hash`: the file did not exist. */
	readonly proof: Proof;
	readonly signatures?: ReadonlyMap<string, string>;
	readonly ahead?: KnownState;
}

/** The text before could not be proven; empty for a missing file. */
interface UnprovenBaseline {
	readonly unproven: string;
	readonly text: string | undefined;
}

export type CallBaseline = Baseline | UnprovenBaseline;

export interface AnnouncedEdit {
	readonly path: string;
	readonly languageId: string;
	readonly text: string | undefined;
	readonly next: string | undefined;
}

export interface Ahead {
	/** By performance.now(). */
	readonly until: number;
	readonly proven?: (before: Proof, after: Proof) => void;
}

export async function proveBothTexts(
	server: LanguageServer,
	edit: AnnouncedEdit,
	imports: ImportIndex,
	options: ProofOptions & { readonly signal: AbortSignal; readonly ahead?: Ahead | undefined },
): Promise<Baseline> {
	const { path, next } = edit;
	const baseline = await proveBaseline(server, edit, imports, options);
	const { ahead } = options;
	if (!ahead || next === undefined) return baseline;
	const ms = ahead.until - performance.now();
	const limit = deadline(
		Math.max(ms, 0),
		() => new LspError("LSP_SERVER_TIMEOUT", "the edit waits no longer"),
		options.signal,
	);
	const found = await proveAhead(server, path, next, { ...options, signal: limit.signal });
	limit.end();
	if (!found) return baseline;
	ahead.proven?.(baseline.proof, found.proof);
	return { ...baseline, ahead: found };
}

async function proveBaseline(
	server: LanguageServer,
	{ path, languageId, text, next }: AnnouncedEdit,
	imports: ImportIndex,
	options: ProofOptions & { readonly signal: AbortSignal },
): Promise<Baseline> {
	if (text === undefined) return { proof: { path, text: "", hash: "", diagnostics: [] } };
	const { signal } = options;
	const prove = async (): Promise<Baseline> => {
		const document = await documentWith(server, path, languageId, text);
		const states = server.part(KnownStates);
		const known = states.lastEdited(path);
		const isCurrent = known?.proof.hash === document.hash && (await states.isCurrent(path, known.revision, imports));
		const proof = isCurrent ? known.proof : await proveText(server, document, options);
		const after = next === undefined ? undefined : { hash: hashOf(withoutMark(next)), text: withoutMark(next) };
		const change = after && (await states.visibleChange(path, document, after));
		const touched = [...(change?.uncertain ?? []), ...(change?.altered ?? [])];
		const names = touched.map((declaration) => ({ path: declaration.path, at: declaration.before }));
		return { proof, signatures: await readSignatures(server, document, names, signal) };
	};
	return server.turns.read(async () => {
		await server.sendChanges(signal);
		return server.documents.exclusively(path, prove);
	});
}

/** Rejects with LSP_UNSUPPORTED_REQUEST if the server judges another text on disk. */
async function proveText(server: LanguageServer, document: OpenDocument, options: ProofOptions): Promise<Proof> {
	await requireText(server, document);
	const { revision } = server.snapshot;
	const proof = await proveDocument(server, document, checksProject(server) ? { ...options, save: false } : options);
	if (server.config.pushes?.ofDisk) await requireText(server, document);
	server.part(KnownStates).remember(proof, revision, "edited");
	return proof;
}

async function requireText(server: LanguageServer, { path, text }: OpenDocument): Promise<void> {
	const mayProve = checksProject(server)
		? await hasCheckedText(server, path, text)
		: server.config.pushes?.ofDisk !== true || (await readText(path, anySource)) === text;
	if (mayProve) return;
	throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} checks what is on disk, not what was.`);
}

async function documentWith(
	server: LanguageServer,
	path: string,
	languageId: string,
	text: string,
): Promise<OpenDocument> {
	await server.willOpen?.(path);
	const open = server.documents.get(path);
	if (open?.text === withoutMark(text)) return open;
	const stamp = await stampOf(path);
	const isOnDisk = stamp !== undefined && (await readText(path, anySource)) === withoutMark(text);
	return server.documents.set(path, languageId, text, isOnDisk ? stamp : undefined);
}
