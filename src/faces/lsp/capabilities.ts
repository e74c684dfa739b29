import type { ServerCapabilities } from "vscode-languageserver-protocol";
import { TextDocumentSyncKind } from "../../contract/protocol-kinds.ts";
import { applyCommand } from "./questions.ts";

export const serverCapabilities: ServerCapabilities = {
	positionEncoding: "utf-16",
	textDocumentSync: {
		openClose: true,
		change: TextDocumentSyncKind.Incremental,
		save: { includeText: false },
	},
	diagnosticProvider: { identifier: "pi-lsp", interFileDependencies: true, workspaceDiagnostics: false },
	declarationProvider: true,
	definitionProvider: true,
	typeDefinitionProvider: true,
	implementationProvider: true,
	referencesProvider: true,
	hoverProvider: true,
	signatureHelpProvider: { triggerCharacters: ["(", ","] },
	documentHighlightProvider: true,
	documentSymbolProvider: true,
	workspaceSymbolProvider: true,
	foldingRangeProvider: true,
	callHierarchyProvider: true,
	typeHierarchyProvider: true,
	renameProvider: { prepareProvider: true },
	codeActionProvider: { resolveProvider: true },
	documentFormattingProvider: true,
	documentRangeFormattingProvider: true,
	executeCommandProvider: { commands: [applyCommand] },
	workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};
