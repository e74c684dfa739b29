import type { CallerParams } from "./protocol.ts";

/** Each event has its own process, so the daemon keeps what a session has received. */
export interface AgentEventParams extends CallerParams {
	readonly session: string;
	readonly phase: AgentPhase;
	/** The hook's process, below the agent's; none for a host that calls pi-lsp as a library. */
	readonly pid?: number;
	readonly call?: AgentCall;
	/** No model reads the answer to this event: what is found waits for the next one. */
	readonly isMute?: true;
	/** For servers about to start; the process is gone by then. */
	readonly env: Readonly<Record<string, string>>;
}

/** `model`: the model is about to be asked again; `stop` is the end of a turn, `end` that of the session. */
export type AgentPhase = "before" | "after" | "model" | "stop" | "end";

export interface AgentCall {
	readonly id: string;
	/** For a host without ids of calls: the hook that reports this one. Repeated calls share their `id`. */
	readonly repeatedBy?: string;
	readonly tool: string;
	readonly kind: "edit" | "write" | "command";
	readonly files: readonly AgentFile[];
	readonly command?: string;
	/** The tool's arguments, before the call. */
	readonly input?: Readonly<Record<string, unknown>>;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly isError: boolean;
}

export interface AgentFile {
	readonly path: string;
	/** Null for no file, absent if unknown. */
	readonly before?: string | null;
}

export interface AgentEventResult {
	readonly text?: string;
	/** Before a call: why the active skill does not allow it. */
	readonly refusal?: string;
}
