import type { CallerParams } from "./protocol.ts";

/** What an agent's hook reports. Each event has its own process, so the daemon keeps what a session was told. */
export interface AgentEventParams extends CallerParams {
	readonly session: string;
	readonly phase: AgentPhase;
	/** For `before` and `after`. */
	readonly call?: AgentCall;
	/** For servers that are about to start; the process is gone by then. */
	readonly env: Readonly<Record<string, string>>;
}

/** `stop` is the end of a turn, `end` that of the session. */
export type AgentPhase = "before" | "after" | "stop" | "end";

export interface AgentCall {
	readonly id: string;
	/** The hook that reports the call, for a host without ids of calls: repeated calls have the same `id`. */
	readonly repeatedBy?: string;
	readonly tool: string;
	readonly kind: "edit" | "write" | "command";
	/** For a command, the files that it names. */
	readonly files: readonly AgentFile[];
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly isError: boolean;
}

export interface AgentFile {
	/** As the agent wrote it. */
	readonly path: string;
	/** Null if there was no file, absent if unknown. */
	readonly before?: string | null;
}

export interface AgentEventResult {
	readonly text?: string;
}
