import type { AgentPhase } from "../../contract/agent-event.ts";
import { pathsOfPatch } from "../../edit-hook/patch.ts";
import { isObject } from "../../util/objects.ts";
import { callId, changeIn, eventOf, type Host, type HostCall, type HostEvent } from "./event.ts";
import { objectAt, ownValue, type Payload, textAt } from "./payload.ts";

/** Also of Codex, Copilot, VS Code and Cursor. */
const phases: Readonly<Record<string, AgentPhase>> = {
	PreToolUse: "before",
	PostToolUse: "after",
	PostToolUseFailure: "after",
	Stop: "stop",
	SubagentStop: "stop",
	SessionEnd: "end",
};

const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	Edit: "edit",
	MultiEdit: "edit",
	NotebookEdit: "edit",
	edit: "edit",
	Write: "write",
	create: "write",
	apply_patch: "write",
	Bash: "command",
	bash: "command",
	replace_string_in_file: "edit",
	multi_replace_string_in_file: "edit",
	insert_edit_into_file: "edit",
	edit_notebook_file: "edit",
	editFiles: "edit",
	create_file: "write",
	run_in_terminal: "command",
};

/** 10,000 less what hosts add. */
const most = 9_900;

export const claudeCode: Host = {
	read,
	write: (text, { phase, name }, payload) => {
		if (phase === "stop") return continued(text);
		const hookSpecificOutput = { hookEventName: name, additionalContext: text };
		// Copilot runs .claude/settings.json too, and reads the other form after a call.
		return "tool_result" in payload ? { additionalContext: text, hookSpecificOutput } : { hookSpecificOutput };
	},
	refuse,
	notice,
	limit: { unit: "characters", most },
};

export const codex: Host = {
	read,
	write: (text, event) =>
		event.phase === "stop"
			? continued(text)
			: { hookSpecificOutput: { hookEventName: event.name, additionalContext: `${about(event)}${text}` } },
	refuse,
	notice,
	limit: { unit: "bytes", most: most - 200 },
};

function refuse(reason: string, { name }: HostEvent): object {
	return {
		hookSpecificOutput: { hookEventName: name, permissionDecision: "deny", permissionDecisionReason: reason },
	};
}

/** These hosts show it at the end of a turn, not of a session. */
function notice(line: string, { name }: HostEvent): object | undefined {
	return name === "Stop" ? { systemMessage: line } : undefined;
}

/** The reason is the next message, the only way to continue. */
function continued(text: string): object {
	return { decision: "block", reason: text };
}

function about({ call }: HostEvent): string {
	if (!call) return "";
	const id = call.id.slice(0, 60);
	return call.kind === "command" ? `About the command of ${id}: ` : `About the patch of ${id}: `;
}

function read(payload: Payload, given: string | undefined): HostEvent | undefined {
	const name = textAt(payload, "hook_event_name", "hookEventName") ?? given ?? "";
	return eventOf(payload, name, phases, { callOf: () => callOf(payload, name), cwd: textAt(payload, "cwd") });
}

function callOf(payload: Payload, name: string): HostCall | undefined {
	const tool = textAt(payload, "tool_name", "toolName") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const given = payload.tool_input ?? payload.toolArgs;
	const input = objectAt(payload, "tool_input", "toolArgs");
	const isError = name === "PostToolUseFailure";
	const command = textAt(input, "command", "input", "patch") ?? (typeof given === "string" ? given : undefined);
	const own = changeIn(input, tool === "apply_patch" ? command : undefined);
	const call = { id: callId(payload, tool, given), tool, kind, isError, input: own };
	if (kind === "command") return { ...call, files: [], ...(command === undefined ? {} : { command }) };
	const path = textAt(input, "file_path", "filePath", "path", "notebook_path");
	const files = path === undefined ? (filesAt(input) ?? pathsOfPatch(command ?? "")) : [path];
	const before = objectAt(payload, "tool_response").originalFile;
	const isText = tool !== "NotebookEdit" && (typeof before === "string" || before === null);
	return { ...call, files, ...(isText && files.length === 1 ? { before } : {}) };
}

function filesAt({ files, replacements }: Payload): string[] | undefined {
	if (Array.isArray(files)) return files.filter((file) => typeof file === "string");
	if (!Array.isArray(replacements)) return undefined;
	const paths = replacements.filter(isObject).flatMap((edit) => textAt(edit, "filePath") ?? []);
	return [...new Set(paths)];
}
