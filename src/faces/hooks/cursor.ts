import type { AgentPhase } from "../../contract/agent-event.ts";
import { pathsOfPatch } from "../../edit-hook/patch.ts";
import { callId, changeIn, eventOf, type Host, type HostCall, type HostEvent } from "./event.ts";
import { firstAt, ownValue, type Payload, parsedObject, textAt } from "./payload.ts";

const phases: Readonly<Record<string, AgentPhase>> = {
	preToolUse: "before",
	postToolUse: "after",
	postToolUseFailure: "after",
	stop: "stop",
	subagentStop: "stop",
	sessionEnd: "end",
};

/** `Write` means any tool that changes a file. */
const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	Write: "write",
	Edit: "edit",
	StrReplace: "edit",
	ApplyPatch: "write",
	Delete: "write",
	Shell: "command",
};

export const cursor: Host = {
	read,
	write: (text, { phase }) => (phase === "stop" ? { followup_message: text } : { additional_context: text }),
	refuse: (reason) => ({ permission: "deny", user_message: reason, agent_message: reason }),
	// Cursor discards texts above 10,000.
	limit: { unit: "characters", most: 9_900 },
};

function read(payload: Payload, given: string | undefined): HostEvent | undefined {
	const name = textAt(payload, "hook_event_name") ?? given ?? "";
	const cwd = textAt(payload, "cwd") || firstAt(payload, "workspace_roots");
	const event = eventOf(payload, name, phases, { callOf: () => callOf(payload, name), cwd });
	if (event?.phase !== "stop") return event;
	// A turn continued by this hook ends again; a stopped one stays so.
	const hasContinued = typeof payload.loop_count === "number" && payload.loop_count > 0;
	return hasContinued || (payload.status ?? "completed") !== "completed" ? undefined : event;
}

function callOf(payload: Payload, name: string): HostCall | undefined {
	const tool = textAt(payload, "tool_name") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const given = payload.tool_input;
	const input = parsedObject(given) ?? {};
	const patch = textAt(input, "patch", "input") ?? (typeof given === "string" ? given : undefined);
	const call = {
		id: callId(payload, tool, given),
		tool,
		kind,
		isError: name === "postToolUseFailure",
		input: changeIn(input, tool === "ApplyPatch" ? patch : undefined),
	};
	if (kind === "command") return { ...call, files: [], command: textAt(input, "command") ?? "" };
	const path = textAt(input, "file_path", "path", "target_file");
	return { ...call, files: path === undefined ? pathsOfPatch(patch ?? "") : [path] };
}
