import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CallHierarchyOutgoingCall,
} from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";

export const prepareCalls = "textDocument/prepareCallHierarchy";
export const incomingCalls = "callHierarchy/incomingCalls";
export const outgoingCalls = "callHierarchy/outgoingCalls";

/** Sent once for each pointer object. */
export async function functionsAt(query: FileQuery, at: Pointer): Promise<readonly CallHierarchyItem[]> {
	return (await query.request<CallHierarchyItem[] | null>(prepareCalls, at).catch(notCallable)) ?? [];
}

export async function callsTo(query: FileQuery, item: object): Promise<readonly CallHierarchyIncomingCall[]> {
	return (await query.server.request<CallHierarchyIncomingCall[] | null>(incomingCalls, { item }, query.signal)) ?? [];
}

export async function callsFrom(query: FileQuery, item: object): Promise<readonly CallHierarchyOutgoingCall[]> {
	return (await query.server.request<CallHierarchyOutgoingCall[] | null>(outgoingCalls, { item }, query.signal)) ?? [];
}

/** gopls answers other symbols with an error. */
function notCallable(thrown: unknown): null {
	if (thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR") return null;
	throw thrown;
}
