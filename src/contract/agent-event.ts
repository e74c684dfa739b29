import type { CallerParams } from "./protocol.ts";

export interface AgentEventParams extends CallerParams {
	readonly session: string;
	readonly phase: AgentPhase;
	/** Of the hook, below the agent's; absent for a library's host. */
	readonly pid?: number;
	readonly call?: AgentCall;
	/** No model reads the answer: findings wait for the next event. */
	readonly isMute?: true;
	readonly env: Readonly<Record<string, string>>;
}

/** `model`: before the model is asked again; `stop`: end of a turn; `end`: of the session. */
export type AgentPhase = "before" | "after" | "model" | "stop" | "end";

export interface AgentCall {
	readonly id: string;
	/** The reporting hook, of a host without ids of calls. Repeated calls share their `id`. */
	readonly repeatedBy?: string;
	readonly tool: string;
	readonly kind: "edit" | "write" | "command";
	readonly files: readonly AgentFile[];
	readonly command?: string;
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
	readonly refusal?: string;
}
