import type { AgentPhase } from "../../contract/agent-event.ts";
import { attempt } from "../../util/attempt.ts";
import { isObject } from "../../util/objects.ts";
import type { Replaced } from "../agent-files.ts";
import { changeIn, eventOf, type Host, type HostCall, type HostEvent } from "./event.ts";
import { firstAt, objectAt, ownValue, type Payload, parsedObject, textAt } from "./payload.ts";

/**
 * Antigravity takes every answer to `PreToolUse` as a permission or a refusal. Its model reads answers only before it
 * is asked again, not those to `PostToolUse`.
 */
const phases: Readonly<Record<string, AgentPhase>> = {
	PostToolUse: "after",
	PreInvocation: "model",
	Stop: "stop",
};

const kinds: Readonly<Record<string, HostCall["kind"]>> = {
	replace_file_content: "edit",
	multi_replace_file_content: "edit",
	write_to_file: "write",
	run_command: "command",
};

export const antigravity: Host = {
	read,
	isMute: ({ phase }) => phase === "after",
	write: (text, { phase }) =>
		phase === "stop" ? { decision: "continue", reason: text } : { injectSteps: [{ userMessage: text }] },
	refuse: (reason) => ({ decision: "deny", reason }),
	limit: { unit: "characters", most: 9_900 },
};

function read(payload: Payload, name = ""): HostEvent | undefined {
	const hasFailed = typeof payload.error === "string" && payload.error !== "";
	const cwd = firstAt(payload, "workspacePaths");
	const event = eventOf(payload, name, phases, { callOf: () => callOf(payload, hasFailed), cwd });
	return hasFailed && event?.phase !== "after" ? undefined : event;
}

function callOf(payload: Payload, isError: boolean): HostCall | undefined {
	const about = objectAt(payload, "toolCall");
	const tool = textAt(about, "name") ?? "";
	const kind = ownValue(kinds, tool);
	if (!kind) return undefined;
	const input = plain(parsedObject(about.args) ?? {});
	const call = { id: `step ${String(payload.stepIdx)}`, tool, kind, isError, input: changeIn(input) };
	if (kind === "command") return { ...call, files: [], command: textAt(input, "CommandLine") ?? "" };
	const path = textAt(input, "TargetFile");
	const replaced = kind === "edit" ? replacedIn(input) : undefined;
	return { ...call, files: path === undefined ? [] : [path], ...(replaced ? { replaced } : {}) };
}

/** Some versions write arguments as JSON: a quote before a path shows it. */
function plain(args: Payload): Payload {
	if (!textAt(args, "TargetFile", "CommandLine")?.startsWith('"')) return args;
	return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fromJson(value)]));
}

function fromJson(value: unknown): unknown {
	if (typeof value !== "string") return value;
	return attempt(() => JSON.parse(value), value);
}

function replacedIn(input: Payload): Replaced[] | undefined {
	const { ReplacementChunks: chunks } = input;
	const edits = Array.isArray(chunks) ? chunks.filter(isObject) : [input];
	const replaced = edits.flatMap((edit) => {
		const [from, to] = [textAt(edit, "TargetContent"), textAt(edit, "ReplacementContent")];
		return from === undefined || to === undefined ? [] : [{ from, to }];
	});
	return replaced.length === edits.length ? replaced : undefined;
}
