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
import { LruMap } from "../../util/lru-map.ts";
import { toPath, toUri } from "../../util/positions.ts";

const method = "textDocument/diagnostic";

export type Related = Map<string, readonly ProtocolDiagnostic[]>;

/** Strategy `pull`: asks all providers (pyright has several). `related`: files on which all have reported. */
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

/** gopls leaves `kind` out of a full report. */
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
	const withPrevious = refers ? { ...params, previousResultId: previous.resultId } : params;
	// `null`: not ready, or the document is lost.
	let report = (await pull(server, withPrevious, signal)) ?? (await pull(server, withPrevious, signal));
	if (report === null)
		throw new LspError("LSP_SERVER_ERROR", `${server.config.id}: ${method}: null is no report.`, { method });
	if (report.kind === "unchanged" && !refers) report = (await pull(server, params, signal)) ?? report;
	const items = itemsOf(report, refers ? previous.items : undefined);
	if (!items)
		throw new LspError("LSP_SERVER_ERROR", `${server.config.id}: ${method}: unchanged, and never sent before.`);
	results.keep(path, identifier, items, report.resultId);
	const related: Related = new Map();
	for (const [uri, other] of Object.entries(report.relatedDocuments ?? {})) {
		const otherPath = toPath(uri);
		if (otherPath === undefined || otherPath === path) continue;
		const found = itemsOf(other, results.last(otherPath, identifier)?.items);
		if (!found) continue;
		related.set(otherPath, found);
		results.keep(otherPath, identifier, found, other.resultId);
	}
	return { items, related };
}

function itemsOf(
	report: Report,
	previous: readonly ProtocolDiagnostic[] | undefined,
): readonly ProtocolDiagnostic[] | undefined {
	return report.kind === "unchanged" ? previous : report.items;
}

/** Without `retriggerRequest`, a cancelled pull waits for the server's `refresh`. */
async function pull(
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

export interface Provider {
	readonly identifier?: string;
	readonly workspaceDiagnostics?: boolean;
}

export function providersOf(server: LanguageServer): Provider[] {
	const { diagnosticProvider } = server.capabilities;
	const offered: Provider[] = diagnosticProvider ? [diagnosticProvider] : [];
	for (const registration of server.registrations.values())
		if (registration.method === method) offered.push(registration.registerOptions ?? {});
	const found = new Map<string | undefined, Provider>();
	for (const provider of offered)
		if (!found.get(provider.identifier)?.workspaceDiagnostics) found.set(provider.identifier, provider);
	return found.size === 0 && server.config.pullsUnoffered ? [{}] : [...found.values()];
}

/** pyright registers providers after the handshake. */
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

export function offersPull(server: LanguageServer): boolean {
	return server.config.pullsUnoffered === true || server.offers(method);
}

interface Result {
	readonly resultId: string;
	readonly items: readonly ProtocolDiagnostic[];
	readonly opening: number | undefined;
}

const maxResults = 500;

class Results {
	readonly #server: LanguageServer;
	readonly #results = new LruMap<Result>(maxResults);

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	last(path: string, identifier: string | undefined): Result | undefined {
		const result = this.#results.get(resultKey(path, identifier));
		return result && result.opening === this.#server.documents.opening(path) ? result : undefined;
	}

	keep(path: string, identifier: string | undefined, items: readonly ProtocolDiagnostic[], resultId?: string): void {
		const key = resultKey(path, identifier);
		if (resultId === undefined) this.#results.delete(key);
		else this.#results.set(key, { resultId, items, opening: this.#server.documents.opening(path) });
	}
}

function resultKey(path: string, identifier = ""): string {
	return `${identifier} ${toUri(path)}`;
}
