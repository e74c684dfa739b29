import { type TSchema, TypeRegistry } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { Check, Convert } from "@sinclair/typebox/value";
import { LspError } from "../contract/errors.ts";
import type { AnyOperation } from "../contract/operation.ts";

// The only unsafe type that inputs have is a string out of a list (operations/inputs.ts); results have objects.
TypeRegistry.Set<TSchema>("Unsafe", ({ enum: values }, value) =>
	Array.isArray(values) ? values.includes(value) : typeof value === "object",
);

/** Paths, names and patterns are short: 12 MB for one of them kept the daemon busy for half a minute. */
const longestText = 64 * 1024;

/**
 * Checks and converts raw input, in the one place where that happens. Models send "3" for 3; shells can send nothing
 * else. Rejects with LSP_INVALID_INPUT, naming the first field that does not fit.
 */
export function parseInput({ name, input }: AnyOperation, raw: unknown): never {
	const value = Check(input, raw) ? raw : converted(name, input, raw);
	const unknown = Object.keys(value as object).find((key) => !Object.hasOwn(input.properties, key));
	if (unknown !== undefined)
		throw new LspError("LSP_INVALID_INPUT", `${name} takes no "${unknown}".`, { operation: name, field: unknown });
	const long = Object.entries(value as object).find(([, field]) => [field].flat().some(isTooLong));
	if (long)
		throw new LspError(
			"LSP_INVALID_INPUT",
			`${name}: ${long[0]}: Expected a text of at most ${longestText} characters.`,
			{
				operation: name,
				field: long[0],
			},
		);
	return value as never;
}

function isTooLong(value: unknown): boolean {
	return typeof value === "string" && value.length > longestText;
}

function converted(name: string, input: TSchema, raw: unknown): unknown {
	const value: unknown = Convert(input, raw ?? {});
	const [first] = Errors(input, value);
	if (first) {
		const field = first.path.slice(1).replaceAll("/", ".") || "input";
		const values: unknown = first.schema.enum;
		const expected = Array.isArray(values) ? `Expected one of ${values.join(", ")}` : first.message;
		throw new LspError("LSP_INVALID_INPUT", `${name}: ${field}: ${expected}.`, { operation: name, field });
	}
	return value;
}
