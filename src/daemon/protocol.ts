import type { CheckReport } from "../findings.ts";
import type { CallerConfig } from "../workspace/caller-config.ts";

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
	/** What the caller was started with: it counts for its calls only. */
	readonly config?: CallerConfig;
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
export interface CheckEditParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	readonly file: string;
	readonly scope: "file" | "affected";
	/** The calls of which late results have been told to the agent since the last check. */
	readonly told?: readonly string[];
	/** Milliseconds to wait; without it the settings' budgets for a warm or a cold server. */
	readonly budget?: number;
}

export interface CheckEditResult {
	readonly report: CheckReport;
	/** True if the proof goes on and will be told by `late`. */
	readonly pending: boolean;
	/** True if files further away are still looked at; what is found there will be told by `late` as well. */
	readonly more?: boolean;
}

/** `command`, a notification: the tool call `call` is about to run a command, which may change files. */
export interface CommandParams extends CallerParams {
	readonly session: string;
	readonly call: string;
	/** With `command`: when that was, in milliseconds since the epoch; a busy daemon may hear of it after the change. */
	readonly at?: number;
}

/** `changed_by`: the files that changed since `command` was told of, as far as a server reads them and they are watched. */
export interface ChangedByResult {
	/** Relative to the caller's working directory, at most 20. */
	readonly files: readonly string[];
	readonly more: number;
}

/** `late`: waits until a check that ran out of time has its proof, at most `wait` ms. */
export interface LateParams {
	readonly session: string;
	readonly wait: number;
}

export interface LateResult {
	/** Proofs whose file has not changed since, each given once. */
	readonly results: readonly {
		readonly call: string;
		/** The edited file, relative to the caller's working directory. */
		readonly file: string;
		/** True if the report is of what else the edit broke, found behind the answer. */
		readonly rest: boolean;
		readonly report: CheckReport;
	}[];
	/** How many checks of the session are still running. */
	readonly pending: number;
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
