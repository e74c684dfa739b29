import type { DiagnosticServerCancellationData } from "vscode-languageserver-protocol";
import { ResponseError } from "../jsonrpc/connection.ts";

/** LSP's own error codes. */
const contentModified = -32801;
const serverCancelled = -32802;

/** True for an error after which the same question may be asked again. */
export function isRetriable(error: unknown): boolean {
	return error instanceof ResponseError && (error.code === contentModified || isCancelled(error, true));
}

/** True if the server gave a request up by itself and does (not) want to be asked again before it says so. */
export function isCancelled(error: unknown, retrigger: boolean): boolean {
	if (!(error instanceof ResponseError) || error.code !== serverCancelled) return false;
	const { retriggerRequest = true } = (error.data as Partial<DiagnosticServerCancellationData> | undefined) ?? {};
	return retriggerRequest === retrigger;
}
