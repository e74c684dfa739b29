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
export async function functionsAt(asked: FileQuery, at: Pointer): Promise<readonly CallHierarchyItem[]> {
	return (await asked.request<CallHierarchyItem[] | null>(prepareCalls, at).catch(notCallable)) ?? [];
}

export async function callsTo(asked: FileQuery, item: object): Promise<readonly CallHierarchyIncomingCall[]> {
	return (await asked.server.request<CallHierarchyIncomingCall[] | null>(incomingCalls, { item }, asked.signal)) ?? [];
}

export async function callsFrom(asked: FileQuery, item: object): Promise<readonly CallHierarchyOutgoingCall[]> {
	return (await asked.server.request<CallHierarchyOutgoingCall[] | null>(outgoingCalls, { item }, asked.signal)) ?? [];
}

/** gopls answers for other symbols with an error. */
function notCallable(thrown: unknown): null {
	if (thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR") return null;
	throw thrown;
}
