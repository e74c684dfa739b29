import { parse } from "smol-toml";

export type TomlTable = Readonly<Record<string, unknown>>;

/** In UTF-16 units. A longer text would keep the event loop busy for more than 200 ms. */
const maxLength = 256 * 1024;

/** The tables of a TOML text; none if the text is no TOML, or too long. */
export function readToml(text: string): TomlTable {
	if (text.length > maxLength) return {};
	try {
		return parse(text);
	} catch {
		return {};
	}
}

/** The table at a path (`"tool", "poetry"`) of a table; an empty one if there is none. */
export function tableAt(table: TomlTable, ...path: readonly string[]): TomlTable {
	return path.reduce((outer, name) => asTable(Object.hasOwn(outer, name) ? outer[name] : undefined), table);
}

/** A value of a TOML text, if it is a table; else an empty table. */
function asTable(value: unknown): TomlTable {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}

/** A value of a TOML text, if it is a string. */
export function stringOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

/** The strings of a list in a TOML text; none if the value is no list. */
export function stringsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
