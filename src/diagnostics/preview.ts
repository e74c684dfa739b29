import type { Diagnostic } from "../contract/check-report.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { Directories } from "../project/directories.ts";
import { languageOf } from "../project/file-match.ts";
import { abortReason } from "../util/abort.ts";
import { statOf } from "../util/files.ts";
import { maxSourceBytes, readHead, withoutMark } from "../util/read-file.ts";
import { fixedIn, markNew } from "./diff-diagnostics.ts";
import { withSuggestions } from "./explain/suggestions.ts";
import { documentOnDisk, notifyOfFile, type Proof, proofsAtOnce, proveDocument, proveOther } from "./sources/prove.ts";
import { SchemaFiles } from "./sources/schema-files.ts";

export interface PreviewedFile {
	readonly proof: Proof;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed: readonly Diagnostic[];
}

interface Others {
	/** Nearest first. */
	readonly paths: readonly string[];
	/** By performance.now(): those not reached by then are left out. */
	readonly until: number;
}

/** Of the time for other files, the part for proofs without the texts. */
const shareBefore = 0.5;

/** Proves in an overlay that nobody else sees. A file is left out if one of its proofs fails. */
export function preview(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	{ paths: others, until }: Others,
	signal: AbortSignal,
): Promise<Map<string, PreviewedFile>> {
	return server.turns.write(async () => {
		await server.catchUp(signal);
		const options = { signal, save: false, directories: new Directories() };
		const proveOnDisk = (path: string) => proveOther(server, path, languageOf(server.config, path), options);
		const created = new Set<string>();
		for (const path of texts.keys()) if (!(await statOf(path))) created.add(path);
		const present = [...texts.keys()].filter((path) => !created.has(path));
		const before = await proofsOf(server, present, proveOnDisk, { signal });
		const begunAt = performance.now();
		const half = begunAt + (until - begunAt) * shareBefore;
		const othersBefore = await proofsOf(server, others, proveOnDisk, { signal, until: half });
		for (const [path, proof] of othersBefore) before.set(path, proof);
		return withTexts(server, texts, created, async () => {
			const mayBeSchemas = server.config.keepsSchemas === true && others.length > 0;
			const restoreSchemas = mayBeSchemas ? await server.part(SchemaFiles).overlay(texts) : async () => {};
			const proveOverlaid = async (path: string) => {
				const document = texts.has(path) ? server.documents.get(path) : undefined;
				return document ? proveDocument(server, document, options) : proveOnDisk(path);
			};
			const comparable = restoreSchemas ? [...othersBefore.keys()] : [];
			const proveAll = async () => [
				...(await proofsOf(server, [...texts.keys()], proveOverlaid, { signal })),
				...(await proofsOf(server, comparable, proveOverlaid, { signal, until })),
			];
			const after = await proveAll().finally(() => restoreSchemas?.());
			const found = new Map<string, PreviewedFile>();
			for (const [path, proof] of after) {
				const old = before.get(path) ?? (created.has(path) ? { ...proof, text: "", diagnostics: [] } : undefined);
				if (!old) continue;
				const marked = markNew(old, proof);
				const diagnostics = texts.has(path)
					? await withSuggestions(server, { proof, diagnostics: marked }, { signal }, (work) => work())
					: marked;
				found.set(path, { proof, diagnostics, fixed: fixedIn(old, proof) });
			}
			return found;
		});
	});
}

/** The bytes of a file proven as it is on disk; a server's text has no byte order mark. */
export async function bytesOf({ path, text }: Proof): Promise<Buffer> {
	const found = await readHead(path, maxSourceBytes);
	const isSame = typeof found !== "string" && withoutMark(found.toString("utf8")) === text;
	return isSame ? found : Buffer.from(text);
}

export function inTurnWithTexts<T>(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	return server.turns.write(async () => {
		await server.catchUp(signal);
		const created = new Set<string>();
		for (const path of texts.keys()) {
			if (!(await statOf(path))) created.add(path);
			// Opening it for each question makes servers load its project each time.
			else await documentOnDisk(server, path, languageOf(server.config, path)).catch(() => {});
		}
		return withTexts(server, texts, created, work);
	});
}

export function proveWithTexts(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	files: readonly string[],
	{ signal, hints }: { readonly signal: AbortSignal; readonly hints: boolean },
): Promise<Map<string, Proof>> {
	const options = { signal, hints, save: false, directories: new Directories() };
	const prove = (path: string) => {
		const document = texts.has(path) ? server.documents.get(path) : undefined;
		if (document) return proveDocument(server, document, options);
		return proveOther(server, path, languageOf(server.config, path), options);
	};
	return inTurnWithTexts(server, texts, signal, () => proofsOf(server, files, prove, { signal }));
}

/** The files of `created` do not exist on disk. */
export async function withTexts<T>(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	created: ReadonlySet<string>,
	work: () => Promise<T>,
): Promise<T> {
	// TypeScript 7 looks for an imported file again only when told of it.
	for (const path of created) notifyOfFile(server, path, "created");
	const restore = server.documents.overlay(texts, (path) => languageOf(server.config, path));
	try {
		return await work();
	} finally {
		restore();
		for (const path of created) notifyOfFile(server, path, "deleted");
	}
}

async function proofsOf(
	server: LanguageServer,
	paths: readonly string[],
	prove: (path: string) => Promise<Proof>,
	{ signal, until = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly until?: number },
): Promise<Map<string, Proof>> {
	const width = proofsAtOnce(server);
	const proofs = new Map<string, Proof>();
	for (let at = 0; at < paths.length && performance.now() < until; at += width) {
		const batch = paths.slice(at, at + width).map(async (path) => {
			const proof = await prove(path).catch((error: unknown) => {
				if (isCrash(error)) throw error;
				return undefined;
			});
			if (proof) proofs.set(path, proof);
		});
		await Promise.all(batch);
		if (signal.aborted) throw abortReason(signal);
	}
	return proofs;
}

function isCrash(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "LSP_SERVER_CRASHED";
}
