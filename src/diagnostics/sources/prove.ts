import { availableParallelism } from "node:os";
import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { Strategy } from "../../../server.ts";
import type { Diagnostic } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { DiagnosticSeverity, FileChangeType } from "../../contract/protocol-kinds.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { Directories } from "../../project/directories.ts";
import { withSignals } from "../../util/abort.ts";
import { isSettled, stampOf, stampOfStats, statOf } from "../../util/files.ts";
import { hashOf } from "../../util/hash.ts";
import { linesOf, toUri } from "../../util/positions.ts";
import { anySource, type Refusal, read, refusalWords } from "../../util/read-file.ts";
import { convertDiagnostics } from "./convert.ts";
import { flycheckDiagnostics } from "./flycheck.ts";
import { isInLoadedProject } from "./loaded-project.ts";
import { offersPull, pullDiagnostics, type Related } from "./pull.ts";
import { pushedDiagnostics } from "./push.ts";
import { relatedProof, requestTime } from "./related-documents.ts";
import { SchemaFiles } from "./schema-files.ts";
import { tsserverDiagnostics } from "./tsserver.ts";

export interface Proof {
	readonly path: string;
	readonly text: string;
	readonly hash: string;
	readonly diagnostics: readonly Diagnostic[];
	readonly related?: readonly Proof[];
	/** Of the file with this text, unless it was young. */
	readonly stamp?: string;
}

export interface ProofOptions {
	readonly signal?: AbortSignal | undefined;
	/** Some servers suggest separately. */
	readonly hints?: boolean;
	/** False: no save, so no check of the project. */
	readonly save?: boolean;
	readonly directories?: Directories;
}

export function strategyOf(server: LanguageServer): Strategy {
	const { strategy = "push" } = server.config;
	if (strategy === "tsserver" || strategy === "flycheck") return strategy;
	return offersPull(server) ? "pull" : strategy;
}

export function checksProject(server: LanguageServer): boolean {
	return strategyOf(server) === "flycheck" && !server.config.partial;
}

export function readsDisk(server: LanguageServer): boolean {
	return checksProject(server) || server.config.pushes?.ofDisk === true;
}

export function proofsAtOnce(server: LanguageServer): number {
	const isParallel = strategyOf(server) === "pull" && !server.config.doubtfulUnchanged;
	return isParallel ? Math.max(availableParallelism() - 1, 1) : 1;
}

export async function proveDocument(
	server: LanguageServer,
	given: OpenDocument,
	options: ProofOptions = {},
): Promise<Proof> {
	const document = server.config.keepsSchemas ? await server.part(SchemaFiles).judge(given) : given;
	const asked = requestTime();
	const related: Related = new Map();
	const items = withErrors(server, await diagnosticsOf(server, document, options, related));
	const { path, text, hash } = document;
	const lines = items.length > 0 ? linesOf(document.text) : [];
	const own = { path, text, hash, diagnostics: await convertDiagnostics(items, lines, server.encoding) };
	if (related.size === 0) return own;
	const proofs = [...related].map(([other, found]) => relatedProof(server, other, found, asked));
	return { ...own, related: (await Promise.all(proofs)).flatMap((proof) => proof ?? []) };
}

function withErrors(
	{ config: { warningsThatAreErrors: codes } }: LanguageServer,
	items: readonly ProtocolDiagnostic[],
): readonly ProtocolDiagnostic[] {
	if (!codes) return items;
	const isError = ({ severity, code = "" }: ProtocolDiagnostic) =>
		severity === DiagnosticSeverity.Warning && codes.includes(String(code));
	return items.map((item) => (isError(item) ? { ...item, severity: DiagnosticSeverity.Error } : item));
}

/** Rejects with LSP_SERVER_CRASHED once the server has ended. */
export function diagnosticsOf(
	server: LanguageServer,
	document: OpenDocument,
	options: ProofOptions = {},
	related: Related = new Map(),
): Promise<readonly ProtocolDiagnostic[]> {
	return withSignals([options.signal, server.ended], async (signal) => {
		switch (strategyOf(server)) {
			case "pull":
				return pullDiagnostics(server, document.path, signal, related);
			case "tsserver":
				return tsserverDiagnostics(server, document, { ...options, signal });
			case "flycheck":
				return flycheckDiagnostics(server, document, { ...options, signal });
			default:
				return pushedDiagnostics(server, document, { ...options, signal });
		}
	});
}

