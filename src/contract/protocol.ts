import type { CallerConfig } from "../config/caller-config.ts";
import type { CheckReport, Diagnostic, Severity, State } from "./check-report.ts";
import type { ErrorValue } from "./errors.ts";

/**
 * JSON-RPC 2.0 on the daemon's socket, one message per line. Operations are methods with `CallParams`; others are
 * below. An error's `data` is an `ErrorValue`.
 */
export const protocolVersion = 1;

export interface CallerParams {
	/** Absolute; paths are relative to it. */
	readonly cwd: string;
	/** Directory that the host trusts, or true if the person trusts the repository (PI_LSP_TRUST=1). */
	readonly trust?: boolean | string;
	/** PI_LSP_SANDBOX overrides the configuration. */
	readonly sandbox?: string;
	readonly environment?: EnvironmentSummary;
	readonly config?: CallerConfig;
	readonly permits?: Permits;
	readonly conversation?: Conversation;
}

export interface Conversation {
	readonly id: string;
	/** Milliseconds since 1970; later changes may be the agent's. */
	readonly begunAt: number;
}

export interface EnvironmentSummary {
	/** Equal keys share servers. */
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

/** 1 logs checks and servers' standard error, 2 also frames. */
export type DebugLevel = 0 | 1 | 2;

export function debugLevelFrom({ LSP_DEBUG: level }: NodeJS.ProcessEnv): DebugLevel {
	return level === "2" ? 2 : level === "1" ? 1 : 0;
}

export interface HelloParams {
	readonly protocol: number;
	readonly nonce: string;
	/** A daemon that logs less starts to log so much. */
	readonly debug?: DebugLevel;
}

export interface HelloResult {
	readonly protocol: number;
	readonly build: string;
	readonly pid: number;
	/** HMAC of the nonce under the cookie. */
	readonly proof: string;
}

/** Notification `baseline`, before a tool call; `text` is null for no file. */
export interface BaselineParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly text: string | null;
	/** Reading time in ms since 1970; default: now. */
	readonly at?: number;
	readonly next?: string;
	readonly ahead?: boolean;
}

/** Result of `preflight`: like `baseline`, but judges `next`. */
export interface PreflightResult {
	readonly broken?: Diagnostic;
}

export interface KnownNameParams extends CallerParams {
	readonly name: string;
}

/** Result of `known_name`; empty unless a running server knows exactly one declaration. */
export interface KnownNameResult {
	readonly use?: NameUse;
}

export interface NameUse {
	readonly symbol: string;
	readonly file: string;
	readonly uses: number;
	readonly files: number;
}

export interface CheckEditParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly scope: "file" | "affected";
	/** In ms; default: the settings'. */
	readonly budget?: number;
}

export interface CheckEditResult {
	readonly report: CheckReport;
	readonly more: boolean;
}

interface Confirmation {
	/** Late reports that the agent has read; others come again, updated. */
	readonly confirmed?: readonly string[];
}

/** Notification `command`, before a shell command. */
export interface CommandParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	/** Milliseconds since 1970: a busy daemon reads this late. */
	readonly at?: number;
}

/** Result of `changed_by`: watched files that changed since `command`. */
export interface ChangedByResult {
	/** At most 20, relative to the caller's directory. */
	readonly files: readonly string[];
	readonly more: number;
}

/** Few changed files of a command at once, many in the background (see `late`). */
export interface CheckCommandParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	/** Named by the command line; earlier `text`, null for a missing file. */
	readonly known: readonly { readonly file: string; readonly text: string | null }[];
}

export interface CheckCommandResult {
	readonly report: CheckReport;
	readonly changed: number;
	readonly more: boolean;
}

/** `await_change`: `wait` in ms, `since` in ms since 1970. */
export interface AwaitChangeParams extends CallerParams {
	readonly since: number;
	readonly wait: number;
	/** Also waits until the workspace's servers differ from these (null: at once). */
	readonly servers?: readonly ServerHealth[] | null;
}

export interface ServerHealth {
	readonly id: string;
	readonly root: string;
	/** `crashed`: ended by itself, and not started again. */
	readonly state: "starting" | "loading" | "ready" | "crashed" | "other";
	readonly crashes: number;
}

export interface AwaitChangeResult {
	readonly servers?: readonly ServerHealth[];
	/** Also true if no watcher is left. */
	readonly changed: boolean;
	readonly files?: readonly string[];
	readonly until?: number;
}

/** Waits at most `wait` ms for background checks. */
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
	readonly file?: string;
	readonly changed?: number;
	readonly report: CheckReport;
}

/**
 * Any LSP request; positions in the answer count UTF-16 units. Without a file it goes to all servers of the workspace.
 */
export interface RawRequestParams extends CallerParams {
	readonly file?: string;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly texts?: UnsavedTexts;
}

export type UnsavedTexts = Readonly<Record<string, string>>;

export interface ProveTextsParams extends CallerParams {
	readonly files: readonly string[];
	readonly texts?: UnsavedTexts;
	readonly severity: Severity;
	readonly unopened?: boolean;
}

export interface ProveTextsResult {
	readonly files: readonly ProvenFile[];
}

export interface ProvenFile {
	/** The worst of all servers. */
	readonly state: State;
	readonly reason?: string;
	readonly error?: ErrorValue;
	readonly diagnostics: readonly Diagnostic[];
}

export interface AffectedByParams extends CallerParams {
	readonly changes: readonly {
		readonly file: string;
		/** Null if unknown: finds all users of the file. */
		readonly before: string | null;
		/** Null if the file is gone. */
		readonly after: string | null;
	}[];
}

export interface AffectedByResult {
	/** Absolute. */
	readonly files: readonly string[];
}

/** Writes an operation's plan (contract/planned.ts). */
export interface CommitParams extends CallerParams {
	readonly plan: string;
}

/** Stores a person's answer; without `answer` tells whether the workspace is trusted and what would run. */
export interface TrustParams extends CallerParams {
	readonly answer?: "yes" | "never" | "forget";
	readonly hash?: string;
}

export interface DestroyServerParams {
	readonly id?: string;
	readonly root?: string;
}

export const environmentMethod = "environment";
/** Variables left out of the client's `environment`. */
export const heldBackMethod = "held_back_variables";
