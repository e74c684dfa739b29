import type { ServerCapabilities } from "vscode-languageserver-protocol";

type Capability = keyof ServerCapabilities;

/** Requests whose capability is not named after them. */
const capabilities: Readonly<Record<string, Capability>> = {
	"textDocument/prepareCallHierarchy": "callHierarchyProvider",
	"callHierarchy/incomingCalls": "callHierarchyProvider",
	"callHierarchy/outgoingCalls": "callHierarchyProvider",
	"textDocument/prepareTypeHierarchy": "typeHierarchyProvider",
	"typeHierarchy/supertypes": "typeHierarchyProvider",
	"typeHierarchy/subtypes": "typeHierarchyProvider",
	"textDocument/prepareRename": "renameProvider",
	"textDocument/diagnostic": "diagnosticProvider",
	"workspace/diagnostic": "diagnosticProvider",
	"workspace/symbol": "workspaceSymbolProvider",
	"workspaceSymbol/resolve": "workspaceSymbolProvider",
	"textDocument/semanticTokens/full": "semanticTokensProvider",
	"textDocument/semanticTokens/range": "semanticTokensProvider",
};

/** Requests that are registered under another method. */
const registeredAs: Readonly<Record<string, string>> = {
	"textDocument/semanticTokens/full": "textDocument/semanticTokens",
	"textDocument/semanticTokens/range": "textDocument/semanticTokens",
	"textDocument/prepareRename": "textDocument/rename",
	"callHierarchy/incomingCalls": "textDocument/prepareCallHierarchy",
	"callHierarchy/outgoingCalls": "textDocument/prepareCallHierarchy",
	"typeHierarchy/supertypes": "textDocument/prepareTypeHierarchy",
	"typeHierarchy/subtypes": "textDocument/prepareTypeHierarchy",
};

/** The capability by which a server says at the handshake that it answers a request. */
export function capabilityOf(method: string): Capability {
	return capabilities[method] ?? (`${method.slice(method.indexOf("/") + 1)}Provider` as Capability);
}

/** The method under which a server registers later that it answers a request. */
export function registrationOf(method: string): string {
	return registeredAs[method] ?? method;
}
