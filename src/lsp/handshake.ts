import { basename } from "node:path";
import type { ClientCapabilities, InitializeParams } from "vscode-languageserver-protocol";
import { toUri } from "./positions.ts";

/** The `initialize` request for a server at `root`; a `passive` one is not ours, and may be on another machine. */
export function initializeParams(
	root: string,
	initializationOptions: unknown,
	capabilities: ClientCapabilities,
	passive = false,
): InitializeParams {
	const uri = toUri(root);
	return {
		// A server that loses its parent leaves by itself (pyright and typescript-language-server within 4 s).
		processId: passive ? null : process.pid,
		clientInfo: { name: "pi-lsp" },
		locale: "en",
		rootPath: root,
		rootUri: uri,
		workspaceFolders: [{ uri, name: basename(root) || root }],
		capabilities,
		initializationOptions: initializationOptions ?? undefined,
	};
}
