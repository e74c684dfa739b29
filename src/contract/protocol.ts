import type { CallerConfig } from "../config/caller-config.ts";
import type { CheckReport, Diagnostic, Severity, State } from "./check-report.ts";
import type { ErrorValue } from "./errors.ts";

/**
 * The daemon's socket carries JSON-RPC 2.0, one message per line. Each operation is a method with `CallParams`; the other
 * methods are below. An error has an `ErrorValue` in `data`.
 *
 *     {"jsonrpc":"2.0","id":1,"method":"hover","params":{"cwd":"/p","input":{"file":"src/a.ts","symbol":"greet"}}}
 */
export const protocolVersion = 1;

export interface CallerParams {
	/** The working directory, absolute. Paths are relative to it; the workspace is found from it. */
	readonly cwd: string;
	/** True if the person trusts the repository (PI_LSP_TRUST=1; false if that is not meant), or the directory that the host trusts. */
	readonly trust?: boolean | string;
	/** PI_LSP_SANDBOX, which overrides the configuration. */
	readonly sandbox?: string;
	/** Of the environment that servers are started with; `process/environment.ts` makes it. */
	readonly environment?: EnvironmentSummary;
	/** Counts only for the calls of this caller. */
	readonly config?: CallerConfig;
	/** Answers of a person to a face; a model cannot set them. */
	readonly permits?: Permits;
	/** Without it each call is compared with the revision HEAD alone. */
	readonly conversation?: Conversation;
}

/** An agent that makes several calls. Errors that it has caused stay new for it. */
export interface Conversation {
	/** The id of the daemon's session. */
	readonly id: string;
	/** Milliseconds since the epoch. What changed later may be the agent's work. */
	readonly begunAt: number;
}

export interface EnvironmentSummary {
	/** A hash: callers with the same share servers. */
	readonly key: string;
	/** PATH, by which it is decided which servers are installed. */
	readonly path: string;
}

export interface Permits {
	/** The address of a server that is already running. */
	readonly connect?: string;
}

/** The parameters that a caller's environment sets. */
export function paramsFromEnvironment({
	PI_LSP_TRUST: trust,
	PI_LSP_SANDBOX: sandbox,
}: NodeJS.ProcessEnv): Partial<CallerParams> {
	return { ...(trust === "1" ? { trust: true } : {}), ...(sandbox ? { sandbox } : {}) };
}

export interface CallParams extends CallerParams {
	readonly input: unknown;
}

export interface HelloParams {
	readonly protocol: number;
	readonly nonce: string;
}

export interface HelloResult {
	readonly protocol: number;
	readonly build: string;
	readonly pid: number;
	/** HMAC of the nonce under the cookie, which only processes that can read the private directory know. */
	readonly proof: string;
}

/** Notification `baseline`: the text of a file before the tool call `call` changes it; null if it did not exist. */
export interface BaselineParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly text: string | null;
	/** The text that the call will write, if known. */
	readonly next?: string;
	/** True: that text is proven before it is written, for the check of the edit. */
	readonly ahead?: boolean;
}

/** `preflight` is `baseline` as a request, and judges the text that the call will write. */
export interface PreflightResult {
	/** The first error of syntax that the call would bring into a file that has none. */
	readonly broken?: Diagnostic;
}

/** `known_name`: how often a name of the workspace is used. */
export interface KnownNameParams extends CallerParams {
	readonly name: string;
}

/** Nothing if no server that runs knows exactly one declaration of the name. */
export interface KnownNameResult {
	readonly use?: NameUse;
}

export interface NameUse {
	/** As the server names it, with its container. */
	readonly symbol: string;
	/** The file that declares it, as the caller writes it. */
	readonly file: string;
	readonly uses: number;
	/** How many files use it. */
	readonly files: number;
}

/** `check_edit` checks `file` after the tool call `call`. */
export interface CheckEditParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly scope: "file" | "affected";
	/** Milliseconds; the default is the settings' budget for a warm or a cold server. */
	readonly budget?: number;
}

export interface CheckEditResult {
	readonly report: CheckReport;
	/** True if checks that this session caused still run; `late` returns their results. */
	readonly more: boolean;
}

interface Confirmation {
	/** Ids of late reports that the agent has read. The next answer repeats the others, updated. */
	readonly told?: readonly string[];
}

