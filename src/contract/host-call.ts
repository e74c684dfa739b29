/** A call of an agent's own tool, judged by the skill that is active in the agent's MCP server. */
export interface ReportedCall {
	readonly id: string;
	readonly phase: "before" | "after";
	/** The agent's id, the same before and after. */
	readonly call: string;
	readonly kind: "edit" | "write" | "command";
	readonly cwd: string;
	readonly files: readonly string[];
	readonly command?: string;
	/** The tool's arguments, before the call. */
	readonly input?: Readonly<Record<string, unknown>>;
	readonly isError: boolean;
}

export interface HostVerdict {
	/** Of the `ReportedCall`. */
	readonly id: string;
	/** Before a call: why it may not be made. */
	readonly refusal?: string;
	/** After a call: what the model reads with its result. */
	readonly text?: string;
}

/** `host_calls`, from a face in which a skill is active: what it says of earlier calls. Resolves with the next ones. */
export interface HostCallsParams {
	/** The face's process, a child of the agent's. */
	readonly pid: number;
	/** Milliseconds. */
	readonly wait: number;
	readonly verdicts: readonly HostVerdict[];
}

export interface HostCallsResult {
	readonly calls: readonly ReportedCall[];
}
