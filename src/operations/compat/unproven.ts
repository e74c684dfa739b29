import type { FileReport, State } from "../../contract/check-report.ts";
import { type ErrorCode, LspError, reviveError } from "../../contract/errors.ts";

const codes: Readonly<Record<Exclude<State, "fresh">, ErrorCode>> = {
	timed_out: "LSP_SERVER_TIMEOUT",
	unavailable: "LSP_SERVER_UNAVAILABLE",
	untrusted: "LSP_SERVER_UNTRUSTED",
	unsupported: "LSP_UNSUPPORTED_REQUEST",
	too_large: "LSP_FILE_TOO_LARGE",
	binary: "LSP_BINARY_FILE",
};

export function throwIfUnproven([file, ...others]: readonly FileReport[]): void {
	if (!file || others.length > 0 || file.state === "fresh" || file.diagnostics.length > 0) return;
	const message = file.reason ?? `${file.path} was not proven.`;
	if (file.error) throw reviveError(file.error, message);
	throw new LspError(codes[file.state], message, { file_path: file.path });
}
