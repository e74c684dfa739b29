import type { Profile } from "../../config/read-settings.ts";
import type { NextStep } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { aliasCallFor } from "../tools/compat-tools.ts";
import { commandLine, type WriteCall } from "../tools/format-answer.ts";
import { genericToolName } from "../tools/generic-tool.ts";
import { slimWriter, writeToolCall } from "../tools/profiles.ts";
import { filledIn, type Skill, withCalls } from "./skill.ts";

/** Of the shell, pi, or a profile over MCP. */
export type Words = "shell" | "pi" | Profile;

export const hostWords = ["shell", "pi", "core", "agent-lsp"] as const satisfies readonly Words[];

export function callWriter(words: Words): WriteCall {
	switch (words) {
		case "shell":
			return ({ operation: name, input }) => {
				const operation = operations.find((each) => each.name === name);
				return operation ? commandLine(operation, input) : `pi-lsp ${name}`;
			};
		case "pi":
			return slimWriter("core", { withCheck: false });
		case "core":
		case "read":
			return slimWriter(words, { withCheck: true });
		case "agent-lsp":
			return (call) =>
				aliasCallFor(words, asDiagnostics(call)) ??
				`${genericToolName} ${JSON.stringify({ operation: call.operation, input: call.input })}`;
		default:
			return writeToolCall;
	}
}

function asDiagnostics({ operation, input, why }: NextStep): NextStep {
	const { files } = input;
	return operation === "check" && Array.isArray(files)
		? { operation: "diagnostics", input: { file: files[0] }, why }
		: { operation, input, why };
}

export function instructionsIn(
	{ name, body, phases }: Skill,
	words: Words,
	values: Readonly<Record<string, string>> = {},
): string {
	const write = callWriter(words);
	const text = withCalls(body, (call) => write(filledIn(call, values)));
	if (!phases || words === "shell") return text;
	const activate = write({ operation: "activate_skill", input: { name }, why: "" });
	const [title = "", ...rest] = text.split("\n");
	return [title, "", `\`${activate}\` holds you to these steps; without it they are advice.`, ...rest].join("\n");
}

/** In pi a person calls skills: their descriptions would cost 2,000 tokens. */
export function fileIn(skill: Skill, words: Words): string {
	const head = skill.source.slice(0, skill.source.indexOf("\n---\n", 4));
	const hidden = words === "pi" ? "\ndisable-model-invocation: true" : "";
	return `${head}${hidden}\n---\n\n${instructionsIn(skill, words)}\n`;
}
