import {
	type ArrayOptions,
	type IntegerOptions,
	type SchemaOptions,
	type Static,
	type StringOptions,
	type TObject,
	type TProperties,
	type TSchema,
	Type,
} from "@sinclair/typebox";

export type ValueOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export type FieldsOf<Fields extends TProperties> = ValueOf<TObject<Fields>>;

export type DeepReadonly<T> = T extends readonly (infer Item)[]
	? readonly DeepReadonly<Item>[]
	: T extends object
		? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
		: T;

function described<Options extends SchemaOptions>(description?: string, more?: Options) {
	return { ...more, ...(description === undefined ? {} : { description }) };
}

const text = (description?: string, more?: StringOptions) => Type.String(described(description, more));
const integer = (description?: string, more?: IntegerOptions) => Type.Integer(described(description, more));
const positive = (description?: string, more?: IntegerOptions) => integer(description, { minimum: 1, ...more });
const number = (description?: string) => Type.Number(described(description));
const flag = (description?: string, more?: SchemaOptions) => Type.Boolean(described(description, more));
const texts = (description?: string, more?: ArrayOptions) => Type.Array(Type.String(), described(description, more));
const anyObject = (description?: string) => Type.Unsafe<object>(described(description, { type: "object" }));

function list<Item extends TSchema>(item: Item, description?: string, more?: ArrayOptions) {
	return Type.Array(item, described(description, more));
}

type Described<Fields> = readonly [fields: Fields] | readonly [description: string, fields: Fields];

function object<Fields extends TProperties>(...given: Described<Fields>) {
	return given.length === 1 ? Type.Object(given[0]) : Type.Object(given[1], described(given[0]));
}

function objects<Fields extends TProperties>(...given: Described<Fields>) {
	return given.length === 1 ? list(object(given[0])) : list(object(given[1]), given[0]);
}

/** Google's API refuses `anyOf`, of which a union of literals consists. */
function oneOf<const Values extends readonly string[]>(
	values: Values,
	description: string,
	more: { readonly default?: Values[number] } = {},
) {
	return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description, ...more });
}

function optional<Item extends TSchema>(item: Item) {
	return Type.Optional(item);
}

/** TypeBox's types by their descriptions. */
export const t = {
	...{ text, integer, positive, number, flag, texts, anyObject, list, object, objects, oneOf },
	optional: Object.assign(optional, {
		text: (...given: Parameters<typeof text>) => optional(text(...given)),
		integer: (...given: Parameters<typeof integer>) => optional(integer(...given)),
		positive: (...given: Parameters<typeof positive>) => optional(positive(...given)),
		number: (...given: Parameters<typeof number>) => optional(number(...given)),
		flag: (...given: Parameters<typeof flag>) => optional(flag(...given)),
		texts: (...given: Parameters<typeof texts>) => optional(texts(...given)),
		anyObject: (...given: Parameters<typeof anyObject>) => optional(anyObject(...given)),
		list: <Item extends TSchema>(...given: Parameters<typeof list<Item>>) => optional(list(...given)),
		object: <Fields extends TProperties>(...given: Described<Fields>) => optional(object(...given)),
		objects: <Fields extends TProperties>(...given: Described<Fields>) => optional(objects(...given)),
		oneOf: <const Values extends readonly string[]>(...given: Parameters<typeof oneOf<Values>>) =>
			optional(oneOf(...given)),
	}),
};
