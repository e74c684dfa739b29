import { LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { operations } from "../../operations/index.ts";
import { didYouMean } from "../../render/nearest-names.ts";
import type { WriteCall } from "./format-answer.ts";
import { type OfferedTool, operationCall } from "./tool-definitions.ts";

export const genericToolName = "lsp";

export function genericTool(write: WriteCall, offered: readonly AnyOperation[] = operations): OfferedTool {
	return {
		name: genericToolName,
		title: "Any operation",
		description:
			'Runs any code intelligence operation by name. {"operation":"help"} lists them; {"operation":"help","input":{"operation":"references"}} shows what one takes.',
		effect: (["write", "control"] as const).find((each) => offered.some(({ effect }) => effect === each)) ?? "read",
		input: t.object({
			operation: t.text("Its name, or help"),
			input: t.optional.anyObject("What it takes"),
		}),
		callOf(command) {
			const [operation, field] = command.split(" ");
			if (operation !== "help" && !offered.some(({ name }) => name === operation)) return undefined;
			const input = field === undefined ? {} : { input: { [field]: true } };
			return `${genericToolName} ${JSON.stringify({ operation, ...input })}`;
		},
		parse({ operation: name, input, ...others }, { check }) {
			if (name === "help")
				return { operation: "help", inputs: [], format: () => ({ texts: [helpText(input, offered)] }) };
			const operation = findOperation(name, offered);
			// Models omit the object around the fields.
			const given = input ?? others;
			const called = { name: `${genericToolName} ${operation.name}`, input: operation.input };
			return operationCall(operation, check?.(called, given) ?? given, write);
		},
	};
}

/** Throws LSP_UNKNOWN_OPERATION. */
function findOperation(name: unknown, offered: readonly AnyOperation[]): AnyOperation {
	const plain = String(name).replace(/^lsp_/, "");
	const found = offered.find((operation) => operation.name === plain);
	if (found) return found;
	throw new LspError(
		"LSP_UNKNOWN_OPERATION",
		`There is no operation "${plain}".${didYouMean(
			plain,
			offered.map((operation) => operation.name),
		)}`,
		{
			suggestion: 'lsp {"operation":"help"} lists them.',
		},
	);
}

function helpText(input: unknown, offered: readonly AnyOperation[]): string {
	const { operation: name } = (input ?? {}) as { readonly operation?: unknown };
	if (name === undefined)
		return offered.map((operation) => `${operation.name}: ${firstSentence(operation)}`).join("\n");
	const operation = findOperation(name, offered);
	return [
		`${operation.name}: ${operation.description}`,
		`input: ${JSON.stringify(operation.input)}`,
		`example: lsp ${JSON.stringify({ operation: operation.name, input: operation.example.input })}`,
	].join("\n");
}

function firstSentence({ description }: AnyOperation): string {
	return (description.split(/(?<=\.) /)[0] ?? description).split("\n")[0]?.replace(/:$/, ".") ?? description;
}
