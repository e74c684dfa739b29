import { LspError } from "../../contract/errors.ts";
import type { AnyOperation, NextStep } from "../../contract/operation.ts";
import { harmlessData } from "../../render/harmless.ts";
import { incompleteLine } from "../../render/incomplete.ts";
import { shellWord } from "../../render/shell-word.ts";
import { optionName } from "./option-mistake.ts";

export type WriteCall = (step: NextStep) => string;

export function answerText(operation: AnyOperation, output: unknown, input: unknown, write: WriteCall): string {
	const next = operation.next?.(output as never, input as never);
	return [
		operation.render(output as never, input as never),
		...incompleteLine(output),
		...(next ? [`${next.why}: ${write(next)}`] : []),
	].join("\n");
}

export function harmlessError({ code, message, details, cause }: LspError): LspError {
	return new LspError(code, harmlessData(message), harmlessData(details), { cause });
}

export function commandLine({ name, positional = [] }: AnyOperation, input: Readonly<Record<string, unknown>>): string {
	const words = positional.flatMap((key) => input[key] ?? []);
	const options = Object.entries(input)
		.filter(([key]) => !positional.includes(key))
		.flatMap(([key, value]) => (Array.isArray(value) ? value.map((item) => [key, item]) : [[key, value]]))
		.map(([key, value]) => (value === true ? optionName(key) : `${optionName(key)} ${quoted(value)}`));
	return ["pi-lsp", name, ...words.map(quoted), ...options].join(" ");
}

function quoted(value: unknown): string {
	return shellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
}