/** Notification `command`: the tool call `call` is about to run a shell command. */
export interface CommandParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	/** Milliseconds since the epoch; a busy daemon may read the notification after the change. */
	readonly at?: number;
}

/** `changed_by`: the watched files of servers that changed since the notification `command`. */
export interface ChangedByResult {
	/** At most 20, relative to the caller's working directory. */
	readonly files: readonly string[];
	readonly more: number;
}

/** `check_command` checks the files that a shell command changed: a few at once, many in the background (see `late`). */
export interface CheckCommandParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	/** Changed files that the command line names, with their texts before; null if a file did not exist. */
	readonly known: readonly { readonly file: string; readonly text: string | null }[];
}

export interface CheckCommandResult {
	readonly report: CheckReport;
	/** How many files of servers changed, including deleted ones. */
	readonly changed: number;
	readonly more: boolean;
}

/** `await_change` waits up to `wait` ms for a change on disk since a time, in milliseconds since 1970. */
export interface AwaitChangeParams extends CallerParams {
	readonly since: number;
	readonly wait: number;
}

export interface AwaitChangeResult {
	/** True also if nobody watches any more. */
	readonly changed: boolean;
	/** The first of them, absolute; undefined if nobody watches. */
	readonly files?: readonly string[];
}

/** `late` waits up to `wait` ms for background checks and returns their results. */
export interface LateParams extends Confirmation {
	readonly session: string;
	readonly wait: number;
}

export interface LateResult {
	readonly results: readonly LateReport[];
	readonly more: boolean;
}

export interface LateReport {
	readonly id: string;
	readonly call: string;
	/** Relative to the caller's working directory; undefined for a command. */
	readonly file?: string;
	/** How many files a command changed. */
	readonly changed?: number;
	readonly report: CheckReport;
}

/**
 * `request` sends any LSP request about a file and returns the server's answer, with positions in UTF-16 units. A request
 * about the workspace has no file, and is sent to all its servers.
 */
export interface RawRequestParams extends CallerParams {
	readonly file?: string;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	/** By path: texts of an editor that are not saved. Nobody else sees them. */
	readonly texts?: UnsavedTexts;
}

export type UnsavedTexts = Readonly<Record<string, string>>;

/** `prove_texts` proves files as an editor has them, without a comparison. */
export interface ProveTextsParams extends CallerParams {
	readonly files: readonly string[];
	readonly texts?: UnsavedTexts;
	/** The least that is told. */
	readonly severity: Severity;
	/** True for files that the editor has not opened. */
	readonly unopened?: boolean;
}

export interface ProveTextsResult {
	/** In the order of the request. */
	readonly files: readonly ProvenFile[];
}

export interface ProvenFile {
	/** The worst that a server has. Only a file that is `fresh` and has no diagnostics is clean. */
	readonly state: State;
	readonly reason?: string;
	/** Only if no server has proven the file: the findings of others are told without the one that has failed. */
	readonly error?: ErrorValue;
	readonly diagnostics: readonly Diagnostic[];
}

/** `affected_by` finds the files that may see changes of texts, nearest first. */
export interface AffectedByParams extends CallerParams {
	readonly changes: readonly {
		readonly file: string;
		/** Null if it is not known: all that use the file are found. */
		readonly before: string | null;
		/** Null if the file is gone. */
		readonly after: string | null;
	}[];
}

export interface AffectedByResult {
	/** Absolute. */
	readonly files: readonly string[];
}

/** `commit` writes what an operation has planned (contract/planned.ts). */
export interface CommitParams extends CallerParams {
	readonly plan: string;
}

/** `trust` says whether the workspace is trusted and what would be run, and stores a person's answer. */
export interface TrustParams extends CallerParams {
	readonly answer?: "yes" | "never" | "forget";
	/** The hash of what the person was shown; another one is refused. */
	readonly hash?: string;
}

/** `destroy_server` stops the servers with this id and root, or all. */
export interface DestroyServerParams {
	readonly id?: string;
	readonly root?: string;
}

/** A request of the daemon to the client: the environment for a server that is about to start. */
export const environmentMethod = "environment";
/** A request of the daemon to the client: the names of the variables that `environment` leaves out. */
export const heldBackMethod = "held_back_variables";
