import type { State } from "../contract/check-report.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Doubt } from "../routing/judge.ts";
import type { Route } from "../routing/locate.ts";

export function stateOfError(code: ErrorCode): State | undefined {
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

export function doubtAbout(
	{ config: { id, partial }, doubt }: Route,
	asked?: { readonly server: LanguageServer; readonly path: string; readonly text: string },
): Doubt | undefined {
	if (partial)
		return { state: "untrusted", reason: `${id} runs nothing of the repository's without trust, and finds less.` };
	if (!asked) return doubt;
	const { schemas } = asked.server;
	const refused = schemas.refusedFor(asked.text);
	if (refused !== undefined)
		return {
			state: "untrusted",
			reason: `Its schema is not fetched for a repository that is not trusted: ${refused.slice(0, 200)}.`,
		};
	const unfetched = schemas.unfetchedFor(asked.path, asked.text);
	if (unfetched === undefined) return doubt;
	return {
		state: "unavailable",
		reason: `Its schema is not fetched, since ${id} runs offline: ${unfetched.slice(0, 200)}.`,
	};
}
