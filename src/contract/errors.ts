/**
 * The catalogue of everything that can go wrong and that a caller is told about.
 * Codes and the shape of `details` follow swissarmyhammer's tool `lsp`; every entry
 * carries a suggestion that names the next step.
 */

const catalogue = {
	LSP_INVALID_INPUT: "Run the command with --help to see what it takes.",
	LSP_UNKNOWN_OPERATION: "Run `pi-lsp --help` to see every operation.",
	LSP_FILE_NOT_FOUND: "Check the path: it is taken relative to the working directory.",
	LSP_NOT_A_FILE: "Give the path of a regular file.",
	LSP_FILE_TOO_LARGE: "Ask about a smaller file, or raise `maxFileBytes` in the configuration.",
	LSP_BINARY_FILE: "Language servers read text only.",
	LSP_OUTSIDE_WORKSPACE: "Run the command from inside that project, or name a file below the working directory.",
	LSP_IGNORED_FILE: "Files of installed packages and build output start no server; ask about your own sources.",
	LSP_UNSUPPORTED_FILE: "Add a server for this kind of file to .pi-lsp.json or to the user configuration.",
	LSP_NO_PROJECT_ROOT: "Create one of the project files named above in the project's directory.",
	LSP_SYMBOL_NOT_FOUND: "Run `pi-lsp symbols FILE` to see the names in the file.",
	LSP_SYMBOL_AMBIGUOUS: "Give a line as well, to say which one is meant.",
	LSP_PREREQUISITE_MISSING: "Install what is missing and run `pi-lsp restart`.",
	LSP_SERVER_UNAVAILABLE: "Install the server and run `pi-lsp restart`.",
	LSP_INSTALL_FAILED: "Correct what the package manager complains of, and run the command again; nothing was changed.",
	LSP_SERVER_UNTRUSTED: "Nothing that a repository brings is run without trust.",
	LSP_NEEDS_PERSON: "Ask the person; nothing was changed.",
	LSP_SERVER_DISABLED: "It was switched off in the configuration.",
	LSP_SERVER_START_FAILED: "Run `pi-lsp daemon logs` for the whole story, then `pi-lsp restart`.",
	LSP_SERVER_CRASHED: "Run the command again: the server is started afresh.",
	LSP_SERVER_TIMEOUT: "The server is still busy; run the command again, or with a longer --timeout.",
	LSP_SERVER_ERROR: "The language server refused the request; `pi-lsp daemon logs` may say more.",
	LSP_UNSUPPORTED_REQUEST: "This language server does not answer that question.",
	LSP_FILE_NOT_INDEXED: "Wait for indexing to complete, then run the command again.",
	LSP_ANSWER_TOO_LARGE: "Ask for less: one file, a smaller limit, fewer lines.",
	LSP_CANCELLED: "The caller cancelled.",
	LSP_DISABLED: "pi-lsp is switched off (PI_LSP=0 or the configuration).",
	LSP_CONFIG_INVALID: "Correct the configuration file at the place named above.",
	LSP_DAEMON_START_FAILED: "Run `pi-lsp daemon start` to see the reason, or use --no-daemon.",
	LSP_DAEMON_UNRESPONSIVE: "Run `pi-lsp daemon stop`, then the command again.",
	LSP_DAEMON_BLOCKED:
		"The next command starts a new one; `pi-lsp daemon logs` says where it stood. Leave out the file that it was asked about.",
	LSP_DAEMON_REFUSED: "Check the owner and the mode (0700) of the directory named above.",
	LSP_CONNECTION_LOST: "Run the command again: the daemon is started afresh.",
	LSP_INTERNAL: "This is a bug in pi-lsp; `pi-lsp daemon logs` has the details.",
} as const;

export type ErrorCode = keyof typeof catalogue;

/** What else is known about a failure; `suggestion` is always there once the error is made. */
export interface ErrorDetails {
	readonly suggestion?: string;
	readonly [key: string]: unknown;
}

/** A failure as it travels over a socket and as `--json` prints it. */
export interface ErrorValue {
	readonly code: ErrorCode;
	readonly message: string;
	readonly details: ErrorDetails;
}

/** A failure that the caller is told about, with a code of the catalogue and the next step. */
export class LspError extends Error {
	override readonly name = "LspError";
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
		this.details = { ...details, suggestion: details.suggestion ?? catalogue[code] };
	}

	toJSON(): ErrorValue {
		return { code: this.code, message: this.message, details: this.details };
	}
}

function isErrorCode(value: unknown): value is ErrorCode {
	return typeof value === "string" && Object.hasOwn(catalogue, value);
}

/** Any thrown thing as an LspError; one of our own passes unchanged, anything else is a bug of ours. */
export function asLspError(thrown: unknown): LspError {
	if (thrown instanceof LspError) return thrown;
	// One of ours out of another bundle (`--no-daemon` loads one), where the class is another.
	if (thrown instanceof Error && thrown.name === "LspError" && "code" in thrown && isErrorCode(thrown.code))
		return reviveError(thrown, thrown.message);
	const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
	return new LspError("LSP_INTERNAL", cause.message, {}, { cause });
}

/** An error that came over a socket, as it was before. */
export function reviveError(value: unknown, fallback: string): LspError {
	const data = value as Partial<ErrorValue> | undefined;
	if (data && isErrorCode(data.code)) return new LspError(data.code, data.message ?? fallback, data.details ?? {});
	return new LspError("LSP_INTERNAL", fallback);
}

/** The two lines a reader sees: what happened, and what to do next. */
export function describeError(error: LspError): string {
	const lines = [`${error.code}: ${error.message}`];
	if (error.details.suggestion) lines.push(error.details.suggestion);
	return lines.join("\n");
}

export function cancelled(): LspError {
	return new LspError("LSP_CANCELLED", "The request was cancelled.");
}

/** For whoever asks where everything is switched off. */
export function disabled(): LspError {
	return new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0 or the configuration).");
}
