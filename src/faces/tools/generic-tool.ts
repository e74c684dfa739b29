import { Type } from "@sinclair/typebox";
import { LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";

/** The tool that leads to every operation, so that few have to be offered by themselves. */
export const genericTool = {
	name: "lsp",
	title: "Any operation",
	description:
		'Runs any code intelligence operation by name: {operation, input}. {"operation":"help"} lists them; {"operation":"help","input":{"operation":"references"}} shows what one takes.',
	input: Type.Object({
		operation: Type.String({ description: "Its name, or help" }),
		input: Type.Optional(Type.Unsafe<object>({ type: "object", description: "What it takes" })),
	}),
} as const;

/** The operation that a call names. Rejects with LSP_UNKNOWN_OPERATION. */
export function operationNamed(name: unknown): AnyOperation {
	const plain = String(name).replace(/^lsp_/, "");
	const found = operations.find((operation) => operation.name === plain);
	if (found) return found;
	throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${plain}".`, {
		suggestion: 'lsp {"operation":"help"} lists them.',
	});
}

/** All operations with a line each, or what one takes, with an example. */
export function helpText(input: unknown): string {
	const { operation: name } = (input ?? {}) as { readonly operation?: unknown };
	if (name === undefined)
		return operations.map((operation) => `${operation.name}: ${firstSentence(operation)}`).join("\n");
	const operation = operationNamed(name);
	return [
		`${operation.name}: ${operation.description}`,
		`input: ${JSON.stringify(operation.input)}`,
		`example: lsp ${JSON.stringify({ operation: operation.name, input: operation.example.input })}`,
	].join("\n");
}

function firstSentence({ description }: AnyOperation): string {
	return description.split(/(?<=[.:]) /)[0] ?? description;
}
