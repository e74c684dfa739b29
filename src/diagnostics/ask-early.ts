import type { LanguageServer } from "../lsp/server.ts";
import { type Proof, proveDocument } from "./prove.ts";

/**
 * Shows a server an open file as it is on disk and asks about it, before it is known what else has happened there: to look
 * takes half a millisecond. The check that follows takes the answer if the server was told nothing meanwhile; where it is
 * known that something is to be told, nothing is asked. For a file that was just looked at: a FIFO would block.
 * Resolves when the server has answered, rejects where it does not.
 */
export async function askEarly(server: LanguageServer, path: string, signal: AbortSignal): Promise<void> {
	const { documents, turns } = server;
	if (server.hasNews(path)) return;
	let proof: Promise<Proof> | undefined;
	await turns.read(async () => {
		await documents.reread(path);
		const document = documents.get(path);
		// One that is not open yet is for the check to open.
		if (document) proof = proveDocument(server, document, { signal, ahead: true });
		proof?.catch(() => {});
	});
	await proof;
}
