import { dataWithHintsFor, LspError } from "../../contract/errors.ts";
import { operations } from "../../operations/index.ts";
import { harmlessData } from "../../render/harmless.ts";
import { answerText } from "../tools/format-answer.ts";

export { OperationCalls } from "../operation-calls.ts";

/** The text that a model reads; hints are without commands. Throws LSP_UNKNOWN_OPERATION. */
export function answerOf(operation: string, input: object, output: unknown): string {
	const plain = harmlessData(dataWithHintsFor(output, () => undefined));
	const found = operations.find(({ name }) => name === operation);
	const { text } = Object(plain) as { readonly text?: unknown };
	if (!found && typeof text === "string") return text;
	if (!found) throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${operation}".`);
	return answerText(found, plain, input, (step) => `${step.operation} ${JSON.stringify(step.input)}`);
}
