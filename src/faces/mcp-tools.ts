import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { asLspError, describeError } from "../errors.ts";
import type { AnyOperation, Effect } from "../operation.ts";
import { answerText } from "./answer.ts";
import { toolCall, toolName } from "./profile.ts";

/** What MCP's hints mean is said in its schema; nothing that pi-lsp does reaches beyond this machine. */
const hints: Readonly<Record<Effect, NonNullable<Tool["annotations"]>>> = {
	read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
	// Of servers, which are started again when they are wanted; nothing of anybody's is lost.
	control: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
	write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/** An operation as a tool. With an output schema a client insists on `structuredContent`, so the two go together. */
export function toolFor(operation: AnyOperation, structured: boolean): Tool {
	const { title, description, effect, input, output } = operation;
	return {
		name: toolName(operation),
		title,
		description,
		inputSchema: input,
		...(structured ? { outputSchema: output } : {}),
		annotations: { title, ...hints[effect], openWorldHint: false },
	};
}

/** An answer as the model reads it, with what the command line says beside it. */
export function answered(
	operation: AnyOperation,
	output: unknown,
	input: unknown,
	structured: boolean,
): CallToolResult {
	const text = [answerText(operation, output, input, toolCall), operation.note?.(output as never)];
	return {
		content: [{ type: "text", text: text.filter(Boolean).join("\n") }],
		...(structured ? { structuredContent: output as Record<string, unknown> } : {}),
	};
}

/** A failure as the model reads it; for programs, the code and the details of the catalogue. */
export function failed(thrown: unknown): CallToolResult {
	const error = asLspError(thrown);
	const { code, details } = error.toJSON();
	return {
		content: [{ type: "text", text: describeError(error) }],
		isError: true,
		_meta: { "pi-lsp/error": { code, details } },
	};
}
