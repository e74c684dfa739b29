import type {
	DocumentDiagnosticParams,
	Diagnostic as ProtocolDiagnostic,
	RelatedFullDocumentDiagnosticReport,
	RelatedUnchangedDocumentDiagnosticReport,
} from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { isCancelled } from "../../lsp/retry.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { toPath, toUri } from "../../util/positions.ts";
import { Results } from "./result-ids.ts";

const method = "textDocument/diagnostic";

/** What a server told of other files with its answer for one, by path. */
export type Related = Map<string, readonly ProtocolDiagnostic[]>;

/**
 * Strategy `pull`: asks `textDocument/diagnostic`, whose answer is for the content that the server was last sent. A
 * server may have registered several providers (pyright does, under names of its own); all are asked, in parallel.
 * `related` is filled with what all of them told of other files: what one leaves out is not known to be clean.
 * No partial results are asked for, so none come.
 */
export async function pullDiagnostics(
	server: LanguageServer,
	path: string,
	signal?: AbortSignal,
	related?: Related,
): Promise<ProtocolDiagnostic[]> {
	if (!offersPull(server)) await registration(server, signal);
	const pulls = await Promise.all(
		providersOf(server).map(({ identifier }) => pullOne(server, path, identifier, signal)),
	);
	const [first, ...others] = pulls;
	for (const [other, items] of first?.related ?? []) {
		const rest = others.map((pulled) => pulled.related.get(other));
		if (rest.every((found) => found !== undefined)) related?.set(other, [...items, ...rest.flat()]);
	}
	return pulls.flatMap(({ items }) => items);
}

interface Pulled {
	readonly items: readonly ProtocolDiagnostic[];
	readonly related: Related;
}

/** The kind is not to be relied on: gopls leaves it empty for a full report. */
type Report = Partial<RelatedFullDocumentDiagnosticReport> | RelatedUnchangedDocumentDiagnosticReport;

async function pullOne(
	server: LanguageServer,
	path: string,
	identifier: string | undefined,
	signal: AbortSignal | undefined,
): Promise<Pulled> {
	const results = server.part(Results);
	const previous = results.last(path, identifier);
	const params: DocumentDiagnosticParams = {
		textDocument: { uri: server.documents.get(path)?.uri ?? toUri(path) },
		...(identifier === undefined ? {} : { identifier }),
	};
	const refers = previous && !server.config.doubtfulUnchanged;
	const known = refers ? { ...params, previousResultId: previous.resultId } : params;
	// The protocol knows no empty answer: `null` is what a server says that is not ready, or has lost the document.
	let report = (await ask(server, known, signal)) ?? (await ask(server, known, signal));
	if (report === null)
		throw new LspError("LSP_SERVER_ERROR", `${server.config.id}: ${method}: null is no report.`, { method });
	// "unchanged" without a result to refer to is a server's mistake; asking again without one is not.
	if (report.kind === "unchanged" && !refers) report = (await ask(server, params, signal)) ?? report;
	const items = itemsOf(report, refers ? previous.items : undefined);
	if (!items)
		throw new LspError("LSP_SERVER_ERROR", `${server.config.id}: ${method}: unchanged, and never told before.`);
	results.keep(path, identifier, items, report.resultId);
	const related: Related = new Map();
	for (const [uri, beside] of Object.entries(report.relatedDocuments ?? {})) {
		const other = toPath(uri);
		if (other === undefined || other === path) continue;
		const found = itemsOf(beside, results.last(other, identifier)?.items);
		if (!found) continue;
		related.set(other, found);
		results.keep(other, identifier, found, beside.resultId);
	}
	return { items, related };
}

/** Undefined for `unchanged` where nothing is known that it could refer to. */
function itemsOf(
	report: Report,
	previous: readonly ProtocolDiagnostic[] | undefined,
): readonly ProtocolDiagnostic[] | undefined {
	return report.kind === "unchanged" ? previous : report.items;
}

/** Asks; a server that gave up and wants to say itself when it can be asked again is waited for. */
async function ask(
	server: LanguageServer,
	params: DocumentDiagnosticParams,
	signal: AbortSignal | undefined,
): Promise<Report | null> {
	for (;;) {
		let off = () => {};
		const refreshed = new Promise<void>((resolve) => {
			off = server.on("workspace/diagnostic/refresh", () => resolve());
		});
		try {
			return await server.request<Report | null>(method, params, signal);
		} catch (error) {
			if (!isCancelled((error as Error).cause, false)) throw error;
			await waitOrAbort(Promise.race([refreshed, server.exited]), signal);
		} finally {
			off();
		}
	}
}

/** What a server offers under one name. */
export interface Provider {
	readonly identifier?: string;
	readonly workspaceDiagnostics?: boolean;
}

/**
 * The providers of diagnostics that a server named at the handshake or registered since, each name once; one for a server
 * that only answers.
 */
export function providersOf(server: LanguageServer): Provider[] {
	const found = new Map<string | undefined, Provider>();
	const { diagnosticProvider } = server.capabilities;
	const registered = [...server.registrations.values()].filter((registration) => registration.method === method);
	const offered = registered.map(({ registerOptions }) => (registerOptions ?? {}) as Provider);
	for (const provider of [...(diagnosticProvider ? [diagnosticProvider] : []), ...offered])
		if (!found.get(provider.identifier)?.workspaceDiagnostics) found.set(provider.identifier, provider);
	return found.size === 0 && server.config.pullsUnoffered ? [{}] : [...found.values()];
}

/** Waits until a server that registers its provider after the handshake has done so. pyright needs some 100 ms. */
async function registration(server: LanguageServer, signal: AbortSignal | undefined): Promise<void> {
	let off = () => {};
	const registered = new Promise<void>((resolve) => {
		off = server.on("client/registerCapability", () => {
			if (offersPull(server)) resolve();
		});
	});
	try {
		await waitOrAbort(registered, signal);
	} finally {
		off();
	}
}

/** True if the server answers pulls. */
export function offersPull(server: LanguageServer): boolean {
	return server.config.pullsUnoffered === true || server.offers(method);
}
