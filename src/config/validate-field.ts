import { Errors, type ValueError, ValueErrorType } from "bundled-typebox/errors";
import { didYouMean } from "../render/nearest-names.ts";
import type { JsonPath } from "./json-reader.ts";
import type { Field } from "./schema.ts";

export interface Mistake {
	readonly at: JsonPath;
	readonly message: string;
}

/** Outermost first. */
export function mistakesIn(field: Field, value: unknown): Mistake[] {
	const mistakes: Mistake[] = [];
	let previous: string | undefined;
	for (const error of preciseErrors(Errors(field, value))) {
		if (previous !== undefined && `${error.path}/`.startsWith(`${previous}/`)) continue;
		previous = error.path;
		mistakes.push({ at: jsonPath(error.path, value), message: messageOf(error) });
	}
	return mistakes;
}

/** For a union, those of the alternative whose outermost type fits. */
function* preciseErrors(errors: Iterable<ValueError>): Generator<ValueError> {
	for (const error of errors) {
		const alternatives = error.errors.map((alternative) => ({ alternative, first: alternative.First() }));
		const fitting = alternatives.find(({ first }) => first && (first.path !== error.path || tooMany.has(first.type)));
		if (fitting?.first) {
			yield fitting.first;
			yield* fitting.alternative;
		} else yield error;
	}
}

const tooMany = new Set([ValueErrorType.ArrayMaxItems, ValueErrorType.ObjectMaxProperties]);

function messageOf({ type, schema, value }: ValueError): string {
	if (type === ValueErrorType.ObjectRequiredProperty) return "is missing";
	if (type === ValueErrorType.ArrayMaxItems) return `must be a list of at most ${schema.maxItems} items`;
	if (type === ValueErrorType.ObjectMaxProperties) return `must have at most ${schema.maxProperties} fields`;
	if (type === ValueErrorType.NumberMaximum || value === Number.POSITIVE_INFINITY)
		return `must be at most ${schema.maximum}, not ${value}`;
	const values: unknown = schema.enum;
	const near = Array.isArray(values) && typeof value === "string" ? didYouMean(value, values) : "";
	return `must be ${schema.expected}, not ${shown(value)}${near && `.${near}`}`;
}

/** RFC 6901. */
function jsonPath(pointer: string, value: unknown): JsonPath {
	let inner = value;
	return pointer
		.split("/")
		.slice(1)
		.map((part) => {
			const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
			const key = Array.isArray(inner) ? Number(name) : name;
			inner = (inner as Readonly<Record<string | number, unknown>> | undefined)?.[key];
			return key;
		});
}

function shown(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "string") return value.includes("\0") ? "a text with a zero byte" : quoted(value);
	return typeof value === "object" ? "an object" : String(value);
}

export function quoted(text: string): string {
	const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
	// JSON.stringify leaves bidirectional marks and some line ends.
	return shown.replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, "");
}
