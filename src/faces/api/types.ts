// The build writes these declarations into the package, behind those of the operations: nothing here has a value.
import type { Operations } from "./operations.ts";

export type OperationName = keyof Operations & string;
export type Input<Name extends OperationName> = Operations[Name]["input"];
export type Output<Name extends OperationName> = Operations[Name]["output"];

export interface Options {
	/** Absolute; paths are relative to it. Default: the working directory of the process. */
	readonly cwd?: string;
	/** False: servers run in this process, until `close`. Default: in the daemon, which the first call starts. */
	readonly daemon?: boolean;
	/** A configuration for these calls, over all others. */
	readonly config?: string;
	/** True if the person trusts what the repository brings: it may be run. Never set it for a model. */
	readonly trust?: boolean;
	/** Asks the person; resolves with undefined if no person can be asked. */
	readonly confirm?: (question: string) => Promise<boolean | undefined>;
}

export interface RequestOptions {
	/** Its servers are asked; default: all servers of the workspace. */
	readonly file?: string;
	/** Texts that differ from the disk, by absolute path. */
	readonly texts?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** All methods reject with an `LspError`. */
export interface Client {
	/** Any LSP request. Positions count from 0, in UTF-16 units. Resolves with what the server answers. */
	request(method: string, params?: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<unknown>;
	/** Leaves the daemon, or stops this process's servers. */
	close(): Promise<void>;
}

export interface ToolCall {
	/** The same before and after the call. */
	readonly id: string;
	readonly kind: "edit" | "write" | "command";
	/** What an `edit` or a `write` changes. */
	readonly files?: readonly string[];
	/** The shell command. */
	readonly command?: string;
}

export interface ServerState {
	readonly id: string;
	/** Of the project, absolute. */
	readonly root: string;
	/** `crashed`: ended by itself, and not started again. */
	readonly state: "starting" | "loading" | "ready" | "crashed" | "other";
	readonly crashes: number;
}

export interface Events {
	/** All servers of the workspace, when one of them starts, is ready, crashes or stops; first those that run. */
	readonly servers: { readonly servers: readonly ServerState[] };
	/**
	 * The open files whose findings are others than before, proven: after a change on the disk, or when a server has read more.
	 * A file without findings is reported only if it had some.
	 */
	readonly diagnostics: Output<"diagnostics">;
}

/** One agent's session: errors count as new from its beginning. */
export interface Session extends Client {
	/** What is wrong in files as they are on the disk. */
	check(files: string | readonly string[], options?: Omit<Input<"check">, "files">): Promise<Output<"check">>;
	/** What an edit would break and mend; nothing is written. */
	preview(edit: Input<"preview">): Promise<Output<"preview">>;
	/** Writes an edit, whole or not at all; `undo` of the answer is what the operation `undo` takes. */
	apply(edit: Input<"apply_edit">): Promise<Output<"apply_edit">>;
	/** Any operation; one that changes files writes them before it resolves. */
	run<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Output<Name>>;
	/** A tool of a package: only their names have a hyphen. */
	run(name: `${string}-${string}`, input: object, signal?: AbortSignal): Promise<object>;
	/** The same, as the text that a model reads. */
	ask(name: `${string}-${string}`, input: object, signal?: AbortSignal): Promise<string>;
	ask<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<string>;
	/**
	 * Listens until the function that it returns is called, or `close`; it starts the daemon where none runs. If the daemon
	 * ends, it goes on with the next call.
	 */
	on<Name extends keyof Events>(event: Name, listener: (event: Events[Name]) => void): () => void;
	/** To be awaited before the agent's tool runs: it reads the texts that the tool is about to change. Never rejects. */
	before(call: ToolCall): Promise<void>;
	/**
	 * What the call has broken, as text to append to the tool's result; undefined if there is nothing to say. `isError`: the
	 * tool has failed. Never rejects.
	 */
	after(call: ToolCall & { readonly isError?: boolean }, signal?: AbortSignal): Promise<string | undefined>;
	/** At the end of the agent's turn: errors that were found too late for a call's result. Never rejects. */
	endTurn(signal?: AbortSignal): Promise<string | undefined>;
}
