import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** Google's API refuses `anyOf`, of which a union of literals consists. */
export function oneOf<const Values extends readonly string[]>(
	values: Values,
	description: string,
	more: { readonly default?: Values[number] } = {},
) {
	return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description, ...more });
}

export type ValueOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export type DeepReadonly<T> = T extends readonly (infer Item)[]
	? readonly DeepReadonly<Item>[]
	: T extends object
		? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
		: T;
