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

const text = { type: "string" };
const texts = { type: "array", items: text };
const namedTexts = { type: "object", additionalProperties: text };

function shapeOf(field: Field): Schema {
	switch (field.kind) {
		case "truth":
			return { type: "boolean" };
		case "text":
			return text;
		case "texts":
			return texts;
		case "named texts":
			return namedTexts;
		case "object":
			return { type: "object" };
		case "anything":
			return {};
		case "one of":
			return { enum: field.values };
		case "number":
			return { type: "number", exclusiveMinimum: 0, maximum: field.most };
		case "command":
			return {
				anyOf: [
					{ type: "string", minLength: 1 },
					{ ...texts, minItems: 1 },
				],
			};
		case "languages":
			return { anyOf: [text, namedTexts] };
		case "candidates":
			return {
				type: "array",
				items: { type: "object", properties: { command: text, args: texts }, required: ["command"] },
			};
		case "section":
			return { anyOf: [{ type: "boolean" }, { $ref: "#/definitions/settings" }] };
		case "servers":
			return { $ref: "#/definitions/servers" };
	}
}

function objectOf(fields: Fields): Schema {
	const properties = Object.entries(fields).map(([name, field]) => {
		const notes = [
			...(field.launch ? ["In a repository's file it counts only with trust."] : []),
			...(field.user ? ["In the user's own file only."] : []),
		];
		return [name, { description: [field.doc, ...notes].join(" "), ...shapeOf(field) }] as const;
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
			settings: objectOf(settingFields),
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
