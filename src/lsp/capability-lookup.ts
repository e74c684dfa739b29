import type { ServerCapabilities } from "vscode-languageserver-protocol";
import { TextDocumentSyncKind } from "../contract/protocol-kinds.ts";
import type { Registration } from "./server-requests.ts";

type Capability = keyof ServerCapabilities;

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
	"textDocument/formatting": "documentFormattingProvider",
	"textDocument/rangeFormatting": "documentRangeFormattingProvider",
	"workspace/symbol": "workspaceSymbolProvider",
	"workspaceSymbol/resolve": "workspaceSymbolProvider",
	"textDocument/semanticTokens/full": "semanticTokensProvider",
	"textDocument/semanticTokens/range": "semanticTokensProvider",
};

const capabilityFields: Readonly<Record<string, string>> = {
	"textDocument/prepareRename": "prepareProvider",
	"textDocument/semanticTokens/full": "full",
	"textDocument/semanticTokens/range": "range",
	"workspaceSymbol/resolve": "resolveProvider",
};

const registeredAs: Readonly<Record<string, string>> = {
	"textDocument/semanticTokens/full": "textDocument/semanticTokens",
	"textDocument/semanticTokens/range": "textDocument/semanticTokens",
	"textDocument/prepareRename": "textDocument/rename",
	"callHierarchy/incomingCalls": "textDocument/prepareCallHierarchy",
	"callHierarchy/outgoingCalls": "textDocument/prepareCallHierarchy",
	"typeHierarchy/supertypes": "textDocument/prepareTypeHierarchy",
	"typeHierarchy/subtypes": "textDocument/prepareTypeHierarchy",
};

export function offersInitially(offered: ServerCapabilities, method: string): boolean {
	const name = capabilities[method] ?? (`${method.slice(method.indexOf("/") + 1)}Provider` as Capability);
	return isOffered(offered[name], method);
}

export function offersByRegistration({ method, registerOptions }: Registration, asked: string): boolean {
	return method === (registeredAs[asked] ?? asked) && isOffered(registerOptions ?? true, asked);
}

function isOffered(provider: unknown, method: string): boolean {
	const field = capabilityFields[method];
	if (field === undefined) return Boolean(provider);
	return Boolean((provider as Readonly<Record<string, unknown>> | undefined | null)?.[field]);
}

export function changeKindOf({ textDocumentSync }: ServerCapabilities): number {
	const kind = typeof textDocumentSync === "object" ? textDocumentSync.change : textDocumentSync;
	return kind === TextDocumentSyncKind.Incremental ? kind : TextDocumentSyncKind.Full;
}

/** Undefined: `didSave` is not sent. A mere TextDocumentSyncKind has it sent. */
export function saveWithText({ textDocumentSync }: ServerCapabilities): boolean | undefined {
	const save = typeof textDocumentSync === "object" ? textDocumentSync.save : textDocumentSync !== undefined;
	if (!save) return undefined;
	return typeof save === "object" && save.includeText === true;
}
