import type { AgentPhase } from "../../contract/agent-event.ts";
import { claudeCode } from "./claude-code.ts";
import type { Host, HostEvent } from "./event.ts";
import { objectAt, type Payload, parsedObject, textAt } from "./payload.ts";
import { vscode } from "./vscode.ts";

const names: Readonly<Record<string, string>> = {
	preToolUse: "PreToolUse",
	postToolUse: "PostToolUse",
	postToolUseFailure: "PostToolUseFailure",
	agentStop: "Stop",
	subagentStop: "SubagentStop",
	sessionEnd: "SessionEnd",
};

export const copilot: Host = {
	read(payload, given): HostEvent | undefined {
		const own = given ?? nameIn(payload) ?? guessed(payload);
		const name = Object.hasOwn(names, own) ? (names[own] ?? own) : own;
		const event = claudeCode.read({ ...payload, tool_input: inputOf(payload), hook_event_name: name }, name);
		if (!event?.call) return event;
		const { resultType } = objectAt(payload, "toolResult", "tool_result");
		const hasFailed = typeof resultType === "string" && resultType !== "success";
		return {
			...event,
			name: nameIn(payload) ?? own,
			call: { ...event.call, isError: event.call.isError || hasFailed },
		};
	},
	// Forms before and after a call differ; both together are safe.
	write(text, event, payload) {
		if (nameIn(payload) !== undefined) return vscode.write(text, event, payload);
		return event.phase === "stop"
			? { decision: "block", reason: text }
			: { additionalContext: text, hookSpecificOutput: { hookEventName: event.name, additionalContext: text } };
	},
	refuse: (reason, event) =>
		event.name === "PreToolUse"
			? vscode.refuse(reason, event)
			: { permissionDecision: "deny", permissionDecisionReason: reason },
	notice: (line, { phase }) => (phase === "end" ? { type: "progress", message: line } : undefined),
	limit: { unit: "characters", most: 9_900 },
};

/** VS Code runs the same file; its events have a name. */
function nameIn(payload: Payload): string | undefined {
	return textAt(payload, "hook_event_name", "hookEventName");
}

function guessed(payload: Payload): string {
	const phases: readonly [is: boolean, phase: AgentPhase, name: string][] = [
		["toolResult" in payload || "tool_result" in payload, "after", "postToolUse"],
		["toolName" in payload || "tool_name" in payload, "before", "preToolUse"],
		["stopReason" in payload, "stop", "agentStop"],
	];
	return phases.find(([is]) => is)?.[2] ?? "";
}

function inputOf(payload: Payload): unknown {
	const given = payload.toolArgs ?? payload.tool_input;
	return parsedObject(given) ?? given;
}
