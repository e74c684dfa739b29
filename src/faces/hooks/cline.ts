import type { AgentPhase } from "../../contract/agent-event.ts";
import { pathsOfPatch } from "../../edit-hook/patch.ts";
import { callId, changeIn, eventOf, type Host, type HostCall, type HostEvent } from "./event.ts";
import { firstAt, objectAt, ownValue, type Payload, parsedObject, textAt } from "./payload.ts";

const phases: Readonly<Record<string, AgentPhase>> = {
	PreToolUse: "before",
	PostToolUse: "after",
	TaskComplete: "end",
	TaskCancel: "end",
};

const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	replace_in_file: "edit",
	editor: "edit",
	write_to_file: "write",
	apply_patch: "write",
	execute_command: "command",
	run_commands: "command",
};

export const cline: Host = {
	read,
	write: (text) => ({ cancel: false, contextModification: text }),
	// `cancel` would end the whole task.
	refuse: (reason) => ({ cancel: false, contextModification: reason }),
	limit: { unit: "characters", most: 9_900 },
};

function read(payload: Payload, given: string | undefined): HostEvent | undefined {
	const name = given ?? textAt(payload, "hookName") ?? "";
	const cwd = textAt(payload, "cwd") ?? firstAt(payload, "workspaceRoots");
	return eventOf(payload, name, phases, { callOf: () => callOf(payload), cwd });
}

function callOf(payload: Payload): HostCall | undefined {
	const about = objectAt(payload, "preToolUse", "postToolUse");
	const tool = textAt(about, "toolName") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const input = parsedObject(about.parameters) ?? {};
	const patch = textAt(input, "input", "patch");
	const call = {
		id: callId(payload, tool, input),
		tool,
		kind,
		isError: about.success === false,
		input: changeIn(input, tool === "apply_patch" ? patch : undefined),
	};
	if (kind === "command") return { ...call, files: [], command: commandIn(input) };
	const path = textAt(input, "absolutePath", "path");
	return { ...call, files: path === undefined ? pathsOfPatch(patch ?? "") : [path] };
}

function commandIn(input: Payload): string {
	const { commands } = input;
	if (Array.isArray(commands)) return commands.filter((each) => typeof each === "string").join("\n");
	return textAt(input, "command", "commands") ?? "";
}
