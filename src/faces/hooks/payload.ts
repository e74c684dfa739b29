import { isObject } from "../../util/objects.ts";

export type Payload = Readonly<Record<string, unknown>>;

export function objectAt(payload: Payload, ...names: readonly string[]): Payload {
	const found = names.map((name) => payload[name]).find(isObject);
	return found ?? {};
}

export function textAt(payload: Payload, ...names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = payload[name];
		if (typeof value === "string") return value;
	}
	return undefined;
}

export function firstAt(payload: Payload, name: string): string | undefined {
	const list = payload[name];
	return Array.isArray(list) && typeof list[0] === "string" ? list[0] : undefined;
}

/** Some hosts write it as JSON. */
export function parsedObject(value: unknown): Payload | undefined {
	if (isObject(value)) return value;
	if (typeof value !== "string") return undefined;
	try {
		const parsed: unknown = JSON.parse(value);
		return isObject(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/** A name may be inherited by all objects, as `constructor`. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}
