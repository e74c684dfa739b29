import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type TProperties, Type } from "@sinclair/typebox";
import type { Profile } from "../../config/read-settings.ts";
import { LspError } from "../../contract/errors.ts";
import type { AliasContext, AnyAlias, AnyOperation } from "../../contract/operation.ts";
import { oneOf } from "../../contract/schema.ts";
import { operations } from "../../operations/index.ts";
import { incompleteLine } from "../../render/answers/incomplete.ts";
import type { OfferedTool, ToolAnswer, ToolCall } from "./tool-definitions.ts";

/** Tools with the names, parameters and answers of another product. */
export function compatTools(profile: Profile): OfferedTool[] {
	const tools = new Map<string, [AnyOperation, AnyAlias][]>();
	for (const operation of operations)
		for (const alias of operation.aliases ?? [])
			if (alias.profile === profile) tools.set(alias.name, [...(tools.get(alias.name) ?? []), [operation, alias]]);
	return [...tools.values()].map((aliases) => {
		const [[operation, alias]] = aliases as [[AnyOperation, AnyAlias]];
		return alias.choice === undefined ? aliasTool(operation, alias) : choiceTool(aliases, alias);
	});
}

function aliasTool(operation: AnyOperation, alias: AnyAlias): OfferedTool {
	const { name, alsoNamed, description, input } = alias;
	const { title } = operation;
	const effect = alias.effect ?? operation.effect;
	return {
		name,
		alsoNamed,
		title,
		description,
		effect,
		input,
		callOf: (wanted) => (wanted === operation.name ? name : undefined),
		parse: (args, cwd) => aliasCall(operation, alias, args, cwd),
		formatError: (error) => formatError(alias, error),
	};
}

/** Its field `operation` selects an alias. */
function choiceTool(aliases: readonly [AnyOperation, AnyAlias][], first: AnyAlias): OfferedTool {
	const { name } = first;
	const choices = aliases.flatMap(([, { choice }]) => choice ?? []);
	const properties: TProperties = Object.assign({}, ...aliases.map(([, { input }]) => input.properties));
	const isRequired = (key: string) => aliases.every(([, { input }]) => input.required?.includes(key));
	const parameters = Object.entries(properties).map(([key, schema]) => [
		key,
		isRequired(key) ? schema : Type.Optional(schema),
	]);
	return {
		name,
		title: "Language server",
		description: aliases.map(([, { choice, description }]) => `${choice}: ${description}`).join(" "),
		effect: "read",
		input: Type.Object({
			operation: oneOf(choices, "The LSP operation to perform"),
			...Object.fromEntries(parameters),
		}),
		callOf(wanted) {
			const alias = aliases.find(([operation]) => operation.name === wanted)?.[1];
			return alias && `${name} ${JSON.stringify({ operation: alias.choice })}`;
		},
		parse({ operation: choice, ...args }, cwd) {
			const found = aliases.find(([, alias]) => alias.choice === choice);
			if (!found) throw new LspError("LSP_INVALID_INPUT", `${name}: operation: Expected one of ${choices.join(", ")}.`);
			const [operation, alias] = found;
			// A model may send parameters of the other operations.
			const own = Object.entries(args).filter(([key]) => key in alias.input.properties || !(key in properties));
			return aliasCall(operation, alias, Object.fromEntries(own), cwd);
		},
		formatError: (error) => formatError(first, error),
	};
}

function formatError(alias: AnyAlias, error: LspError): string | undefined {
	const value = alias.toError?.(error.toJSON());
	return value === undefined ? undefined : JSON.stringify(value);
}

function aliasCall(
	operation: AnyOperation,
	alias: AnyAlias,
	args: Readonly<Record<string, unknown>>,
	cwd: string,
): ToolCall {
	const { name } = alias;
	const { properties, required = [] } = alias.input;
	const missing = required.find((key) => args[key] === undefined);
	if (missing !== undefined)
		throw new LspError("LSP_INVALID_INPUT", `${name}: ${missing}: Expected required property.`);
	for (const [key, { enum: values }] of Object.entries(properties))
		if (Array.isArray(values) && args[key] !== undefined && !values.includes(args[key]))
			throw new LspError("LSP_INVALID_INPUT", `${name}: ${key}: Expected one of ${values.join(", ")}.`);
	const unknown = Object.keys(args).find((key) => !Object.hasOwn(properties, key));
	if (unknown !== undefined) throw new LspError("LSP_INVALID_INPUT", `${name} takes no "${unknown}".`);
	const context = aliasContext(cwd);
	const inputs: readonly unknown[] = [alias.toInput(args as never, context)].flat();
	return {
		operation: operation.name,
		inputs,
		format(outputs) {
			const output = outputs[0] as never;
			const value = alias.toOutput
				? alias.toOutput(output, args as never, context)
				: outputs.map((each, index) => operation.render(each as never, inputs[index] as never)).join("\n");
			const note = outputs.length > 0 ? alias.note?.(output) : undefined;
			return answerOf(value, [...(note === undefined ? [] : [note]), ...incompleteLine(output)]);
		},
		formatFailure(error) {
			const value = alias.toFailed?.(error.toJSON(), args as never);
			return value === undefined ? undefined : answerOf(value);
		},
	};
}

function answerOf(value: unknown, notes: readonly string[] = []): ToolAnswer {
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return {
		texts: [typeof value === "string" ? value : JSON.stringify(value), ...notes],
		...(isObject ? { value } : {}),
	};
}

function aliasContext(cwd: string): AliasContext {
	const isUri = (text: string) => /^[a-z][a-z\d+.-]+:/i.test(text);
	const absolute = (path: string) => (isUri(path) ? path : resolve(cwd, path));
	return {
		absolute,
		uri: (path) => (isUri(path) ? path : pathToFileURL(absolute(path)).href),
		path: (uri) => (uri.startsWith("file:") ? fileURLToPath(uri) : uri),
		names: (profile, which) =>
			operations
				.filter(({ name }) => which(name))
				.flatMap(({ aliases = [] }) => aliases.filter((alias) => alias.profile === profile).map(({ name }) => name)),
	};
}
