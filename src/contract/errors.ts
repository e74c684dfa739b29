import { withEach } from "./with-each.ts";

/**
 * Faces write the commands in hints, `{{COMMAND}}`, in their form: an operation, one with a true field (`{{undo
 * list}}`), a person's command (`{{trust add}}`), an option (`{{--no-daemon}}`), `{{help}}` or `{{usage}}`. Codes and
 * `details` are those of swissarmyhammer's `lsp`.
 */
const catalogue = {
	LSP_INVALID_INPUT: "See {{usage}} for what it takes.",
	LSP_UNKNOWN_OPERATION: "Check its name. {{help}} lists every operation.",
	LSP_FILE_NOT_FOUND: "Check the path: it is taken relative to the working directory.",
	LSP_NOT_A_FILE: "Give the path of a regular file.",
	LSP_FILE_TOO_LARGE: "Ask about a smaller file, or raise `maxFileBytes` in the configuration.",
	LSP_BINARY_FILE: "Language servers read text only.",
	LSP_OUTSIDE_WORKSPACE: "Name a file below the working directory, or work from inside that project.",
	LSP_IGNORED_FILE: "Files of installed packages and build output start no server; ask about your own sources.",
	LSP_UNSUPPORTED_FILE: "Add a server for this kind of file to .pi-lsp.json or to the user configuration.",
	LSP_NO_PROJECT_ROOT: "Create one of the project files named above in the project's directory.",
	LSP_SYMBOL_NOT_FOUND: "Check the spelling of the name. {{symbols}} lists the names in the file.",
	LSP_SYMBOL_AMBIGUOUS: "Give a line as well, to say which one is meant.",
	LSP_PREREQUISITE_MISSING: "Install what is missing, then use {{restart}}.",
	LSP_SERVER_UNAVAILABLE: "Install the server, then use {{restart}}.",
	LSP_INSTALL_FAILED: "Correct what the package manager complains of, then install again; nothing was changed.",
	LSP_SERVER_UNTRUSTED: "Nothing that a repository brings is run without trust.",
	LSP_NEEDS_PERSON: "Ask the person; nothing was changed.",
	LSP_SERVER_DISABLED: "It was switched off in the configuration.",
	LSP_SERVER_START_FAILED: "See {{daemon logs}} for the whole story, then use {{restart}}.",
	LSP_SERVER_CRASHED: "Ask again: the server is started afresh.",
	LSP_SERVER_TIMEOUT: "The server is still busy; ask again. {{--timeout}} makes a check wait longer.",
	LSP_SERVER_ERROR: "The language server refused the request; {{daemon logs}} may say more.",
	LSP_EXTENSION_FAILED: "Correct the package, or take it out of `extensions` in the user's configuration.",
	LSP_UNSUPPORTED_REQUEST: "This language server does not answer that question.",
	LSP_FILE_NOT_INDEXED: "Wait for indexing to complete, then ask again.",
	LSP_ANSWER_TOO_LARGE: "Ask for less: one file, a smaller limit, fewer lines.",
	LSP_EDIT_REFUSED: "Nothing was written. Make the change by hand, or ask for less.",
	LSP_FILE_CHANGED: "Nothing was written. Ask again: the change is then planned on what the files hold now.",
	LSP_SESSION_NOT_FOUND: "Begin another one with {{simulate_begin}}.",
	LSP_SESSION_STATE: "Make an edit with {{simulate_edit}} first, or begin another session with {{simulate_begin}}.",
	LSP_PHASE_VIOLATION: "Make the call that the answer names, or free the session with {{deactivate_skill}}.",
	LSP_UNDO_BLOCKED: "Nothing was written. Take these places back by hand.",
	LSP_WRITE_FAILED: "Every file is as it was before. Remove the cause, then ask again.",
	LSP_CANCELLED: "The caller cancelled.",
	LSP_DISABLED: 'Unset PI_LSP, or take "lsp": false out of the configuration.',
	LSP_CONFIG_INVALID: "Correct the configuration file at the place named above.",
	LSP_DAEMON_START_FAILED: "See {{daemon start}} for the reason. {{--no-daemon}} works without one.",
	LSP_DAEMON_UNRESPONSIVE: "Use {{daemon stop}}, then ask again.",
	LSP_DAEMON_BLOCKED:
		"The next call starts a new one; {{daemon logs}} says where it stood. Leave out the file that it was asked about.",
	LSP_DAEMON_REFUSED: "Check the owner and the mode (0700) of the directory named above.",
	LSP_CONNECTION_LOST: "Ask again: the daemon is started afresh.",
	LSP_INTERNAL: "This is a bug in pi-lsp; {{daemon logs}} has the details.",
} as const;

