import { dirname, join, resolve } from "node:path";
import { readToml, stringOf, stringsOf, type TomlTable, tableAt } from "../project/manifests/toml.ts";
import { isUri, toPath } from "../util/positions.ts";
import { anyManifest, readTextNow } from "../util/read-file.ts";

interface NamedSchema {
	readonly name: string;
	/** Undefined for another URL. */
	readonly file: string | undefined;
}

const configurations = [".tombi.toml", "tombi.toml", ".config/tombi.toml", "pyproject.toml"];
const directive = /^[ \t]*#:schema +(\S+)/gm;

/** Also schemas for other files. */
export function tomlSchemas(path: string, text: string): NamedSchema[] {
	const directory = dirname(path);
	const own = [...text.matchAll(directive)].map(([, name = ""]) => named(name, directory));
	return [...own, ...configuredSchemas(directory)];
}

export function schemaByUrl(path: string, text: string): string | undefined {
	return tomlSchemas(path, text).find(({ name }) => /^https?:/i.test(name))?.name;
}

/** The first readable one up to `/`, as tombi takes it. */
function configuredSchemas(directory: string): NamedSchema[] {
	for (const name of configurations) {
		const file = join(directory, name);
		const content = readTextNow(file, anyManifest);
		if (content === undefined) continue;
		const whole = readToml(content);
		const table = name === "pyproject.toml" ? tableAt(whole, "tool", "tombi") : whole;
		if (Object.keys(table).length === 0 && content.trim() !== "") continue;
		return namesIn(table).map((schema) => named(schema, directory));
	}
	const above = dirname(directory);
	return above === directory ? [] : configuredSchemas(above);
}

function namesIn(table: TomlTable): string[] {
	const schemas = Array.isArray(table.schemas) ? (table.schemas as unknown[]) : [];
	const paths = schemas.map((schema) => stringOf(tableAt({ schema }, "schema").path));
	const catalogues = stringsOf(tableAt(table, "schema", "catalog").paths);
	return [...paths.filter((path) => path !== undefined), ...catalogues];
}

function named(name: string, directory: string): NamedSchema {
	return { name, file: isUri(name) ? toPath(name) : resolve(directory, name) };
}