const maxAttempts = 3;

/**
 * Rejects with LSP_FILE_NOT_FOUND, or LSP_SERVER_TIMEOUT after the last attempt. `proveOther` has its own rule for
 * unopened files.
 */
export async function repeatUntilUnchanged<T>(
	server: LanguageServer,
	path: string,
	languageId: string,
	work: (document: OpenDocument) => Promise<T>,
): Promise<T> {
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		server.documents.willRead(path);
		const stamp = await stampOf(path);
		const content = await read(path, anySource);
		if ("refused" in content) {
			server.documents.close(path);
			throw unreadableError(path, content.refused);
		}
		const { text } = content;
		if (!server.documents.get(path)) await notifyIfCreated(server, path);
		await server.willOpen?.(path);
		const result = await work(server.documents.set(path, languageId, text, stamp));
		if ((await stampOf(path)) === stamp) return result;
	}
	const message = `${path} changes faster than it can be checked.`;
	const suggestion = "Ask again when nothing writes the file any more.";
	throw new LspError("LSP_SERVER_TIMEOUT", message, { file_path: path, suggestion });
}

export function documentOnDisk(server: LanguageServer, path: string, languageId: string): Promise<OpenDocument> {
	return server.documents.exclusively(path, () =>
		repeatUntilUnchanged(server, path, languageId, async (document) => document),
	);
}

/** Opens a file that changes while it is proven unopened, or for which pyright answers nothing. */
export async function proveOther(
	server: LanguageServer,
	path: string,
	languageId: string,
	options: ProofOptions = {},
): Promise<Proof> {
	const prove = (document: OpenDocument) => proveDocument(server, resentIfDoubtful(server, document), options);
	const opened = () => server.documents.exclusively(path, () => repeatUntilUnchanged(server, path, languageId, prove));
	if (!server.config.pullsUnopened || server.documents.get(path)) return opened();
	if (!(await isInLoadedProject(server, path, options.directories ?? new Directories()))) return opened();
	const info = await statOf(path);
	const stamp = info && stampOfStats(info);
	const kept = info && isSettled(info) ? { stamp: stampOfStats(info) } : {};
	const content = await read(path, anySource);
	if ("refused" in content) throw unreadableError(path, content.refused);
	const { text } = content;
	const unopened = { path, uri: toUri(path), languageId, version: 0, text, hash: hashOf(text), sentAt: 0 };
	const proof = await prove(unopened).catch((error: unknown) => {
		// tsserver finds the project of an opened file.
		if (error instanceof LspError && error.code === "LSP_SERVER_ERROR") return opened();
		throw error;
	});
	return (await stampOf(path)) === stamp ? { ...proof, ...kept } : opened();
}

/** Unless it was sent after `since`, by performance.now() (docs/facts.md, 17). */
export function resentIfDoubtful(
	server: LanguageServer,
	document: OpenDocument,
	since = Number.POSITIVE_INFINITY,
): OpenDocument {
	if (!server.config.doubtfulUnchanged || document.sentAt >= since) return document;
	return server.documents.resend(document.path) ?? document;
}

class CreatedFiles {
	readonly paths = new Set<string>();
}

/** TypeScript 7 needs it (docs/facts.md, 18). */
async function notifyIfCreated(server: LanguageServer, path: string): Promise<void> {
	const known = server.part(CreatedFiles).paths;
	const info = await statOf(path);
	if (!info || info.birthtimeMs < BigInt(server.startedAt) || known.has(path)) return;
	known.add(path);
	notifyOfFile(server, path, "created");
}

export function notifyOfFile(server: LanguageServer, path: string, what: "created" | "deleted"): void {
	const type = what === "created" ? FileChangeType.Created : FileChangeType.Deleted;
	server.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: toUri(path), type }] });
}

function unreadableError(path: string, refused: Refusal): LspError {
	const about = { file_path: path };
	if (refused === "missing") return new LspError("LSP_FILE_NOT_FOUND", `${path} does not exist.`, about);
	const code = refused === "too large" ? "LSP_FILE_TOO_LARGE" : "LSP_NOT_A_FILE";
	return new LspError(code, `${path} was not read: it ${refusalWords[refused]}.`, about);
}
