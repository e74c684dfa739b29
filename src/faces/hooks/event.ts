import type { AgentPhase } from "../../contract/agent-event.ts";
import { editsOfPatch } from "../../edit-hook/patch.ts";
import { hashOf } from "../../util/hash.ts";
import { isObject } from "../../util/objects.ts";
import type { HostCallFiles } from "../agent-files.ts";
import { objectAt, ownValue, type Payload, textAt } from "./payload.ts";

export interface HostEvent {
	readonly phase: AgentPhase;
	readonly name: string;
	readonly session: string;
	readonly cwd: string | undefined;
	readonly call?: HostCall;
}

export interface HostCall extends HostCallFiles {
	readonly id: string;
	readonly tool: string;
	readonly input: Payload;
	readonly isError: boolean;
	/** When the host read the text before, in ms since 1970; default: now. */
	readonly at?: number;
}

export interface Host {
	/** Undefined to ignore it; `name` is for payloads without one. */
	read(payload: Payload, name: string | undefined): HostEvent | undefined;
	write(text: string, event: HostEvent, payload: Payload): object;
	/** No model reads the answer. */
	isMute?(event: HostEvent): boolean;
	/** A line for the person; undefined where the answer shows none. */
	notice?(line: string, event: HostEvent): object | undefined;
	refuse(reason: string, event: HostEvent): object;
	readonly limit: { readonly unit: "characters" | "bytes"; readonly most: number };
}

/** What hosts have in common. A turn that a hook has continued is not continued again. */
export function eventOf(
	payload: Payload,
	name: string,
	phases: Readonly<Record<string, AgentPhase>>,
	{ callOf, cwd }: { readonly callOf: () => HostCall | undefined; readonly cwd: string | undefined },
): HostEvent | undefined {
	const phase = ownValue(phases, name);
	const session = sessionOf(payload);
	if (!phase || session === undefined || (phase === "stop" && payload.stop_hook_active === true)) return undefined;
	const event = { phase, name, session, cwd };
	if (phase !== "before" && phase !== "after") return event;
	const call = callOf();
	return call && { ...event, call };
}

const ourWords: Readonly<Record<string, readonly string[]>> = {
	old_text: ["old_string", "oldString", "old_str", "old_text", "TargetContent"],
	new_text: ["new_string", "newString", "new_str", "new_text", "ReplacementContent"],
	content: ["content", "file_text", "CodeContent"],
};

export function changeIn(input: Payload, patch?: string): Payload {
	if (patch !== undefined) {
		const edits = editsOfPatch(patch);
		return edits ? { edits } : { patch };
	}
	const given = input.edits ?? input.replacements ?? input.ReplacementChunks;
	const edits = Array.isArray(given) ? given.filter(isObject).map(editIn) : undefined;
	const words = Object.entries(ourWords).flatMap(([word, names]) => {
		const text = textAt(input, ...names);
		return text === undefined ? [] : [[word, text]];
	});
	return { ...Object.fromEntries(words), ...(edits ? { edits } : {}) };
}

function editIn(edit: Payload): Payload {
	const file = textAt(edit, "filePath");
	return { ...(file === undefined ? {} : { file }), ...changeIn(edit) };
}

export function ownId(payload: Payload): string | undefined {
	const call = objectAt(payload, "tool_call", "tool_result");
	return textAt(payload, "tool_use_id", "toolUseId", "tool_call_id", "toolCallId") ?? textAt(call, "id");
}

/** Without ids, the input is the same before and after the call. */
export function callId(payload: Payload, tool: string, input: unknown): string {
	const id = ownId(payload);
	if (id !== undefined) return short(id);
	return hashOf(JSON.stringify([tool.toLowerCase(), input]), 16);
}

export function wholeSessionOf(payload: Payload): string | undefined {
	return textAt(payload, "session_id", "sessionId", "conversation_id", "conversationId", "taskId");
}

/** A subagent reads other results. */
function sessionOf(payload: Payload): string | undefined {
	const session = wholeSessionOf(payload);
	const agent = textAt(payload, "agent_id", "agentId");
	return session && short(agent ? `${session}/${agent}` : session);
}

const maxId = 200;

function short(id: string): string {
	return id.length > maxId ? hashOf(id, 64) : id;
}
