import { type ErrorCode, type LspError, reasonOf, withHintFor } from "../../contract/errors.ts";
import { LSPErrorCodes } from "../../contract/protocol-kinds.ts";
import { ErrorCodes, ResponseError } from "../../jsonrpc/connection.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { writeCommand } from "../cli/help.ts";

const unanswered: ReadonlySet<ErrorCode> = new Set([
	"LSP_UNSUPPORTED_FILE",
	"LSP_UNSUPPORTED_REQUEST",
	"LSP_SERVER_DISABLED",
	"LSP_DISABLED",
	"LSP_OUTSIDE_WORKSPACE",
	"LSP_IGNORED_FILE",
	"LSP_FILE_NOT_FOUND",
	"LSP_NOT_A_FILE",
	"LSP_FILE_TOO_LARGE",
	"LSP_BINARY_FILE",
	"LSP_NO_PROJECT_ROOT",
]);

const mendable: ReadonlySet<ErrorCode> = new Set([
	"LSP_SERVER_UNAVAILABLE",
	"LSP_PREREQUISITE_MISSING",
	"LSP_SERVER_UNTRUSTED",
	"LSP_SERVER_START_FAILED",
]);

export function isUnanswered(code: ErrorCode): boolean {
	return unanswered.has(code);
}

export function adviceOf(error: LspError): string | undefined {
	if (!mendable.has(error.code)) return undefined;
	const { suggestion = "" } = withHintFor(error, writeCommand).details;
	return `${reasonOf(error)} ${suggestion}`.trim();
}

export function responseError(error: LspError): ResponseError<unknown> {
	return new ResponseError(codeOf(error.code), harmlessData(oneLine(reasonOf(error))));
}

function codeOf(code: ErrorCode): number {
	if (code === "LSP_CANCELLED") return LSPErrorCodes.RequestCancelled;
	return code === "LSP_INVALID_INPUT" ? ErrorCodes.InvalidParams : LSPErrorCodes.RequestFailed;
}

export function invalidParams(what: string): ResponseError<unknown> {
	return new ResponseError(ErrorCodes.InvalidParams, what);
}
