import type { AgentPhase } from "../../contract/agent-event.ts";
import { hashOf } from "../../util/hash.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** An event of a host's hook, in the words of no host. */
export interface HostEvent {
	readonly phase: AgentPhase;
	/** The host's own name of the event, which some want back. */
	readonly name: string;
	readonly session: string;
	readonly cwd: string | undefined;
	readonly call?: HostCall;
}

export interface HostCall {
	readonly id: string;
	readonly tool: string;
	readonly kind: "edit" | "write" | "command";
	readonly files: readonly string[];
	readonly command?: string;
	/** The text before, of a call that changes one file; null if there was no file. */
	readonly before?: string | null;
	readonly isError: boolean;
}

/** A host, or several whose hooks have one form. */
export interface Host {
	/** Undefined for an event that is of no interest. `name` is the event's name if the payload has none. */
	read(payload: Payload, name: string | undefined): HostEvent | undefined;
	/** What is printed to hand `text` over to the model. */
	write(text: string, event: HostEvent, payload: Payload): object;
	/** What the host hands over of a text at most. */
	readonly limit: { readonly unit: "characters" | "bytes"; readonly most: number };
}

export function isPayload(value: unknown): value is Payload {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(payload: Payload, ...names: readonly string[]): Payload {
	const found = names.map((name) => payload[name]).find(isPayload);
	return found ?? {};
}

export function textAt(payload: Payload, ...names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = payload[name];
		if (typeof value === "string") return value;
	}
	return undefined;
}

export function ownId(payload: Payload): string | undefined {
	return textAt(payload, "tool_use_id", "toolUseId", "tool_call_id", "toolCallId");
}

/** Hosts without ids of calls hand the same input over before and after the call. */
export function callId(payload: Payload, tool: string, input: unknown): string {
	const id = ownId(payload);
	if (id !== undefined) return short(id);
	return hashOf(JSON.stringify([tool.toLowerCase(), input]), 16);
}

/** A subagent reads other results than its parent, so it has a session of its own. */
export function sessionOf(payload: Payload): string | undefined {
	const session = textAt(payload, "session_id", "sessionId", "conversation_id", "taskId");
	const agent = textAt(payload, "agent_id", "agentId");
	return session && short(agent ? `${session}/${agent}` : session);
}

const maxId = 200;

/** The daemon keeps it. */
function short(id: string): string {
	return id.length > maxId ? hashOf(id, 64) : id;
}
