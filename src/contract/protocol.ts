import type { CallerConfig } from "../config/caller-config.ts";
import type { CheckReport, Diagnostic, Severity, State } from "./check-report.ts";
import type { ErrorValue } from "./errors.ts";

/**
 * JSON-RPC 2.0 on the daemon's socket, one message per line. Each operation is a method with `CallParams`; the other
 * methods are below. An error has an `ErrorValue` in `data`.
 *
 *     {"jsonrpc":"2.0","id":1,"method":"hover","params":{"cwd":"/p","input":{"file":"src/a.ts","symbol":"greet"}}}
 */
export const protocolVersion = 1;

export interface CallerParams {
	/** Absolute. Paths are relative to it, and the workspace is found from it. */
	readonly cwd: string;
	/**
	 * The directory that the host trusts, or true if the person trusts the repository (PI_LSP_TRUST=1; false if that is
	 * not meant).
	 */
	readonly trust?: boolean | string;
	/** PI_LSP_SANDBOX, which overrides the configuration. */
	readonly sandbox?: string;
	readonly environment?: EnvironmentSummary;
	readonly config?: CallerConfig;
	/** A person's answers; a model cannot set them. */
	readonly permits?: Permits;
	/** Without it, calls are compared with HEAD alone. */
	readonly conversation?: Conversation;
}

/** Errors that the agent has caused stay new for its later calls. */
export interface Conversation {
	readonly id: string;
	/** Milliseconds since the epoch; later changes may be the agent's work. */
	readonly begunAt: number;
}

export interface EnvironmentSummary {
	/** Callers with the same key share servers. */
	readonly key: string;
	/** PATH. */
	readonly path: string;
}

export interface Permits {
	readonly connect?: string;
}

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
	/** HMAC of the nonce under the cookie. */
	readonly proof: string;
}

/** Notification `baseline`, before a tool call; `text` is null if the file did not exist. */
export interface BaselineParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly text: string | null;
	readonly next?: string;
	/** Proves `next` before it is written. */
	readonly ahead?: boolean;
}

/** Result of `preflight`, which is `baseline` as a request, and judges `next`. */
export interface PreflightResult {
	/** The first syntax error that the call would bring into a file without any. */
	readonly broken?: Diagnostic;
}

export interface KnownNameParams extends CallerParams {
	readonly name: string;
}

/** Result of `known_name`; empty unless a running server knows exactly one declaration of the name. */
export interface KnownNameResult {
	readonly use?: NameUse;
}

export interface NameUse {
	/** As the server names it, with its container. */
	readonly symbol: string;
	/** As the caller writes it. */
	readonly file: string;
	readonly uses: number;
	readonly files: number;
}

/** `check_edit` checks `file` after the tool call `call`. */
export interface CheckEditParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly scope: "file" | "affected";
	/** Milliseconds; default: the settings' budget. */
	readonly budget?: number;
}

export interface CheckEditResult {
	readonly report: CheckReport;
	/** `late` returns the results of checks that still run. */
	readonly more: boolean;
}

interface Confirmation {
	/** Ids of late reports that the agent has read. The next answer repeats the others, updated. */
	readonly told?: readonly string[];
}

/** Notification `command`, before a shell command runs. */
export interface CommandParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	/** Milliseconds since the epoch; a busy daemon may read this after the change. */
	readonly at?: number;
}

/** Result of `changed_by`: the servers' watched files that changed since `command`. */
export interface ChangedByResult {
	/** At most 20, relative to the caller's working directory. */
	readonly files: readonly string[];
	readonly more: number;
}

/** `check_command` checks a command's few changed files at once, many in the background (see `late`). */
export interface CheckCommandParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	/** Files that the command line names, with their texts before; null if a file did not exist. */
	readonly known: readonly { readonly file: string; readonly text: string | null }[];
}

export interface CheckCommandResult {
	readonly report: CheckReport;
	readonly changed: number;
	readonly more: boolean;
}

/** `await_change` waits for a change on disk: `wait` in ms, `since` in ms since 1970. */
export interface AwaitChangeParams extends CallerParams {
	readonly since: number;
	readonly wait: number;
}

export interface AwaitChangeResult {
	/** Also true if nobody watches any more. */
	readonly changed: boolean;
	/** The first, absolute; undefined if nobody watches. */
	readonly files?: readonly string[];
	/** With `files`: the next `since`. */
	readonly until?: number;
}

/** `late` waits `wait` ms at most for background checks, and returns their results. */
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
	/** Number of files that a command changed. */
	readonly changed?: number;
	readonly report: CheckReport;
}

/**
 * `request` sends any LSP request; positions in the answer count UTF-16 units. Without a file, all servers of the
 * workspace get it.
 */
export interface RawRequestParams extends CallerParams {
	readonly file?: string;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly texts?: UnsavedTexts;
}

export type UnsavedTexts = Readonly<Record<string, string>>;

/** `prove_texts` proves files as an editor has them, without a comparison. */
export interface ProveTextsParams extends CallerParams {
	readonly files: readonly string[];
	readonly texts?: UnsavedTexts;
	readonly severity: Severity;
	readonly unopened?: boolean;
}

export interface ProveTextsResult {
	/** In the order of the request. */
	readonly files: readonly ProvenFile[];
}

export interface ProvenFile {
	/** The worst state of any server. Only a `fresh` file without diagnostics is clean. */
	readonly state: State;
	readonly reason?: string;
	/** Present only if no server has proven the file. */
	readonly error?: ErrorValue;
	readonly diagnostics: readonly Diagnostic[];
}

/** `affected_by` finds files that may see changes of texts, nearest first. */
export interface AffectedByParams extends CallerParams {
	readonly changes: readonly {
		readonly file: string;
		/** Null if unknown: all that use the file are found. */
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

/**
 * `trust` stores a person's answer. Without `answer` it only says whether the workspace is trusted and what would be
 * run.
 */
export interface TrustParams extends CallerParams {
	readonly answer?: "yes" | "never" | "forget";
	/** Another hash than that of what was shown is refused. */
	readonly hash?: string;
}

/** `destroy_server` stops the servers with this id and root, or all. */
export interface DestroyServerParams {
	readonly id?: string;
	readonly root?: string;
}

/** Asks the client for a new server's environment. */
export const environmentMethod = "environment";
/** Asks the client for the names of variables that `environment` leaves out. */
export const heldBackMethod = "held_back_variables";
