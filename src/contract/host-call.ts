/** Of an agent's own tool, for the skill active in the agent's MCP server. */
export interface ReportedCall {
	readonly id: string;
	readonly phase: "before" | "after";
	/** The agent's, the same before and after. */
	readonly call: string;
	readonly kind: "edit" | "write" | "command";
	readonly cwd: string;
	readonly files: readonly string[];
	readonly command?: string;
	readonly input?: Readonly<Record<string, unknown>>;
	readonly isError: boolean;
}

export interface HostVerdict {
	readonly id: string;
	/** Before a call: why it is refused. */
	readonly refusal?: string;
	readonly text?: string;
}

/** `host_calls`, from a face with an active skill: answers to earlier calls. Resolves with the next ones. */
export interface HostCallsParams {
	readonly pid: number;
	/** Milliseconds. */
	readonly wait: number;
	readonly verdicts: readonly HostVerdict[];
}

export interface HostCallsResult {
	readonly calls: readonly ReportedCall[];
}
