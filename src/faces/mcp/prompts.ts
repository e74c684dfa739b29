import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { textPart } from "./tools.ts";

interface Template {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
	text(given: Readonly<Record<string, string>>): string;
}

const file = { name: "file", description: "Its path", required: true };
const symbol = { name: "symbol", description: "Its name, or Class.method", required: true };

/** They name tools of pi-lsp's own, which work under every profile. */
const templates: readonly Template[] = [
	{
		name: "check-changes",
		title: "Check what was changed",
		description: "Prove that the changed files are free of errors, and mend what the change broke",
		arguments: [{ ...file, description: "One file; without it all that were changed", required: false }],
		text: ({ file: one }) =>
			`Check ${one === undefined ? "every file that you have changed" : one} with lsp_check, scope "affected", and mend the errors that are new. Leave those that were there before. Repeat it until each file is "clean"; a file whose state is anything else is not proven, so say which and why instead of calling it clean.`,
	},
	{
		name: "explain-symbol",
		title: "Explain a symbol",
		description: "What a function, class or type is, who uses it, and which tests cover it",
		arguments: [file, symbol],
		text: ({ file: path, symbol: name }) =>
			`Explain ${name} in ${path}. Ask lsp_explore for its type, its source, its callers and its tests in one answer, and read other files only where that is not enough. Name each place as path:line.`,
	},
	{
		name: "rename-symbol",
		title: "Rename a symbol everywhere",
		description: "Rename through the language server, in all files or in none, and check the result",
		arguments: [file, symbol, { name: "new_name", description: "What it is called afterwards", required: true }],
		text: ({ file: path, symbol: name, new_name: wanted }) =>
			`Rename ${name} in ${path} to ${wanted} with lsp_rename, never by replacing text. Look with dry_run first if many files use it. Afterwards report which files changed and what is newly wrong; mend that, or take the rename back with lsp_undo.`,
	},
];

export const prompts = templates.map(({ name, title, description, arguments: given }) => ({
	name,
	title,
	description,
	arguments: [...given],
}));

/** Throws a ProtocolError. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>) {
	const template = templates.find((each) => each.name === name);
	const refuse = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
	if (!template) throw refuse(`There is no prompt "${harmlessData(oneLine(name))}".`);
	const missing = template.arguments.find((each) => each.required && !given[each.name]);
	if (missing) throw refuse(`${template.name}: ${missing.name} is missing.`);
	const values = Object.entries(given).flatMap(([key, value]) =>
		value === "" ? [] : [[key, oneLine(value)] as const],
	);
	const text = template.text(harmlessData(Object.fromEntries(values)));
	return { description: template.description, messages: [{ role: "user" as const, content: textPart(text) }] };
}
