import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { TProperties } from "@sinclair/typebox";
import type { Profile } from "../../config/read-settings.ts";
import { LspError } from "../../contract/errors.ts";
import type { AliasContext, AnyAlias, AnyOperation, NextStep } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { operations } from "../../operations/index.ts";
import { incompleteLine } from "../../render/incomplete.ts";
import { isUri } from "../../util/positions.ts";
import type { CalledFrom, OfferedTool, ToolAnswer, ToolCall } from "./tool-definitions.ts";

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
		parse: (args, from) => aliasCall(operation, alias, args, from),
		formatError: (error) => formatError(alias, error),
	};
}

function choiceTool(aliases: readonly [AnyOperation, AnyAlias][], first: AnyAlias): OfferedTool {
	const { name } = first;
	const choices = aliases.flatMap(([, { choice }]) => choice ?? []);
	const properties: TProperties = Object.assign({}, ...aliases.map(([, { input }]) => input.properties));
	const isRequired = (key: string) => aliases.every(([, { input }]) => input.required?.includes(key));
	const parameters = Object.entries(properties).map(([key, schema]) => [
		key,
		isRequired(key) ? schema : t.optional(schema),
	]);
	return {
		name,
		title: "Language server",
		description: aliases.map(([, { choice, description }]) => `${choice}: ${description}`).join(" "),
		effect: "read",
		input: t.object({
			operation: t.oneOf(choices, "The LSP operation to perform"),
			...Object.fromEntries(parameters),
		}),
		callOf(wanted) {
			const alias = aliases.find(([operation]) => operation.name === wanted)?.[1];
			return alias && `${name} ${JSON.stringify({ operation: alias.choice })}`;
		},
		parse({ operation: choice, ...args }, from) {
			const found = aliases.find(([, alias]) => alias.choice === choice);
			if (!found) throw new LspError("LSP_INVALID_INPUT", `${name}: operation: Expected one of ${choices.join(", ")}.`);
			const [operation, alias] = found;
			const own = Object.entries(args).filter(([key]) => key in alias.input.properties || !(key in properties));
			return aliasCall(operation, alias, Object.fromEntries(own), from);
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
	given: Readonly<Record<string, unknown>>,
	{ cwd, name = alias.name, check }: CalledFrom,
): ToolCall {
	const args = (check?.({ name, input: alias.input }, given) ?? given) as Readonly<Record<string, unknown>>;
	const { properties, required = [] } = alias.input;
	const missing = required.find((key) => args[key] === undefined);
	if (missing !== undefined) throw new LspError("LSP_INVALID_INPUT", `${name}: ${missing} is missing.`);
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
			const meta = outputs.length > 0 ? alias.toMeta?.(output, value) : undefined;
			const notes = [...(note === undefined ? [] : [note]), ...incompleteLine(output)];
			// To a model pi shows an empty text as an invisible image, and `[]` omits the question.
			const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
			if (isEmpty && notes.length === 0) notes.push(operation.render(output, inputs[0] as never));
			const answer = answerOf(value, notes);
			return { ...answer, ...(meta ? { meta } : {}) };
		},
		formatFailure(error) {
			const value = alias.toFailed?.(error.toJSON(), args as never);
			return value === undefined ? undefined : answerOf(value);
		},
	};
}

/**
 * Undefined if no tool takes what is needed; leaves out what only narrows. Without symbol names the product gets text
 * with `@@` before it.
 */
export function aliasCallFor(profile: Profile, { operation: name, input }: NextStep): string | undefined {
	const operation = operations.find((each) => each.name === name);
	for (const alias of operation?.aliases ?? []) {
		if (alias.profile !== profile || alias.choice !== undefined) continue;
		const args = argumentsFor(alias, input, operation?.effect !== "write");
		if (!args) continue;
		const call = `${alias.name} ${JSON.stringify(args)}`;
		const isAnswered = operation?.effect === "write" && alias.effect === "read" && input.dry_run !== true;
		const writer = operations.flatMap(({ aliases = [] }) => aliases).find((each) => each.name === "apply_edit");
		return isAnswered && writer ? `${call}\`, then \`${writer.name} {"workspace_edit": the edit}` : call;
	}
	return undefined;
}

/** agent-lsp's scope of a pattern, not a position's line. */
const patternScope = ["line_scope_start", "line_scope_end"];

function argumentsFor(
	{ input: { properties, required = [] }, toInput }: AnyAlias,
	input: NextStep["input"],
	isQuestion: boolean,
): object | undefined {
	const sources = new Map<string, string>();
	const constants = new Map<string, unknown>();
	const parameters = Object.keys(properties);
	for (const left of [["line", "column", ...patternScope], ["position_pattern"]]) {
		const marks = parameters.filter((key) => !left.includes(key)).map((key) => [key, `\u0001${key}`] as const);
		try {
			const [made] = [toInput(Object.fromEntries(marks) as never, aliasContext("/"))].flat();
			for (const [field, value] of Object.entries(made as object)) {
				const [mark] = [value].flat();
				if (typeof mark !== "string" || !mark.startsWith("\u0001")) constants.set(field, value);
				else if (!sources.has(field)) sources.set(field, mark.slice(1));
			}
		} catch {
			// The alias refuses this mixture: equal names remain.
		}
	}
	const args: Record<string, unknown> = {};
	for (const [field, value] of Object.entries(input)) {
		if (constants.has(field) && constants.get(field) !== value) return undefined;
		const pattern = sources.get("pattern");
		const parameter = sources.get(field) ?? parameters.find((key) => key === field || key === `${field}_path`);
		const [plain] = [value].flat();
		const values: unknown = parameter === undefined ? undefined : properties[parameter]?.enum;
		if (Array.isArray(values) && !values.includes(plain)) return undefined;
		if (parameter !== undefined) args[parameter] = properties[parameter]?.type === "array" ? value : plain;
		else if (field === "symbol" && pattern !== undefined) args[pattern] = `@@${String(plain)}`;
		else if (!isQuestion && !constants.has(field)) return undefined;
	}
	return required.every((key) => key in args) ? args : undefined;
}

function answerOf(value: unknown, notes: readonly string[] = []): ToolAnswer {
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return {
		texts: [typeof value === "string" ? value : JSON.stringify(value), ...notes],
		...(isObject ? { value } : {}),
	};
}

function aliasContext(cwd: string): AliasContext {
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
