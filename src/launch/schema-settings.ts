import { join } from "node:path";
import { isUri, toPath, toUri } from "../util/positions.ts";

interface SchemaSetting {
	readonly file: string;
	readonly patterns: readonly string[];
}

type Settings = Readonly<Record<string, unknown>>;

/** `yaml.schemas` has patterns by schema, `json.schemas` a list; only files count. */
export function schemasInSettings(settings: Settings, root: string): SchemaSetting[] {
	const yaml = Object.entries(tableOf(tableOf(settings.yaml).schemas)).map(([name, patterns]) => ({ name, patterns }));
	const { schemas } = tableOf(settings.json);
	const json = (Array.isArray(schemas) ? schemas : []).map((entry: unknown) => {
		const { url, fileMatch } = tableOf(entry);
		return { name: url, patterns: fileMatch };
	});
	return [...yaml, ...json].flatMap(({ name, patterns }) => {
		if (typeof name !== "string") return [];
		const plain = name.replace(/#.*$/, "");
		const file = isUri(plain) ? toPath(plain) : join(root, plain);
		const texts = [patterns].flat().filter((pattern) => typeof pattern === "string");
		return file === undefined ? [] : [{ file, patterns: texts }];
	});
}

/** JSON's server takes only URIs: VS Code's client resolves paths. */
export function withSchemaUris(settings: Settings, root: string): Settings {
	const json = tableOf(settings.json);
	if (!Array.isArray(json.schemas)) return settings;
	const schemas = json.schemas.map((entry: unknown) => {
		const { url } = tableOf(entry);
		return typeof url === "string" && !isUri(url) ? { ...tableOf(entry), url: toUri(join(root, url)) } : entry;
	});
	return { ...settings, json: { ...json, schemas } };
}

function tableOf(value: unknown): Settings {
	return typeof value === "object" && value !== null ? (value as Settings) : {};
}
