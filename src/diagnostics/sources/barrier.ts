import type { LanguageServer } from "../../lsp/server.ts";

/** Servers answer in order: what was sent before has been read. */
export async function barrier(server: LanguageServer, uri: string, signal?: AbortSignal): Promise<void> {
	if (!server.offers("textDocument/documentSymbol")) return;
	await server.request("textDocument/documentSymbol", { textDocument: { uri } }, signal).catch(() => {
		signal?.throwIfAborted();
	});
}
