/**
 * `schema.json`, what an editor needs to know of `.pi-lsp.json` and of the user's `config.json`, out of the one
 * declaration of their fields. Run to write it: `node scripts/run-ts.mjs scripts/config-schema.ts`.
 */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { servers } from "../server.ts";
import { type Field, type Fields, serverFields, settingFields } from "../src/config/schema.ts";

type Schema = Readonly<Record<string, unknown>>;

/** What says nothing to an editor: the keywords of `Field`, and that no text has a zero byte. */
const left = ["launch", "answers", "user", "as", "factor", "expected", "pattern"];

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
			...(field.launch ? ["In a repository's file it counts only with trust."] : []),
			...(field.user ? ["In the user's own file only."] : []),
		];
		const description = [field.description, ...notes].join(" ");
		return [name, { ...(over[name] ?? shapeOf(field)), description }] as const;
	});
	return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

/** The whole schema. */
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

const file = fileURLToPath(new URL("../schema.json", import.meta.url));
if (process.argv[1]?.endsWith("config-schema.ts")) {
	writeFileSync(file, `${JSON.stringify(configSchema(), null, "\t")}\n`);
	execFileSync("npx", ["biome", "format", "--write", file], { stdio: "inherit" });
}
