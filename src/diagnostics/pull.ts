import type {
	DocumentDiagnosticParams,
	DocumentDiagnosticReport,
	Diagnostic as ProtocolDiagnostic,
} from "vscode-languageserver-protocol";
import { toUri } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { waitOrAbort } from "../util/abort.ts";

interface Remembered {
	readonly resultId: string;
	readonly items: readonly ProtocolDiagnostic[];
}

/** The last answers that carried a resultId, by server: what `unchanged` refers to. */
const remembered = new WeakMap<LanguageServer, Map<string, Remembered>>();
const maxRemembered = 500;

/**
 * Strategy `pull`: asks `textDocument/diagnostic`, whose answer is for the content that the server was last sent. A
 * server may have registered several providers (pyright does, under names of its own); all are asked, in parallel.
 */
export async function pullDiagnostics(
	server: LanguageServer,
	path: string,
	signal?: AbortSignal,
): Promise<ProtocolDiagnostic[]> {
	if (!offersPull(server)) await registration(server, signal);
	const reports = await Promise.all(identifiers(server).map((identifier) => pullOne(server, path, identifier, signal)));
	return reports.flat();
}

async function pullOne(
	server: LanguageServer,
	path: string,
	identifier: string | undefined,
	signal: AbortSignal | undefined,
): Promise<readonly ProtocolDiagnostic[]> {
	const uri = server.documents.get(path)?.uri ?? toUri(path);
	const memory = remembered.get(server) ?? new Map<string, Remembered>();
	remembered.set(server, memory);
	const key = `${identifier ?? ""} ${uri}`;
	const previous = memory.get(key);
	const params: DocumentDiagnosticParams = {
		textDocument: { uri },
		...(identifier === undefined ? {} : { identifier }),
		...(previous ? { previousResultId: previous.resultId } : {}),
	};
	const report = await server.request<DocumentDiagnosticReport | null>("textDocument/diagnostic", params, signal);
	// "unchanged" without a result to refer to is a server's mistake; asking again without one is not.
	if (report?.kind === "unchanged") {
		if (previous) return previous.items;
		const { previousResultId: _, ...plain } = params;
		const full = await server.request<DocumentDiagnosticReport | null>("textDocument/diagnostic", plain, signal);
		return full?.kind === "full" ? full.items : [];
	}
	const items = report?.items ?? [];
	memory.delete(key);
	if (report?.resultId !== undefined) memory.set(key, { resultId: report.resultId, items });
	if (memory.size > maxRemembered) memory.delete(memory.keys().next().value as string);
	return items;
}

function identifiers(server: LanguageServer): (string | undefined)[] {
	const found = new Set<string | undefined>();
	const { diagnosticProvider } = server.capabilities;
	if (diagnosticProvider) found.add(diagnosticProvider.identifier);
	for (const { method, registerOptions } of server.registrations.values())
		if (method === "textDocument/diagnostic")
			found.add((registerOptions as { identifier?: string } | undefined)?.identifier);
	return [...found];
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
	return server.offers("textDocument/diagnostic", "diagnosticProvider");
}
