import type { ClientCapabilities } from "vscode-languageserver-protocol";

/** What is honoured here: pushes with their versions, pulls from those that register for them, fixes by their names. */
export const diagnosticsCapabilities: ClientCapabilities = {
	workspace: { diagnostics: { refreshSupport: true } },
	textDocument: {
		publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true },
		diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
	},
};
