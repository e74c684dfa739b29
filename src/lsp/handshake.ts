import { basename } from "node:path";
import type { ClientCapabilities, InitializeParams } from "vscode-languageserver-protocol";
import { toUri } from "../util/positions.ts";

/** `apart`: the server cannot see this process. */
export function initializeParams(
	root: string,
	initializationOptions: unknown,
	capabilities: ClientCapabilities,
	apart = false,
): InitializeParams {
	const uri = toUri(root);
	return {
		// pyright and typescript-language-server exit with this process.
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

/** gopls sends build information. */
export function versionOf(version: unknown): string | undefined {
	if (typeof version !== "string") return undefined;
	if (version.startsWith("{")) return /"Main":\{[^}]*"Version":"v?([^"]+)"/.exec(version)?.[1];
	// clangd sends `Debian clangd version 22.1.1 linux x86_64-unknown-linux-gnu`.
	return /^\D{1,40}\bversion (\d\S{0,40})/.exec(version)?.[1] ?? version;
}
