import type { ClientCapabilities } from "vscode-languageserver-protocol";

export const diagnosticsCapabilities: ClientCapabilities = {
	workspace: { diagnostics: { refreshSupport: true } },
	textDocument: {
		publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true },
		diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
	},
};
