import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
	asLspError,
	dataWithHintsFor,
	describeError,
	LspError,
	type WriteCommand,
	withHintFor,
} from "../../contract/errors.ts";
import type { AnyAlias, AnyOperation, Effect, ObjectSchema, Reader } from "../../contract/operation.ts";
import { completionKinds, symbolKinds } from "../../contract/protocol-kinds.ts";
import { oneOf } from "../../operations/common/inputs.ts";
import { operations } from "../../operations/index.ts";
import { incompleteLine } from "../../render/answers/incomplete.ts";
import { harmless, harmlessData } from "../../render/harmless.ts";
import { answerText, harmlessError, type WriteCall } from "./format-answer.ts";
import { genericTool, helpText, operationNamed } from "./generic-tool.ts";

/** A tool as an agent is offered it: an operation, an operation under a seed's name, or the door to all of them. */
export interface OfferedTool {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly effect: Effect;
	readonly input: TSchema & ObjectSchema;
	/** What an answer's data looks like, where that is ours. */
	readonly output?: TSchema & ObjectSchema;
	/** How an operation is called by this tool; undefined for an operation that it does not carry out. */
	callOf(operation: string): string | undefined;
	/** What a call asks for. Rejects with LSP_INVALID_INPUT and LSP_UNKNOWN_OPERATION. */
	read(given: Readonly<Record<string, unknown>>, cwd: string): ToolCall;
	/** A failure in the seed's form; undefined where that is ours. */
	fail?(error: LspError): string | undefined;
}

/** A call of a tool in the words of the operations. */
export interface ToolCall {
	readonly operation: string;
	/** What is to be asked, one after the other; nothing where the answer is known. */
	readonly inputs: readonly unknown[];
	/** The answers as the model reads them; what it reads beside comes after the first text. */
	tell(outputs: readonly unknown[]): ToolAnswer;
	/** A failure that is an answer all the same; undefined where it is none. */
	tellFailed?(error: LspError): ToolAnswer | undefined;
}

export interface ToolAnswer {
	readonly texts: readonly string[];
	/** The same for programs, where it is an object. */
	readonly value?: object;
}

/** Carries a call out through `ask`; `write` gives the hints of errors in the answer the words of the face. */
export async function invoke(
	{ inputs, tell, tellFailed }: ToolCall,
	ask: (input: unknown) => Promise<unknown>,
	write: WriteCommand,
): Promise<ToolAnswer> {
	try {
		const outputs = await Promise.all(inputs.map(ask));
		// Before anything is written around it: what is in the data is not ours.
		return harmlessTold(tell(outputs.map((output) => harmlessData(dataWithHintsFor(output, write)))));
	} catch (thrown) {
		const told = tellFailed?.(harmlessError(withHintFor(asLspError(thrown), write)));
		if (told) return harmlessTold(told);
		throw thrown;
	}
}

function harmlessTold({ texts, ...rest }: ToolAnswer): ToolAnswer {
	return { texts: texts.map(harmless), ...rest };
}

/** A failure as the model reads it, in the tool's own form. */
export function failureText(tool: OfferedTool | undefined, failure: LspError): string {
	const error = harmlessError(failure);
	return harmless(tool?.fail?.(error) ?? describeError(error));
}

/** An operation as a tool of its own. */
export function operationTool(operation: AnyOperation, name: string, write: WriteCall): OfferedTool {
	const { title, description, effect, input, output } = operation;
	return {
		name,
		title,
		description,
		effect,
		input,
		output,
		callOf: (operationName) => (operationName === operation.name ? name : undefined),
		read: (given) => asking(operation, given, write),
	};
}

/** The tool that takes any operation by name. */
export function doorTool(write: WriteCall): OfferedTool {
	const effect = operations.some((operation) => operation.effect === "write") ? "write" : "control";
	return {
		...genericTool,
		effect,
		callOf: (operation) =>
			operation === "help" || operations.some(({ name }) => name === operation)
				? `${genericTool.name} ${JSON.stringify({ operation })}`
				: undefined,
		read({ operation: name, input = {} }) {
			if (name === "help") return { operation: "help", inputs: [], tell: () => ({ texts: [helpText(input)] }) };
			return asking(operationNamed(name), input, write);
		},
	};
}

function asking(operation: AnyOperation, input: unknown, write: WriteCall): ToolCall {
	return {
		operation: operation.name,
		inputs: [input],
		tell([output]) {
			const text = answerText(operation, output, input, write);
			const note = operation.note?.(output as never);
			return { texts: [note ? `${text}\n${note}` : text], value: output as object };
		},
	};
}

