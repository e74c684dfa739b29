import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { asLspError, type WriteCommand, withHintFor } from "../../contract/errors.ts";
import type { Effect } from "../../contract/operation.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { slimInput } from "../tools/slim-input.ts";
import { failureText, type OfferedTool, type ToolAnswer } from "../tools/tool-definitions.ts";

/** By the protocol's defaults a tool changes and destroys. */
const annotations: Readonly<Record<Effect, NonNullable<Tool["annotations"]>>> = {
	read: { readOnlyHint: true },
	control: { destructiveHint: false, idempotentHint: true },
	write: { destructiveHint: true },
};

const personCommands = new Set([
	"restart",
	"doctor",
	"trust",
	"trust add",
	"daemon logs",
	"daemon start",
	"daemon stop",
]);

export const inTerminal: WriteCommand = (command) =>
	personCommands.has(command) ? `\`pi-lsp ${command}\` in the person's terminal` : undefined;

interface Listing {
	/** Clients insist on `structuredContent` if there is an output schema. */
	readonly structured: boolean;
	readonly slim: boolean;
}

export function listed(tool: OfferedTool, { structured, slim }: Listing): Tool {
	const { name, title, description, effect, input, output } = tool;
	return {
		name,
		title,
		description,
		inputSchema: slim ? slimInput(input) : input,
		...(structured && output ? { outputSchema: output } : {}),
		annotations: { ...annotations[effect], openWorldHint: false },
	};
}

export function textPart(text: string) {
	return { type: "text", text } as const;
}

export function successResult({ texts, value, meta }: ToolAnswer, structured: boolean): CallToolResult {
	return {
		content: texts.map(textPart),
		...(structured && value ? { structuredContent: { ...harmlessData(value) } } : {}),
		...(meta ? { _meta: { ...meta } } : {}),
	};
}

export function errorResult(thrown: unknown, tool: OfferedTool, write: WriteCommand): CallToolResult {
	const error = withHintFor(asLspError(thrown), write);
	const { code, details } = error;
	return {
		content: [textPart(failureText(tool, error))],
		isError: true,
		_meta: { "pi-lsp/error": { code, details: harmlessData(details) } },
	};
}

const maxProblems = 5;

export function withProblems(result: CallToolResult, problems: readonly string[], shown: Set<string>): CallToolResult {
	const fresh = problems.filter((problem) => !shown.has(problem)).slice(0, maxProblems);
	for (const problem of fresh) shown.add(problem);
	const texts = fresh.map((problem) => textPart(harmlessData(`Configuration: ${oneLine(problem)}`)));
	return texts.length > 0 ? { ...result, content: [...result.content, ...texts] } : result;
}
