import type { State } from "../contract/check-report.ts";
import type { ErrorCode } from "../contract/errors.ts";

/** The state that a failure means for a file, or undefined if it is the caller's mistake and told as such. */
export function stateOf(code: ErrorCode): State | undefined {
	switch (code) {
		case "LSP_FILE_TOO_LARGE":
			return "too_large";
		case "LSP_BINARY_FILE":
			return "binary";
		case "LSP_UNSUPPORTED_FILE":
		case "LSP_UNSUPPORTED_REQUEST":
		case "LSP_SERVER_DISABLED":
			return "unsupported";
		case "LSP_SERVER_UNTRUSTED":
			return "untrusted";
		case "LSP_SERVER_TIMEOUT":
		case "LSP_CANCELLED":
		case "LSP_FILE_NOT_INDEXED":
			return "timed_out";
		case "LSP_SERVER_UNAVAILABLE":
		case "LSP_SERVER_START_FAILED":
		case "LSP_SERVER_CRASHED":
		case "LSP_SERVER_ERROR":
		case "LSP_PREREQUISITE_MISSING":
		case "LSP_NO_PROJECT_ROOT":
			return "unavailable";
		default:
			return undefined;
	}
}
