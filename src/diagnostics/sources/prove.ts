import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { Strategy } from "../../../server.ts";
import type { Diagnostic } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { documentLines, type OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { Directories } from "../../project/directories.ts";
import { stampOf, statOf } from "../../util/files.ts";
import { hashOf } from "../../util/hash.ts";
import { toUri } from "../../util/positions.ts";
import { anySource, type Refusal, read, refusalWords } from "../../util/read-file.ts";
import { convertDiagnostics } from "./convert.ts";
import { flycheckDiagnostics } from "./flycheck.ts";
import { isInLoadedProject } from "./loaded-project.ts";
import { offersPull, pullDiagnostics, type Related } from "./pull.ts";
import { pushedDiagnostics } from "./push.ts";
import { momentOf, proofBeside } from "./related-documents.ts";
import { tsserverDiagnostics } from "./tsserver.ts";

/** Diagnostics that belong to exactly this text. */
export interface Proof {
	readonly path: string;
	readonly text: string;
	readonly hash: string;
	readonly diagnostics: readonly Diagnostic[];
	/** What the same answer proved of other files. */
	readonly related?: readonly Proof[];
}

/** How a proof is asked for. */
export interface Asking {
	readonly signal?: AbortSignal | undefined;
	/** True if suggestions count too; some servers have to be asked for them separately. */
	readonly hints?: boolean;
	/** False for a file that is not the edited one: a check that a save starts has been run already. */
	readonly save?: boolean;
	/** What is known of directories already, where one question leads to many proofs. */
	readonly directories?: Directories;
}

/** The strategy that is in use for a server, by what it offers and what the registry says. */
export function strategyOf(server: LanguageServer): Strategy {
	const { strategy = "push" } = server.config;
	if (strategy === "tsserver" || strategy === "flycheck") return strategy;
	return offersPull(server) ? "pull" : strategy;
}

/**
 * True for a server whose findings come from a run over the disk: no text that is not there can be asked about. One that
 * must run nothing of the repository's finds only what it finds itself, in any text.
 */
export function readsDisk(server: LanguageServer): boolean {
	return strategyOf(server) === "flycheck" && !server.config.partial;
}

/** The diagnostics of a document for the content that the server was last sent of it. */
export async function proveDocument(
	server: LanguageServer,
	document: OpenDocument,
	asking: Asking = {},
): Promise<Proof> {
	const asked = momentOf();
	const beside: Related = new Map();
	const items = await diagnosticsOf(server, document, asking, beside);
	const { path, text, hash } = document;
	// Most files are clean: they are not taken apart.
	const lines = items.length > 0 ? documentLines(document) : [];
	const own = { path, text, hash, diagnostics: convertDiagnostics(items, lines, server.encoding) };
	if (beside.size === 0) return own;
	const proofs = [...beside].map(([other, found]) => proofBeside(server, other, found, asked));
	return { ...own, related: (await Promise.all(proofs)).flatMap((proof) => proof ?? []) };
}

/** The same as the server says it; what it tells of other files is added to `beside`. */
export function diagnosticsOf(
	server: LanguageServer,
	document: OpenDocument,
	asking: Asking = {},
	beside: Related = new Map(),
): Promise<readonly ProtocolDiagnostic[]> {
	return strategies[strategyOf(server)](server, document, asking, beside);
}

type Ask = (
	server: LanguageServer,
	document: OpenDocument,
	asking: Asking,
	beside: Related,
) => Promise<readonly ProtocolDiagnostic[]>;

const strategies: Readonly<Record<Strategy, Ask>> = {
	pull: (server, { path }, { signal }, beside) => pullDiagnostics(server, path, signal, beside),
	tsserver: tsserverDiagnostics,
	"versioned-push": pushedDiagnostics,
	push: pushedDiagnostics,
	flycheck: flycheckDiagnostics,
};

/**
 * Asks something about a file as it is on disk. Its stamp is compared afterwards: an answer for content that is gone
 * is not given, the work is done again. Rejects with LSP_FILE_NOT_FOUND when the file has been removed, with
 * LSP_SERVER_TIMEOUT when it keeps changing.
 */
export async function withDisk<T>(
	server: LanguageServer,
	path: string,
	languageId: string,
	work: (document: OpenDocument) => Promise<T>,
): Promise<T> {
	for (let attempt = 1; attempt <= 3; attempt++) {
		server.documents.willRead(path);
		const stamp = await stampOf(path);
		const content = await read(path, anySource);
		if ("refused" in content) {
			server.documents.close(path);
			throw unread(path, content.refused);
		}
		const { text } = content;
		if (!server.documents.get(path)) await announceCreated(server, path);
		const result = await work(server.documents.set(path, languageId, text, stamp));
		if ((await stampOf(path)) === stamp) return result;
	}
	throw new LspError("LSP_SERVER_TIMEOUT", `${path} changes faster than it can be checked.`, { file_path: path });
}

/**
 * A document with the text that is on disk. Its turn ends when it is in step: questions about one file run side by side.
 * Rejects as `withDisk`.
 */
export function documentOnDisk(server: LanguageServer, path: string, languageId: string): Promise<OpenDocument> {
	return server.documents.exclusively(path, () => withDisk(server, path, languageId, async (document) => document));
}

/**
 * Proves a file that is not being edited. A server that answers rightly for files that nobody opened is asked as it
 * is; for any other the file is opened first, since an empty answer would not mean clean (pyright).
 */
export async function proveOther(
	server: LanguageServer,
	path: string,
	languageId: string,
	asking: Asking = {},
): Promise<Proof> {
	const prove = (document: OpenDocument) => proveDocument(server, looked(server, document), asking);
	const opened = () => server.documents.exclusively(path, () => withDisk(server, path, languageId, prove));
	if (!server.config.pullsUnopened || server.documents.get(path)) return opened();
	if (!(await isInLoadedProject(server, path, asking.directories ?? new Directories()))) return opened();
	const stamp = await stampOf(path);
	const content = await read(path, anySource);
	if ("refused" in content) throw unread(path, content.refused);
	const { text } = content;
	const unopened = { path, uri: toUri(path), languageId, version: 0, text, hash: hashOf(text), sentAt: 0 };
	const proof = await prove(unopened).catch((error: unknown) => {
		// tsserver knows no project of a file that none of its open ones leads to; opening it finds one.
		if (error instanceof LspError && error.code === "LSP_SERVER_ERROR") return opened();
		throw error;
	});
	return (await stampOf(path)) === stamp ? proof : opened();
}

/**
 * The document as it is to be asked about. pyright now and then keeps an error of a file that was open and not edited
 * although the edit of another one has mended it: what was not sent at or after `since` (by performance.now()) is sent
 * once more, which makes it look.
 */
export function looked(server: LanguageServer, document: OpenDocument, since = Number.POSITIVE_INFINITY): OpenDocument {
	if (!server.config.doubtfulUnchanged || document.sentAt >= since) return document;
	return server.documents.resend(document.path) ?? document;
}

/** The files younger than a server that it has been told of. */
class CreatedFiles {
	readonly paths = new Set<string>();
}

/**
 * Tells a server of a file that is younger than itself: TypeScript 7 puts a document that it has not been told of
 * into a project of its own, where no import of the real project resolves as it should.
 */
async function announceCreated(server: LanguageServer, path: string): Promise<void> {
	const known = server.part(CreatedFiles).paths;
	const info = await statOf(path);
	if (!info || info.birthtimeMs < BigInt(server.startedAt) || known.has(path)) return;
	known.add(path);
	tellOfFile(server, path, "created");
}

/** Tells a server that a file came or went, whether it has asked to hear of that or not. */
export function tellOfFile(server: LanguageServer, path: string, what: "created" | "deleted"): void {
	const type = what === "created" ? 1 : 3;
	server.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: toUri(path), type }] });
}

function unread(path: string, refused: Refusal): LspError {
	const about = { file_path: path };
	if (refused === "missing") return new LspError("LSP_FILE_NOT_FOUND", `${path} does not exist.`, about);
	const code = refused === "too large" ? "LSP_FILE_TOO_LARGE" : "LSP_NOT_A_FILE";
	return new LspError(code, `${path} was not read: it ${refusalWords[refused]}.`, about);
}
