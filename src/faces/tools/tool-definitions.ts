import type { TSchema } from "@sinclair/typebox";
import {
	asLspError,
	dataWithHintsFor,
	describeError,
	type LspError,
	type WriteCommand,
	withHintFor,
} from "../../contract/errors.ts";
import type { AnyOperation, Effect, ObjectSchema } from "../../contract/operation.ts";
import { harmless, harmlessData } from "../../render/harmless.ts";
import { answerText, harmlessError, type WriteCall } from "./format-answer.ts";

export interface OfferedTool {
	readonly name: string;
	/** Accepted, not offered. */
	readonly alsoNamed?: readonly string[] | undefined;
	readonly title: string;
	readonly description: string;
	readonly effect: Effect;
	readonly input: TSchema & ObjectSchema;
	readonly output?: TSchema & ObjectSchema;
	callOf(command: string): string | undefined;
	/** Throws LSP_INVALID_INPUT and LSP_UNKNOWN_OPERATION. */
	parse(args: Readonly<Record<string, unknown>>, from: CalledFrom): ToolCall;
	formatError?(error: LspError): string | undefined;
}

export interface CalledFrom {
	readonly cwd: string;
	/** As the client wrote it. */
	readonly name?: string;
	/** Throws LSP_INVALID_INPUT in the callee's words. Without it the host has checked types. */
	readonly check?: (called: { readonly name: string; readonly input: TSchema & ObjectSchema }, args: unknown) => object;
}

export interface ToolCall {
	readonly operation: string;
	readonly inputs: readonly unknown[];
	format(outputs: readonly unknown[]): ToolAnswer;
	formatFailure?(error: LspError): ToolAnswer | undefined;
}

export interface ToolAnswer {
	readonly texts: readonly string[];
	/** After an empty answer, unless a setting omits it. */
	readonly next?: string;
	readonly value?: object;
	readonly meta?: object;
}

export async function invoke(
	{ inputs, format, formatFailure }: ToolCall,
	request: (input: unknown) => Promise<unknown>,
	write: WriteCommand,
): Promise<ToolAnswer> {
	try {
		const outputs = await Promise.all(inputs.map(request));
		// A later change would break pi-lsp's frames.
		return harmlessAnswer(format(outputs.map((output) => harmlessData(dataWithHintsFor(output, write)))));
	} catch (thrown) {
		const answer = formatFailure?.(harmlessError(withHintFor(asLspError(thrown), write)));
		if (answer) return harmlessAnswer(answer);
		throw thrown;
	}
}

function harmlessAnswer({ texts, next, ...rest }: ToolAnswer): ToolAnswer {
	return { texts: texts.map(harmless), ...(next === undefined ? {} : { next: harmless(next) }), ...rest };
}

export function failureText(tool: OfferedTool, failure: LspError): string {
	const error = harmlessError(failure);
	if (error.details.error === "phase_violation") return violationText(error);
	return harmless(tool.formatError?.(error) ?? describeError(error));
}

/** In agent-lsp's form, for every profile. */
export function violationText({ details: { suggestion: _, ...violation } }: LspError): string {
	return JSON.stringify(violation);
}

export function operationTool(operation: AnyOperation, write: WriteCall): OfferedTool {
	const { title, description, effect, input, output, alsoNamed } = operation;
	const name = `lsp_${operation.name}`;
	return {
		name,
		alsoNamed,
		title,
		description,
		effect,
		input,
		output,
		callOf(wanted) {
			const [own, field] = wanted.split(" ");
			if (own !== operation.name) return undefined;
			return field === undefined ? name : `${name} ${JSON.stringify({ [field]: true })}`;
		},
		parse: (args, { name: called = name, check }) =>
			operationCall(operation, check?.({ name: called, input }, args) ?? args, write),
	};
}

export function operationCall(operation: AnyOperation, input: unknown, write: WriteCall): ToolCall {
	return {
		operation: operation.name,
		inputs: [input],
		format([output]) {
			const text = answerText(operation, output, input, write);
			const note = operation.note?.(output as never);
			const next = operation.fallback?.(output as never, input as never);
			return {
				texts: [note ? `${text}\n${note}` : text],
				...(next ? { next: `next: ${write(next)}` } : {}),
				value: output as object,
			};
		},
	};
}
