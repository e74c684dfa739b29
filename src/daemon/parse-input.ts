import { type TSchema, TypeRegistry } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { Check, Convert } from "@sinclair/typebox/value";
import { LspError } from "../contract/errors.ts";
import type { AnyOperation } from "../contract/operation.ts";
import { didYouMean } from "../render/nearest-names.ts";

// TypeBox's unsafe type: enumerated strings in inputs, objects in results.
TypeRegistry.Set<TSchema>("Unsafe", ({ enum: values }, value) =>
	Array.isArray(values) ? values.includes(value) : typeof value === "object",
);

const maxTextLength = 64 * 1024;
const maxFileLength = 16 * 1024 * 1024;

/** "3" becomes 3: models and shells send it. Throws LSP_INVALID_INPUT. */
export function parseInput({ name, input }: AnyOperation, raw: unknown): never {
	const value = Check(input, raw) ? raw : converted(name, input, raw);
	const unknown = Object.keys(value as object).find((key) => !Object.hasOwn(input.properties, key));
	if (unknown !== undefined)
		throw new LspError(
			"LSP_INVALID_INPUT",
			`${name} takes no "${unknown}".${didYouMean(unknown, Object.keys(input.properties))}`,
			{ operation: name, field: unknown },
		);
	for (const [field, given] of Object.entries(value as object)) {
		const schema = input.properties[field];
		const isFile = (schema?.contentMediaType ?? schema?.items?.contentMediaType) !== undefined;
		const most = isFile ? maxFileLength : maxTextLength;
		if (longestIn(given) > most)
			throw new LspError("LSP_INVALID_INPUT", `${name}: ${field}: Expected a text of at most ${most} characters.`, {
				operation: name,
				field,
			});
	}
	return value as never;
}

function longestIn(value: unknown, levels = 12): number {
	if (typeof value === "string") return value.length;
	if (typeof value !== "object" || value === null) return 0;
	if (levels === 0) return Number.POSITIVE_INFINITY;
	return Object.values(value).reduce((most: number, each) => Math.max(most, longestIn(each, levels - 1)), 0);
}

function converted(name: string, input: TSchema, raw: unknown): unknown {
	const value: unknown = Convert(input, raw ?? {});
	const [first] = Errors(input, value);
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

function isRequired({ required = [] }: TSchema, field: string): boolean {
	return (required as readonly string[]).includes(field);
}
