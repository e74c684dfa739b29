import { parse } from "smol-toml";
import { attempt } from "../../util/attempt.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

/** Longer texts may block for over 200 ms. */
const maxLength = 256 * 1024;

export function readToml(text: string): TomlTable {
	if (text.length > maxLength) return {};
	return attempt(() => parse(text), {});
}

export function tableAt(table: TomlTable, ...path: readonly string[]): TomlTable {
	return path.reduce((outer, name) => asTable(Object.hasOwn(outer, name) ? outer[name] : undefined), table);
}

function asTable(value: unknown): TomlTable {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}

export function stringOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

export function stringsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
