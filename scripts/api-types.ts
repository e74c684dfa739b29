/**
 * The declarations of the public API: `Operations`, from the schemas of the operations, and those of
 * `src/faces/api/types.ts`.
 */

import { operations } from "../src/operations/index.ts";

interface Schema {
	readonly type?: string;
	readonly description?: string;
	readonly enum?: readonly string[];
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[] | undefined;
}

/** TypeScript's types by those of JSON schema. */
const plain: Readonly<Record<string, string>> = {
	string: "string",
	integer: "number",
	number: "number",
	boolean: "boolean",
};

/** `types` is the text of `src/faces/api/types.ts`. Throws for a form of schema that no operation has. */
export function apiTypes(types: string): string {
	const members = operations.map(
		({ name, description, input, output }) =>
			`${comment(description)}readonly ${name}: { readonly input: ${typeOf(input)}; readonly output: ${typeOf(output)} };\n`,
	);
	return indented(`export interface Operations {\n${members.join("")}}\n${withoutImports(types)}${values}`);
}

function indented(text: string): string {
	let depth = 0;
	const lines = text.split("\n").map((line) => {
		const bare = line.trim();
		if (bare.startsWith("}")) depth--;
		const shift = bare.startsWith("*") ? " " : "";
		const written = bare === "" ? "" : `${"\t".repeat(depth)}${shift}${bare}`;
		if (bare.endsWith("{")) depth++;
		return written;
	});
	return lines.join("\n");
}

function withoutImports(types: string): string {
	return types.replace(/^(?:\/\/.*|import .*;)\n/gm, "");
}

const values = `
/** Waits for nothing: the first call starts what it needs. */
export function createSession(options?: Options): Session;
/** Waits for nothing. */
export function createClient(options?: Options): Client;

export class LspError extends Error {
	/** \`LSP_FILE_NOT_FOUND\` and its like. */
	readonly code: string;
	readonly details: { readonly suggestion?: string; readonly [name: string]: unknown };
}

export type CheckReport = Output<"check">;
export type FileReport = CheckReport["files"][number];
export type Diagnostic = FileReport["diagnostics"][number];
`;

function typeOf(schema: Schema): string {
	const { type = "", items, properties, patternProperties } = schema;
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	if (type === "array" && items) return `readonly ${items.enum ? `(${typeOf(items)})` : typeOf(items)}[]`;
	const [every] = Object.values(patternProperties ?? {});
	if (every) return `{ readonly [name: string]: ${typeOf(every)} }`;
	if (type === "object") return properties ? objectType(properties, schema.required ?? []) : "object";
	if (type === "") return "unknown";
	const found = plain[type];
	if (found === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
	return found;
}

function objectType(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
	if (Object.keys(properties).length === 0) return "{ readonly [name: string]: never }";
	const members = Object.entries(properties).map(([name, schema]) => {
		const mark = required.includes(name) ? "" : "?";
		return `${comment(schema.description)}readonly ${name}${mark}: ${typeOf(schema)};\n`;
	});
	return `{\n${members.join("")}}`;
}

function comment(text: string | undefined): string {
	return text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;
}
