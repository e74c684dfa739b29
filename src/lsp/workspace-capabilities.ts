import type { ClientCapabilities } from "vscode-languageserver-protocol";

/** What is honoured here: positions out of the names that a file declares, and places out of links. */
export const workspaceCapabilities: ClientCapabilities = {
	textDocument: {
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
		declaration: { linkSupport: true },
		definition: { linkSupport: true },
		typeDefinition: { linkSupport: true },
		implementation: { linkSupport: true },
	},
};
