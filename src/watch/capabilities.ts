import type { ClientCapabilities } from "vscode-languageserver-protocol";

/** What is honoured here: patterns that servers register, relative ones too. */
export const watchCapabilities: ClientCapabilities = {
	workspace: { didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true } },
};
