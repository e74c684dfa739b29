import { basename } from "node:path";
import type { ClientCapabilities, InitializeParams } from "vscode-languageserver-protocol";
import { toUri } from "./positions.ts";

/** What this client can do; every line is honoured by a neighbouring module. */
const capabilities: ClientCapabilities = {
	general: {
		positionEncodings: ["utf-16", "utf-8", "utf-32"],
		staleRequestSupport: { cancel: true, retryOnContentModified: ["textDocument/diagnostic"] },
	},
	workspace: {
		configuration: true,
		workspaceFolders: true,
		didChangeConfiguration: { dynamicRegistration: true },
		didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
		symbol: {},
		applyEdit: false,
		diagnostics: { refreshSupport: true },
	},
	window: { workDoneProgress: true },
	textDocument: {
		synchronization: { didSave: true, dynamicRegistration: false },
		publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true },
		diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
		definition: { linkSupport: true },
		references: {},
		hover: { contentFormat: ["markdown", "plaintext"] },
		// Only what fixes are called is read; what they would change may be left out.
		codeAction: {
			codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } },
			isPreferredSupport: true,
			disabledSupport: true,
			dataSupport: true,
			resolveSupport: { properties: ["edit"] },
		},
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
	},
	experimental: { serverStatusNotification: true },
};

/** The `initialize` request for a server at `root`; a `passive` one is not ours, and may be on another machine. */
export function initializeParams(root: string, initializationOptions: unknown, passive = false): InitializeParams {
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
