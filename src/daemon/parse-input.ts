import { type TSchema, TypeRegistry } from "@sinclair/typebox";
import { Errors, type ValueError } from "@sinclair/typebox/errors";
import { Check, Convert } from "@sinclair/typebox/value";
import { LspError } from "../contract/errors.ts";
import type { AnyOperation, ObjectSchema } from "../contract/operation.ts";
import { didYouMean } from "../render/nearest-names.ts";

// TypeBox's unsafe type: enumerated strings, objects, or anything that Google's API wants a type for.
TypeRegistry.Set<TSchema>("Unsafe", ({ enum: values, type }, value) =>
	Array.isArray(values) ? values.includes(value) : type !== "object" || typeof value === "object",
);

const maxTextLength = 64 * 1024;
const maxFileLength = 16 * 1024 * 1024;

interface Called {
	readonly name: string;
	readonly input: TSchema & ObjectSchema;
}

/** Also checks lengths of texts. Throws LSP_INVALID_INPUT. */
export function parseInput({ name, input }: AnyOperation, raw: unknown): never {
	const value = convertInput({ name, input }, raw);
	for (const [field, given] of Object.entries(value)) {
		const schema = input.properties[field];
		const isFile = (schema?.contentMediaType ?? schema?.items?.contentMediaType) !== undefined;
		const most = isFile ? maxFileLength : maxTextLength;
		if (longestIn(given) > most)
			throw new LspError("LSP_INVALID_INPUT", `${field}: Expected a text of at most ${most} characters.`, {
				operation: name,
				field,
			});
	}
	return value as never;
}

/** Models and shells send "3" for 3; no number becomes text. Throws LSP_INVALID_INPUT. */
export function convertInput(called: Called, raw: unknown): object {
	const { name, input } = called;
	const value = (Check(input, raw) ? raw : converted(called, raw)) as object;
	const unknown = Object.keys(value).find((key) => !Object.hasOwn(input.properties, key));
	if (unknown !== undefined)
		throw new LspError(
			"LSP_INVALID_INPUT",
			`${name} takes no "${unknown}".${didYouMean(unknown, Object.keys(input.properties))}`,
			{ operation: name, field: unknown },
		);
	return value;
}

function longestIn(value: unknown, levels = 12): number {
	if (typeof value === "string") return value.length;
	if (typeof value !== "object" || value === null) return 0;
	if (levels === 0) return Number.POSITIVE_INFINITY;
	return Object.values(value).reduce((most: number, each) => Math.max(most, longestIn(each, levels - 1)), 0);
}

function converted({ name, input }: Called, raw: unknown): unknown {
	// Convert changes its argument.
	const value: unknown = Convert(input, structuredClone(raw ?? {}));
	const first = otherType(input, raw) ?? [...Errors(input, value)][0];
	if (first) {
		const field = first.path.slice(1).replaceAll("/", ".") || "input";
		const values: unknown = first.schema.enum;
		const near = Array.isArray(values) && typeof first.value === "string" ? didYouMean(first.value, values) : "";
		const expected = Array.isArray(values) ? `Expected one of ${values.join(", ")}.${near}` : `${first.message}.`;
		const mistake =
			first.value === undefined && isRequired(input, field) ? `${field} is missing.` : `${field}: ${expected}`;
		throw new LspError("LSP_INVALID_INPUT", `${name}: ${mistake}`, { operation: name, field });
	}
	return value;
}

/** TypeBox would also make texts of numbers and numbers of booleans. */
function otherType(schema: TSchema, value: unknown, path = ""): ValueError | undefined {
	if (typeof value === "number" || typeof value === "boolean") {
		const [error] = Errors(schema, value);
		const item: TSchema | undefined = schema.type === "array" ? schema.items : undefined;
		return item ? otherType(item, value, path) : error && { ...error, path };
	}
	if (typeof value !== "object" || value === null) return undefined;
	for (const [key, each] of Object.entries(value)) {
		const own: TSchema | undefined = Array.isArray(value) ? schema.items : schema.properties?.[key];
		const error = own && otherType(own, each, `${path}/${key}`);
		if (error) return error;
	}
	return undefined;
}

function isRequired({ required = [] }: TSchema, field: string): boolean {
	return (required as readonly string[]).includes(field);
}