export type ErrorCode = keyof typeof catalogue;

export const errorCodes = Object.keys(catalogue) as readonly ErrorCode[];

export interface ErrorDetails {
	readonly suggestion?: string;
	readonly [key: string]: unknown;
}

/** On the wire and in `--json`. */
export interface ErrorValue {
	readonly code: ErrorCode;
	readonly message: string;
	readonly details: ErrorDetails;
}

export class LspError extends Error {
	override readonly name = "LspError";
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
		this.details = { ...details, suggestion: details.suggestion ?? catalogue[code] };
		// Until the stack is read, V8 keeps its methods' objects: a whole server.
		for (const error of [this, options?.cause]) if (error instanceof Error) void error.stack;
	}

	toJSON(): ErrorValue {
		return { code: this.code, message: this.message, details: this.details };
	}
}

export function reasonOf({ message, details }: LspError): string {
	const { install_hint: hint } = details;
	return typeof hint === "string" ? `${message.replace(/\.$/, "")}. Install it: ${hint}` : message;
}

function isErrorCode(value: unknown): value is ErrorCode {
	return typeof value === "string" && Object.hasOwn(catalogue, value);
}

/** Others become LSP_INTERNAL. */
export function asLspError(thrown: unknown): LspError {
	if (thrown instanceof LspError) return thrown;
	// The bundle of `--no-daemon` has its own class.
	if (thrown instanceof Error && thrown.name === "LspError" && "code" in thrown && isErrorCode(thrown.code))
		return reviveError(thrown, thrown.message);
	const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
	return new LspError("LSP_INTERNAL", cause.message, {}, { cause });
}

export function reviveError(value: unknown, fallback: string): LspError {
	const data = value as Partial<ErrorValue> | undefined;
	if (data && isErrorCode(data.code)) return new LspError(data.code, data.message ?? fallback, data.details ?? {});
	return new LspError("LSP_INTERNAL", fallback);
}

export type WriteCommand = (command: string) => string | undefined;

/** Drops sentences about commands that the face lacks; the code's own hint replaces an empty one. */
export function withHintFor({ code, message, details, cause }: LspError, write: WriteCommand): LspError {
	const own = writeHint(details.suggestion ?? "", write);
	return new LspError(code, message, { ...details, suggestion: own || writeHint(catalogue[code], write) }, { cause });
}

export function dataWithHintsFor<Value>(value: Value, write: WriteCommand): Value {
	if (typeof value !== "object" || value === null) return value;
	const { code, message, details } = value as Partial<ErrorValue>;
	if (isErrorCode(code) && typeof message === "string" && typeof details === "object")
		return withHintFor(new LspError(code, message, details), write).toJSON() as Value;
	return withEach(value, (each) => dataWithHintsFor(each, write));
}

function writeHint(hint: string, write: WriteCommand): string {
	const sentences = hint.split(/(?<=\.) /).flatMap((sentence) => {
		let isOffered = true;
		const written = sentence.replace(/\{\{([^{}]+)\}\}/g, (_, command: string) => {
			const words = write(command);
			isOffered &&= words !== undefined;
			return words ?? "";
		});
		return isOffered ? [written] : [];
	});
	return sentences.join(" ");
}

export function describeError({ code, message, details }: LspError): string {
	return [`${code}: ${message}`, ...(details.suggestion ? [details.suggestion] : [])].join("\n");
}

export function cancelled(): LspError {
	return new LspError("LSP_CANCELLED", "The request was cancelled.");
}

export function disabled(file?: string): LspError {
	const by = file === undefined ? "(PI_LSP=0 or the configuration)" : `by ${file} ("lsp": false)`;
	return new LspError("LSP_DISABLED", `pi-lsp is switched off ${by}.`);
}
