import type { Diagnostic } from "../contract/check-report.ts";
import type { Probe } from "../contract/doctor-report.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import { proveDocument, strategyOf, withDisk } from "../diagnostics/sources/prove.ts";
import { offersPull, pullDiagnostics } from "../diagnostics/sources/pull.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { deadline } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { anySource, readText } from "../util/read-file.ts";
import { type Push, PushLog } from "./push-log.ts";
import { verdictOf } from "./verdict.ts";

/** How long the first proof may take, with all that the server has to load for it, and each one after it. */
const firstMs = 20_000;
const proofMs = 8000;
/** How long a push is waited for: from a server that has nothing else, and from one that pulls answer for. */
const onlyPushMs = 4000;
const alsoPushMs = 1500;
const shortestRepeatMs = 500;

/** What was told of one text, and when: by the strategy in use, and by what was pushed meanwhile. */
interface Observation {
	readonly ms?: number;
	readonly told?: readonly Diagnostic[];
	readonly pushes: readonly Push[];
	readonly failed?: string;
}

/**
 * Tries out what a server does for one file: the answer to a pull, the pushes after a change, whether a syntax error
 * that is put into its text is told and gone again. The text lives in the server only; nobody else asks meanwhile, and
 * the true text is put back whatever happens. Nothing is written to disk.
 */
export async function probeServer(
	server: LanguageServer,
	path: string,
	languageId: string,
	signal: AbortSignal,
): Promise<Probe> {
	const log = new PushLog(server, path);
	try {
		const before = await firstLook(server, path, languageId, signal);
		return await server.turns.write(() =>
			server.documents.exclusively(path, () => experiment(server, path, languageId, before, log, signal)),
		);
	} catch (thrown) {
		signal.throwIfAborted();
		if (thrown instanceof LspError && thrown.code === "LSP_SERVER_CRASHED") throw thrown;
		return { offersPull: offersPull(server), differs: [], failed: asLspError(thrown).message };
	} finally {
		log.close();
	}
}

/** What the server says of the file as it is; nothing if it says nothing in time, as some do of a file that is clean. */
async function firstLook(
	server: LanguageServer,
	path: string,
	languageId: string,
	signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
	const silent = server.config.diagnoses === false;
	const limit = deadline(silent ? proofMs : firstMs, late, signal);
	const look = async (document: OpenDocument): Promise<readonly Diagnostic[]> =>
		silent ? [] : (await proveDocument(server, document, { signal: limit.signal, save: false })).diagnostics;
	try {
		return await server.turns.read(async () => {
			await server.catchUp(limit.signal, path);
			return server.documents.exclusively(path, () => withDisk(server, path, languageId, look));
		});
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof LspError && error.code === "LSP_SERVER_TIMEOUT") return [];
		throw error;
	} finally {
		limit.end();
	}
}

async function experiment(
	server: LanguageServer,
	path: string,
	languageId: string,
	before: readonly Diagnostic[],
	log: PushLog,
	signal: AbortSignal,
): Promise<Probe> {
	const stamp = await stampOf(path);
	const text = await readText(path, anySource);
	if (text === undefined) throw new LspError("LSP_FILE_NOT_FOUND", `${path} does not exist.`);
	try {
		const wrong = server.documents.set(path, languageId, withSyntaxError(text));
		const broken = await observe(server, wrong, log, signal);
		const pullMs = await pullTime(server, wrong, broken, signal);
		const mended = await observe(server, server.documents.set(path, languageId, text, stamp), log, signal);
		const [push] = broken.pushes;
		const again = push && server.documents.resend(path);
		const repeated = again && (await log.since(again, Math.max(push.ms * 3, shortestRepeatMs)));
		return verdictOf(server.config, {
			inUse: strategyOf(server),
			offersPull: offersPull(server),
			pullMs,
			before,
			broken,
			mended,
			pushesUnchanged: repeated && repeated.length > 0,
		});
	} finally {
		server.documents.set(path, languageId, text, stamp);
	}
}

/** Asks by the strategy in use, and listens to what is pushed beside it. */
async function observe(
	server: LanguageServer,
	document: OpenDocument,
	log: PushLog,
	signal: AbortSignal,
): Promise<Observation> {
	const pushing = ["push", "versioned-push"].includes(strategyOf(server));
	const listening = log.since(document, pushing ? onlyPushMs : alsoPushMs);
	if (server.config.diagnoses === false) return { pushes: await listening };
	const limit = deadline(proofMs, late, signal);
	try {
		const { diagnostics } = await proveDocument(server, document, { signal: limit.signal, save: false });
		const ms = performance.now() - document.sentAt;
		return { ms, told: diagnostics, pushes: await listening };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof LspError && ["LSP_SERVER_CRASHED", "LSP_FILE_NOT_FOUND"].includes(error.code)) throw error;
		return { pushes: await listening, failed: asLspError(error).message };
	} finally {
		limit.end();
	}
}

/** How long the answer to a pull takes, where that is not what has been measured already. */
async function pullTime(
	server: LanguageServer,
	{ path }: OpenDocument,
	{ ms }: Observation,
	signal: AbortSignal,
): Promise<number | undefined> {
	if (!offersPull(server)) return undefined;
	if (strategyOf(server) === "pull") return ms;
	const limit = deadline(proofMs, late, signal);
	const began = performance.now();
	try {
		await pullDiagnostics(server, path, limit.signal);
		return performance.now() - began;
	} catch {
		signal.throwIfAborted();
		return undefined;
	} finally {
		limit.end();
	}
}

/** Something that no language takes for a text of its own: brackets that close nothing, quotes that nothing closes. */
function withSyntaxError(text: string): string {
	return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"})]}("'<\n`;
}

function late(): LspError {
	return new LspError("LSP_SERVER_TIMEOUT", "it told nothing in time");
}
