import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { asLspError, type WriteCommand, withHintFor } from "../../contract/errors.ts";
import type { Effect } from "../../contract/operation.ts";
import { harmlessData } from "../../render/harmless.ts";
import { failureText, type OfferedTool, type ToolAnswer } from "../tools/tool-definitions.ts";

/** What MCP's hints mean is said in its schema; nothing that pi-lsp does reaches beyond this machine. */
const hints: Readonly<Record<Effect, NonNullable<Tool["annotations"]>>> = {
	read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
	// Of servers, which are started again when they are wanted; nothing of anybody's is lost.
	control: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
	write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
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

/** A command that a hint names, for the person whom the agent asks to run it. */
export const inTerminal: WriteCommand = (command) =>
	personCommands.has(command) ? `\`pi-lsp ${command}\` in the person's terminal` : undefined;

/** A tool as it is listed. With an output schema a client insists on `structuredContent`, so the two go together. */
export function listed({ name, title, description, effect, input, output }: OfferedTool, structured: boolean): Tool {
	return {
		name,
		title,
		description,
		inputSchema: input,
		...(structured && output ? { outputSchema: output } : {}),
		annotations: { title, ...hints[effect], openWorldHint: false },
	};
}

/** An answer as the model reads it, and as data for programs if they are wanted. */
export function answered({ texts, value }: ToolAnswer, structured: boolean): CallToolResult {
	return {
		content: texts.map((text) => ({ type: "text", text })),
		...(structured && value ? { structuredContent: { ...harmlessData(value) } } : {}),
	};
}

/** A failure as the model reads it, in the tool's own form; for programs, the code and the details of the catalogue. */
export function failed(thrown: unknown, tool: OfferedTool, write: WriteCommand): CallToolResult {
	const error = withHintFor(asLspError(thrown), write);
	const { code, details } = error.toJSON();
	return {
		content: [{ type: "text", text: failureText(tool, error) }],
		isError: true,
		_meta: { "pi-lsp/error": { code, details: harmlessData(details) } },
	};
}
