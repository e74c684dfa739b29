import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CallHierarchyOutgoingCall,
} from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";

/** LSP's three requests about calls, for the operations that are made of them. */
export const prepareCalls = "textDocument/prepareCallHierarchy";
export const incomingCalls = "callHierarchy/incomingCalls";
export const outgoingCalls = "callHierarchy/outgoingCalls";

/** The functions at a place; none where there is none. Of `asked` a pointer that is the same object is sent once. */
export async function functionsAt(asked: FileQuery, at: Pointer): Promise<readonly CallHierarchyItem[]> {
	return (await asked.request<CallHierarchyItem[] | null>(prepareCalls, at).catch(notCallable)) ?? [];
}

export async function callsTo(asked: FileQuery, item: object): Promise<readonly CallHierarchyIncomingCall[]> {
	return (await asked.server.request<CallHierarchyIncomingCall[] | null>(incomingCalls, { item }, asked.signal)) ?? [];
}

export async function callsFrom(asked: FileQuery, item: object): Promise<readonly CallHierarchyOutgoingCall[]> {
	return (await asked.server.request<CallHierarchyOutgoingCall[] | null>(outgoingCalls, { item }, asked.signal)) ?? [];
}

/** gopls refuses to prepare anything but a function. */
function notCallable(thrown: unknown): null {
	if (thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR") return null;
	throw thrown;
}
