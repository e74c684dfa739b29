import { basename } from "node:path";
import type { ClientCapabilities, InitializeParams } from "vscode-languageserver-protocol";
import { toUri } from "../util/positions.ts";

/** The `initialize` request for a server at `root`; one that is `apart` knows no process by the id that it has here. */
export function initializeParams(
	root: string,
	initializationOptions: unknown,
	capabilities: ClientCapabilities,
	apart = false,
): InitializeParams {
	const uri = toUri(root);
	return {
		// A server that loses its parent leaves by itself (pyright and typescript-language-server within 4 s).
		processId: apart ? null : process.pid,
		clientInfo: { name: "pi-lsp" },
		locale: "en",
		rootPath: root,
		rootUri: uri,
		workspaceFolders: [{ uri, name: basename(root) || root }],
		capabilities,
		initializationOptions: initializationOptions ?? undefined,
	};
}

/** A server's version in a few words; undefined where it says none. gopls gives its whole build information for one. */
export function versionOf(said: unknown): string | undefined {
	if (typeof said !== "string") return undefined;
	return said.startsWith("{") ? /"Main":\{[^}]*"Version":"v?([^"]+)"/.exec(said)?.[1] : said;
}
