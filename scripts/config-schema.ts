/**
 * `schema.json`, what an editor needs to know of `.pi-lsp.json` and of the user's `config.json`, and the tables of
 * docs/configuration.md, out of the one declaration of their fields. `fill-pages.ts` writes both.
 */

import { servers } from "../server.ts";
import { defaultSettings } from "../src/config/read-settings.ts";
import { type Field, type Fields, serverFields, settingFields } from "../src/config/schema.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The keywords of `Field`, which editors do not use, and the exclusion of zero bytes. */
const left = ["launch", "answers", "user", "as", "factor", "expected", "pattern"];

/** Some settings have other names than their fields. */
const defaults: Schema = {
	...defaultSettings,
	lsp: defaultSettings.enabled,
	servers: undefined,
	disable: [...defaultSettings.disabled],
	trustedRoots: [],
};

/** A repository's new server already needs trust for its program. */
const needsTrust = ({ launch, answers }: Field) => launch === true || answers === true;

function shapeOf(field: Field): Schema {
	return JSON.parse(
		JSON.stringify(field, (key, value) =>
			left.includes(key) || (key === "properties" && Object.keys(value).length === 0) ? undefined : value,
		),
	);
}

function objectOf(fields: Fields, over: Schema = {}): Schema {
	const properties = Object.entries(fields).map(([name, field]) => {
		const notes = [
			...(needsTrust(field) ? ["In a repository's file this needs trust."] : []),
			...(field.user ? ["Only in the user's own file."] : []),
		];
		const description = [field.description, ...notes].join(" ");
		const known = fields === settingFields && defaults[name] !== undefined ? { default: defaults[name] } : {};
		return [name, { ...(over[name] ?? shapeOf(field)), ...known, description }] as const;
	});
	return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

export function configSchema(): Schema {
	const server = { $ref: "#/definitions/server" };
	const byId = {
		type: "object",
		properties: Object.fromEntries(servers.map(({ id }) => [id, { anyOf: [{ const: false }, server] }])),
		additionalProperties: { anyOf: [{ const: false }, server] },
	};
	const pair = { type: "string", pattern: "^[^:\\s]+:.+$", description: "language:program,argument,…" };
	return {
		$schema: "http://json-schema.org/draft-07/schema#",
		title: "pi-lsp: .pi-lsp.json of a repository, config.json of a user",
		allowComments: true,
		allowTrailingCommas: true,
		$ref: "#/definitions/settings",
		definitions: {
			settings: objectOf(settingFields, {
				lsp: { anyOf: [{ type: "boolean" }, { $ref: "#/definitions/settings" }] },
				servers: { $ref: "#/definitions/servers" },
			}),
			server: objectOf(serverFields),
			servers: { anyOf: [byId, { type: "array", items: { anyOf: [server, pair] } }] },
		},
	};
}

/**
 * A row for each field: its names, its type, the default of a setting, whether a repository's value counts, its meaning.
 */
function fieldRows(fields: Fields): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		// A name with another unit has its own row.
		if (field.as !== undefined && field.factor === undefined) return [];
		const others = Object.keys(fields).filter((other) => fields[other]?.as === name && !fields[other]?.factor);
		const names = [name, ...others].map((each) => `\`${each}\``).join(", ");
		const value = defaults[name] === undefined ? "" : `\`${JSON.stringify(defaults[name])}\``;
		const ofRepository = field.user ? "no" : needsTrust(field) ? "with trust" : "yes";
		const row = [names, typeOf(field), ...(fields === settingFields ? [value] : []), ofRepository, field.description];
		return [`| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`];
	});
}

function typeOf({ enum: values, expected = "anything" }: Field): string {
	if (Array.isArray(values)) return values.map((value) => `\`"${value}"\``).join(", ");
	return expected.replace(/^an? /, "");
}

export const settingRows = fieldRows(settingFields);
export const serverFieldRows = fieldRows(serverFields);
