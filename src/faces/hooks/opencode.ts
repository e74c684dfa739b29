import type { AgentPhase } from "../../contract/agent-event.ts";
import { pathsOfPatch } from "../../edit-hook/patch.ts";
import { callId, changeIn, eventOf, type Host, type HostCall } from "./event.ts";
import { objectAt, ownValue, type Payload, textAt } from "./payload.ts";

/** faces/agents/opencode-plugin.ts sends them: opencode runs no processes as hooks. */
const phases: Readonly<Record<string, AgentPhase>> = {
	"tool.execute.before": "before",
	"tool.execute.after": "after",
	"session.deleted": "end",
};

const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	edit: "edit",
	multiedit: "edit",
	apply_patch: "edit",
	patch: "edit",
	write: "write",
	bash: "command",
};

export const opencode: Host = {
	read: (payload) => {
		const name = textAt(payload, "hook_event_name") ?? "";
		return eventOf(payload, name, phases, { callOf: () => callOf(payload), cwd: textAt(payload, "cwd") });
	},
	write: (text) => ({ output: text }),
	refuse: (reason) => ({ refusal: reason }),
	notice: (line, { phase }) => (phase === "after" ? { notice: line } : undefined),
	limit: { unit: "characters", most: 9_900 },
};

function callOf(payload: Payload): HostCall | undefined {
	const tool = textAt(payload, "tool_name") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const input = objectAt(payload, "tool_input");
	const patch = textAt(input, "patchText");
	const call = { id: callId(payload, tool, input), tool, kind, isError: false, input: changeIn(input, patch) };
	if (kind === "command") return { ...call, files: [], command: textAt(input, "command") ?? "" };
	const path = textAt(input, "filePath");
	const { before, before_at: at } = payload;
	return {
		...call,
		...(typeof at === "number" ? { at } : {}),
		files: path === undefined ? pathsOfPatch(patch ?? "") : [path],
		...(path !== undefined && (typeof before === "string" || before === null) ? { before } : {}),
	};
}