/** A seed's tool: one alias, or several that it tells apart by its field `operation`. */
export function aliasTool(aliases: readonly [AnyOperation, AnyAlias][]): OfferedTool {
	const [[operation, first]] = aliases as [[AnyOperation, AnyAlias]];
	const { name, choice, description } = first;
	const fail = (error: LspError) => {
		const value = first.toError?.(error.toJSON());
		return value === undefined ? undefined : JSON.stringify(value);
	};
	if (choice === undefined) {
		const { title, effect } = operation;
		return {
			name,
			title,
			description,
			effect,
			input: first.input,
			callOf: (wanted) => (wanted === operation.name ? name : undefined),
			read: (given, cwd) => aliasCall(operation, first, given, cwd),
			fail,
		};
	}
	const choices = aliases.flatMap(([, alias]) => alias.choice ?? []);
	const properties: TProperties = Object.assign({}, ...aliases.map(([, { input }]) => input.properties));
	const always = (key: string) => aliases.every(([, { input }]) => input.required?.includes(key));
	const parameters = Object.entries(properties).map(([key, schema]) => [
		key,
		always(key) ? schema : Type.Optional(schema),
	]);
	return {
		name,
		title: "Language server",
		description: aliases.map(([, alias]) => `${alias.choice}: ${alias.description}`).join(" "),
		effect: "read",
		input: Type.Object({
			operation: oneOf(choices, "The LSP operation to perform"),
			...Object.fromEntries(parameters),
		}),
		fail,
		callOf(wanted) {
			const alias = aliases.find(([{ name }]) => name === wanted)?.[1];
			return alias && `${name} ${JSON.stringify({ operation: alias.choice })}`;
		},
		read({ operation: chosen, ...given }, cwd) {
			const found = aliases.find(([, alias]) => alias.choice === chosen);
			if (!found) throw new LspError("LSP_INVALID_INPUT", `${name}: operation: Expected one of ${choices.join(", ")}.`);
			const [about, alias] = found;
			// The other operations' parameters are no mistake here: a model sends what the one schema has.
			const own = Object.entries(given).filter(([key]) => key in alias.input.properties || !(key in properties));
			return aliasCall(about, alias, Object.fromEntries(own), cwd);
		},
	};
}

function aliasCall(
	operation: AnyOperation,
	alias: AnyAlias,
	given: Readonly<Record<string, unknown>>,
	cwd: string,
): ToolCall {
	const { name } = alias;
	const { properties, required = [] } = alias.input;
	const missing = required.find((key) => given[key] === undefined);
	if (missing !== undefined)
		throw new LspError("LSP_INVALID_INPUT", `${name}: ${missing}: Expected required property.`);
	const unknown = Object.keys(given).find((key) => !Object.hasOwn(properties, key));
	if (unknown !== undefined) throw new LspError("LSP_INVALID_INPUT", `${name} takes no "${unknown}".`);
	const reader = readerAt(cwd);
	const inputs: readonly unknown[] = [alias.toInput(given as never, reader)].flat();
	return {
		operation: operation.name,
		inputs,
		tell(outputs) {
			const output = outputs[0] as never;
			const value = alias.toOutput
				? alias.toOutput(output, given as never, reader)
				: outputs.map((each, index) => operation.render(each as never, inputs[index] as never)).join("\n");
			const note = outputs.length > 0 ? alias.note?.(output) : undefined;
			return toldAs(value, [...(note === undefined ? [] : [note]), ...incompleteLine(output)]);
		},
		tellFailed(error) {
			const value = alias.toFailed?.(error.toJSON(), given as never);
			return value === undefined ? undefined : toldAs(value);
		},
	};
}

function toldAs(value: unknown, notes: readonly string[] = []): ToolAnswer {
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return {
		texts: [typeof value === "string" ? value : JSON.stringify(value), ...notes],
		...(isObject ? { value } : {}),
	};
}

/** Paths of answers are relative to the working directory. */
function readerAt(cwd: string): Reader {
	const isUri = (text: string) => /^[a-z][a-z\d+.-]+:/i.test(text);
	const absolute = (path: string) => (isUri(path) ? path : resolve(cwd, path));
	return {
		absolute,
		uri: (path) => (isUri(path) ? path : pathToFileURL(absolute(path)).href),
		path: (uri) => (uri.startsWith("file:") ? fileURLToPath(uri) : uri),
		symbolKind: (word) => symbolKinds.indexOf(word) + 1,
		completionKind: (word) => completionKinds.indexOf(word) + 1,
		names: (profile, which) =>
			operations
				.filter(({ name }) => which(name))
				.flatMap(({ aliases = [] }) => aliases.filter((alias) => alias.profile === profile).map(({ name }) => name)),
	};
}
