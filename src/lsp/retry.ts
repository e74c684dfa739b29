import type { DiagnosticServerCancellationData } from "vscode-languageserver-protocol";
import { LSPErrorCodes } from "../contract/protocol-kinds.ts";
import { ResponseError } from "../jsonrpc/connection.ts";

export function isRetriable(error: unknown): boolean {
	return error instanceof ResponseError && (error.code === LSPErrorCodes.ContentModified || isCancelled(error, true));
}

/** `retriggerRequest` is true by default. */
export function isCancelled(error: unknown, retrigger: boolean): boolean {
	if (!(error instanceof ResponseError) || error.code !== LSPErrorCodes.ServerCancelled) return false;
	const { retriggerRequest = true } = (error.data as Partial<DiagnosticServerCancellationData> | undefined) ?? {};
	return retriggerRequest === retrigger;
}
