import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { TSchema } from "@sinclair/typebox";
import { LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { optionMistake } from "./option-mistake.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

const commonOptions = {
	json: { type: "boolean" },
	"no-daemon": { type: "boolean" },
	config: { type: "string" },
	"audit-log": { type: "string" },
	help: { type: "boolean", short: "h" },
} as const satisfies Options;

type Schemas = Readonly<Record<string, TSchema>>;

export function optionsOf({ input }: AnyOperation, more: Schemas = {}): Options {
	const options: Options = { ...commonOptions };
	for (const [name, schema] of Object.entries({ ...input.properties, ...more })) {
		if (schema.type === "boolean") options[name] = { type: "boolean" };
		else if (schema.type === "array") options[name] = { type: "string", multiple: true };
		else options[name] = { type: "string" };
	}
	return options;
}

/** Throws LSP_INVALID_INPUT. */
export function parseWords(operation: AnyOperation, args: readonly string[], more: Schemas = {}) {
	try {
		return parseArgs({
			args: withUnderscores(operation, args),
			options: optionsOf(operation, more),
			allowPositionals: true,
		});
	} catch (error) {
		const known = Object.entries({ ...commonOptions, ...operation.input.properties, ...more }).map(
			([name, schema]): [string, readonly string[]] => [name, valuesOf(schema)],
		);
		throw new LspError("LSP_INVALID_INPUT", `${operation.name}: ${optionMistake(error, Object.fromEntries(known))}`);
	}
}

export function valuesOf(schema: object): readonly string[] {
	const { enum: own, items } = schema as TSchema;
	const values: unknown = own ?? items?.enum;
	return Array.isArray(values) ? values : [];
}

/** `--dry-run` means `dry_run`. */
function withUnderscores({ input }: AnyOperation, args: readonly string[]): string[] {
	const end = args.indexOf("--");
	return args.map((arg, index) => {
		const [, name = "", rest = ""] = /^--([a-z]+(?:-[a-z]+)+)(=.*)?$/s.exec(arg) ?? [];
		const field = name.replaceAll("-", "_");
		const isField = Object.hasOwn(input.properties, field) && (end < 0 || index < end);
		return isField ? `--${field}${rest}` : arg;
	});
}

/** A last list takes all remaining words; `FILE:LINE:COLUMN` is split if there is a line. Throws LSP_INVALID_INPUT. */
export function inputOf(operation: AnyOperation, values: Values, words: readonly string[]): Record<string, unknown> {
	const input: Record<string, unknown> = {};
	for (const name of Object.keys(operation.input.properties))
		if (values[name] !== undefined) input[name] = values[name];
	for (const [name, { type, items }] of Object.entries(operation.input.properties))
		if (type === "array" && items?.type === "object" && Array.isArray(input[name]))
			input[name] = input[name].flatMap((each) => objectsIn(String(each), `${operation.name}: ${name}`));
	const { positional = [] } = operation;
	for (const [index, name] of positional.entries()) {
		const isList = operation.input.properties[name]?.type === "array";
		if (isList && words.length > index) input[name] = words.slice(index);
		else if (words[index] !== undefined) input[name] = words[index];
	}
	const last = positional.at(-1);
	const takesAll = last !== undefined && operation.input.properties[last]?.type === "array";
	const extra = words[positional.length];
	if (extra !== undefined && !takesAll)
		throw new LspError("LSP_INVALID_INPUT", `${operation.name}: "${extra}" is one word too many.`);
	return withNumbers(operation, splitFileAndLine(operation, input));
}

/** Throws LSP_INVALID_INPUT. */
function objectsIn(word: string, where: string): unknown {
	try {
		return JSON.parse(word);
	} catch {
		throw new LspError("LSP_INVALID_INPUT", `${where}: Expected JSON.`);
	}
}

function withNumbers({ input: { properties } }: AnyOperation, input: Record<string, unknown>): Record<string, unknown> {
	const isNumber = (name: string, value: unknown) =>
		["integer", "number"].includes(properties[name]?.type) &&
		typeof value === "string" &&
		/^-?\d+(\.\d+)?$/.test(value);
	return Object.fromEntries(
		Object.entries(input).map(([name, value]) => [name, isNumber(name, value) ? Number(value) : value]),
	);
}

/** Options for texts name a file; `-` is standard input. Rejects with LSP_FILE_NOT_FOUND. */
export async function withTexts(
	{ input: { properties } }: AnyOperation,
	input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
	const read: Record<string, unknown> = { ...input };
	for (const [name, value] of Object.entries(input)) {
		const schema = properties[name];
		if (schema?.contentMediaType !== undefined && typeof value === "string") read[name] = await given(value);
		else if (schema?.items?.contentMediaType !== undefined && Array.isArray(value))
			read[name] = await Promise.all(value.map((each) => given(String(each))));
	}
	return read;
}

export async function withPaths(
	input: Readonly<Record<string, unknown>>,
	values: Values,
): Promise<Record<string, unknown>> {
	if (!values["stdin-paths"]) return { ...input };
	const { files = [] } = input;
	const paths = (await text(process.stdin)).split(/[\0\r\n]+/).filter(Boolean);
	return { ...input, files: [...(files as string[]), ...paths] };
}

async function given(path: string): Promise<string> {
	const found = path === "-" ? await text(process.stdin) : await readText(path, anySource);
	if (found === undefined) throw new LspError("LSP_FILE_NOT_FOUND", `${path} cannot be read.`, { file_path: path });
	return found;
}

function splitFileAndLine(
	{ input: { properties } }: AnyOperation,
	input: Record<string, unknown>,
): Record<string, unknown> {
	const { file } = input;
	if (!properties.line || typeof file !== "string" || existsSync(file)) return input;
	const match = /^(.+?):(\d+)(?::(\d+))?$/.exec(file);
	if (!match) return input;
	const [, path, line, column] = match;
	return { ...input, file: path, line, ...(column === undefined ? {} : { column }) };
}
