import type { CallerConfig } from "../config/caller-config.ts";
import type { CheckReport } from "./check-report.ts";

/**
 * The daemon's socket: JSON-RPC 2.0, one message a line. Every operation is a method under its own name with
 * `CallParams`; beside them stand the methods below. Errors carry the catalogue's value in `data`.
 *
 *     {"jsonrpc":"2.0","id":1,"method":"hover","params":{"cwd":"/p","input":{"file":"src/a.ts","symbol":"greet"}}}
 */
export const protocolVersion = 1;

/** What every call tells of its caller. */
export interface CallerParams {
	/** The caller's working directory, absolute: paths are relative to it, the workspace is found from it. */
	readonly cwd: string;
	/**
	 * True if the person allowed what the repository brings to be run (PI_LSP_TRUST=1), or the directory in and below
	 * which that was allowed in the host's own way.
	 */
	readonly trust?: boolean | string;
	/** PI_LSP_SANDBOX, over what the configuration says. */
	readonly sandbox?: string;
	/** What the caller was started with: it counts for its calls only. */
	readonly config?: CallerConfig;
	/** What a person said yes to, in the face that asked them; no model's words get here. */
	readonly permits?: Permits;
}

/** What is not for models to decide, as the person was shown it. */
export interface Permits {
	/** The address where somebody else runs a server. */
	readonly connect?: string;
}

/** What a caller's environment says of it. */
export function said({ PI_LSP_TRUST: trust, PI_LSP_SANDBOX: sandbox }: NodeJS.ProcessEnv): Partial<CallerParams> {
	return { ...(trust === "1" ? { trust: true } : {}), ...(sandbox ? { sandbox } : {}) };
}

/** What goes with every operation. */
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
	/** HMAC of the nonce under the directory's cookie: who cannot read the directory cannot answer. */
	readonly proof: string;
}

/** `baseline`, a notification: what a file held before the tool call `call` changed it; null if it did not exist. */
export interface BaselineParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly text: string | null;
	/** What the call is going to write, where that is known beforehand. */
	readonly next?: string;
}

/** `check_edit`: what the tool call `call` did to `file`. */
export interface CheckEditParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly scope: "file" | "affected";
	/** Milliseconds to wait; without it the settings' budgets for a warm or a cold server. */
	readonly budget?: number;
}

export interface CheckEditResult {
	readonly report: CheckReport;
	/** True if something that this session caused is still being worked out: `late` will tell it. */
	readonly more: boolean;
}

/** What goes with the calls that answer with late reports: those of the last answer that the agent has been told. */
interface Confirmation {
	/** Ids of late reports. What is not confirmed is given again, as it is by then. */
	readonly told?: readonly string[];
}

/** `command`, a notification: the tool call `call` is about to run a command, which may change files. */
export interface CommandParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	/** When that was, in milliseconds since the epoch; a busy daemon may hear of it after the change. */
	readonly at?: number;
}

/** `changed_by`: the files that changed since `command` was told of, as far as a server reads them and they are watched. */
export interface ChangedByResult {
	/** Relative to the caller's working directory, at most 20. */
	readonly files: readonly string[];
	readonly more: number;
}

/**
 * `check_command`: what the command of the tool call `call` did to the files that it changed. A few files are checked as an
 * edit is; many are checked behind the answer, and `late` tells of them.
 */
export interface CheckCommandParams extends CallerParams, Confirmation {
	readonly session: string;
	readonly call: string;
	/** Files that the command named and changed, with what they held before; null for one that did not exist. */
	readonly known: readonly { readonly file: string; readonly text: string | null }[];
}

export interface CheckCommandResult {
	readonly report: CheckReport;
	/** How many files that some server answers for the command has changed, deleted ones too. */
	readonly changed: number;
	readonly more: boolean;
}

/** `late`: waits, at most `wait` ms, while something is out that is likely to matter; then gives what is known. */
export interface LateParams extends Confirmation {
	readonly session: string;
	readonly wait: number;
}

export interface LateResult {
	/** What is to be told, for the state of now. It is given again until it is confirmed. */
	readonly results: readonly LateReport[];
	/** True if something that this session caused is still being worked out. */
	readonly more: boolean;
}

export interface LateReport {
	readonly id: string;
	/** The tool call that caused it. */
	readonly call: string;
	/** The edited file, relative to the caller's working directory; undefined where a command changed several. */
	readonly file?: string;
	/** How many files a command changed. */
	readonly changed?: number;
	readonly report: CheckReport;
}

/** `request`, the seed's own: any LSP request about a file, answered as the server answers. */
export interface RawRequestParams extends CallerParams {
	readonly file: string;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
}

/** `trust`: whether what the workspace brings may be run, what that would be, and a person's answer to it. */
export interface TrustParams extends CallerParams {
	/** `yes`, `never`, or `forget` the answer that was given. */
	readonly answer?: "yes" | "never" | "forget";
	/** Of what the person was shown; an answer to anything else is refused. */
	readonly hash?: string;
}

/** `destroy_server`, the seed's own: stops servers by id and root, all without either. */
export interface DestroyServerParams {
	readonly id?: string;
	readonly root?: string;
}

/** Asked of the client when a server has to be started: its environment, and only then. */
export const environmentMethod = "environment";
