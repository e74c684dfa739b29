import type { ServerCapabilities } from "vscode-languageserver-protocol";
import type { Registration } from "./server-requests.ts";

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

/** Requests that only a part of their capability speaks of. */
const parts: Readonly<Record<string, string>> = {
	"textDocument/prepareRename": "prepareProvider",
	"textDocument/semanticTokens/full": "full",
	"textDocument/semanticTokens/range": "range",
	"workspaceSymbol/resolve": "resolveProvider",
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

/** True if a server said at the handshake that it answers a request. */
export function offersAtHandshake(offered: ServerCapabilities, method: string): boolean {
	const name = capabilities[method] ?? (`${method.slice(method.indexOf("/") + 1)}Provider` as Capability);
	return speaksOf(offered[name], method);
}

/** True if a server registered later that it answers a request. */
export function offersByRegistration({ method, registerOptions }: Registration, asked: string): boolean {
	return method === (registeredAs[asked] ?? asked) && speaksOf(registerOptions ?? true, asked);
}

function speaksOf(provider: unknown, method: string): boolean {
	const part = parts[method];
	if (part === undefined) return Boolean(provider);
	return Boolean((provider as Readonly<Record<string, unknown>> | undefined | null)?.[part]);
}
