import type { Diagnostic } from "../contract/check-report.ts";
import type { Probe } from "../contract/doctor-report.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import { proveDocument, repeatUntilUnchanged, strategyOf } from "../diagnostics/sources/prove.ts";
import { offersPull, pullDiagnostics } from "../diagnostics/sources/pull.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { deadline } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { anySource, readText } from "../util/read-file.ts";
import { PushLog } from "./push-log.ts";
import { type Observation, verdictOf } from "./verdict.ts";

const firstMs = 20_000;
const proofMs = 8000;
/** For a push, without and with another strategy. */
const onlyPushMs = 4000;
const alsoPushMs = 1500;
const shortestRepeatMs = 500;

interface ProbeTarget {
	readonly server: LanguageServer;
	readonly path: string;
	readonly languageId: string;
	readonly signal: AbortSignal;
}

/** Only the server's text changes, and is restored. */
export async function probeServer(target: ProbeTarget): Promise<Probe> {
	const { server, path, signal } = target;
	const log = new PushLog(server, path);
	try {
		const before = await firstDiagnostics(target);
		return await server.turns.write(() => server.documents.exclusively(path, () => experiment(target, before, log)));
	} catch (thrown) {
		signal.throwIfAborted();
		if (thrown instanceof LspError && thrown.code === "LSP_SERVER_CRASHED") throw thrown;
		return { offersPull: offersPull(server), differs: [], failed: asLspError(thrown).message };
	} finally {
		log.close();
	}
}

/** Some servers report nothing for a clean file. */
async function firstDiagnostics({ server, path, languageId, signal }: ProbeTarget): Promise<readonly Diagnostic[]> {
	const silent = server.config.diagnoses === false;
	const limit = deadline(silent ? proofMs : firstMs, late, signal);
	const look = async (document: OpenDocument): Promise<readonly Diagnostic[]> =>
		silent ? [] : (await proveDocument(server, document, { signal: limit.signal, save: false })).diagnostics;
	try {
		return await server.turns.read(async () => {
			await server.catchUp(limit.signal, path);
			return server.documents.exclusively(path, () => repeatUntilUnchanged(server, path, languageId, look));
		});
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof LspError && error.code === "LSP_SERVER_TIMEOUT") return [];
		throw error;
	} finally {
		limit.end();
	}
}

async function experiment(target: ProbeTarget, before: readonly Diagnostic[], log: PushLog): Promise<Probe> {
	const { server, path, languageId } = target;
	const stamp = await stampOf(path);
	const text = await readText(path, anySource);
	if (text === undefined) throw new LspError("LSP_FILE_NOT_FOUND", `${path} does not exist.`);
	try {
		const wrong = server.documents.set(path, languageId, withSyntaxError(text));
		const broken = await observe(target, wrong, log);
		const pullMs = await pullTime(target, broken);
		const mended = await observe(target, server.documents.set(path, languageId, text, stamp), log);
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

async function observe({ server, signal }: ProbeTarget, document: OpenDocument, log: PushLog): Promise<Observation> {
	const pushing = ["push", "versioned-push"].includes(strategyOf(server));
	const listening = log.since(document, pushing ? onlyPushMs : alsoPushMs);
	if (server.config.diagnoses === false) return { pushes: await listening };
	const limit = deadline(proofMs, late, signal);
	try {
		const { diagnostics } = await proveDocument(server, document, { signal: limit.signal, save: false });
		const ms = performance.now() - document.sentAt;
		return { ms, diagnostics, pushes: await listening };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof LspError && ["LSP_SERVER_CRASHED", "LSP_FILE_NOT_FOUND"].includes(error.code)) throw error;
		return { pushes: await listening, failed: asLspError(error).message };
	} finally {
		limit.end();
	}
}

async function pullTime({ server, path, signal }: ProbeTarget, { ms }: Observation): Promise<number | undefined> {
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

function withSyntaxError(text: string): string {
	return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"})]}("'<\n`;
}

function late(): LspError {
	return new LspError("LSP_SERVER_TIMEOUT", "it reported nothing in time");
}
