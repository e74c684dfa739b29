import type { CallerParams } from "./protocol.ts";

/**
 * `agent_event`: something that an agent's hook has seen. The daemon keeps what a session was told, because each event comes
 * from a process of its own.
 */
export interface AgentEventParams extends CallerParams {
	readonly session: string;
	readonly phase: AgentPhase;
	/** Of `before` and `after`. */
	readonly call?: AgentCall;
	/** For servers that are about to start: the process is gone by then. */
	readonly env: Readonly<Record<string, string>>;
}

/** `stop` is the end of a turn, `end` that of the session. */
export type AgentPhase = "before" | "after" | "stop" | "end";

export interface AgentCall {
	readonly id: string;
	/** The hook that reports the call, if the host has no ids of calls: a repeated call then has the same `id`. */
	readonly repeatedBy?: string;
	readonly tool: string;
	readonly kind: "edit" | "write" | "command";
	/** For a command those that it names. */
	readonly files: readonly AgentFile[];
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly isError: boolean;
}

export interface AgentFile {
	/** As the agent wrote it. */
	readonly path: string;
	/** The text before the call; null if there was no file, absent if it is not known. */
	readonly before?: string | null;
}

export interface AgentEventResult {
	/** What the model is to read; absent if there is nothing to say. */
	readonly text?: string;
}
