import type { AgentPhase } from "../../contract/agent-event.ts";
import { callId, changeIn, eventOf, type Host, type HostCall, type HostEvent } from "./event.ts";
import { objectAt, ownValue, type Payload, textAt } from "./payload.ts";

const phases: Readonly<Record<string, AgentPhase>> = {
	BeforeTool: "before",
	AfterTool: "after",
	AfterAgent: "stop",
	SessionEnd: "end",
};

const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	replace: "edit",
	write_file: "write",
	run_shell_command: "command",
};

/** Gemini CLI cuts nothing, but contexts are limited. */
const most = 9_900;

export const gemini: Host = {
	read,
	write: (text, { phase, name }) =>
		phase === "stop"
			? { decision: "block", reason: text }
			: { hookSpecificOutput: { hookEventName: name, additionalContext: withoutTags(text) } },
	refuse: (reason) => ({ decision: "deny", reason }),
	notice: (line, { phase }) => (phase === "stop" ? { systemMessage: line } : undefined),
	limit: { unit: "characters", most },
};

/** Gemini CLI escapes `<` and `>`. */
function withoutTags(text: string): string {
	return text.replace(/^<diagnostics file="([^"]*)">$/gm, "$1:").replace(/^<\/diagnostics>\n?/gm, "");
}

function read(payload: Payload, given: string | undefined): HostEvent | undefined {
	const name = textAt(payload, "hook_event_name") ?? given ?? "";
	return eventOf(payload, name, phases, { callOf: () => callOf(payload), cwd: textAt(payload, "cwd") });
}

function callOf(payload: Payload): HostCall | undefined {
	const tool = textAt(payload, "tool_name") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const input = objectAt(payload, "tool_input");
	const response = objectAt(payload, "tool_response");
	const call = {
		id: callId(payload, tool, input),
		tool,
		kind,
		isError: response.error !== undefined,
		input: changeIn(input),
	};
	if (kind === "command") return { ...call, files: [], command: textAt(input, "command") ?? "" };
	const path = textAt(input, "file_path", "absolute_path");
	const { originalContent, isNewFile } = objectAt(response, "returnDisplay");
	const before = isNewFile === true ? null : originalContent;
	return {
		...call,
		files: path === undefined ? [] : [path],
		...(typeof before === "string" || before === null ? { before } : {}),
	};
}
