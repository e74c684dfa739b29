import type { TSchema } from "@sinclair/typebox";
import manifest from "../../../package.json" with { type: "json" };
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { valuesOf } from "../tools/command-line.ts";
import { commandLine } from "../tools/format-answer.ts";
import { optionName } from "../tools/option-mistake.ts";
import { schemasOf } from "./check-options.ts";
import type { Command } from "./commands.ts";

export function version(): string {
	return manifest.version;
}

const groupTitles = [
	["read", "Questions"],
	["write", "Changes, written whole or not at all"],
	["control", "Servers and the daemon"],
] as const;
const maxLeft = 34;

interface HelpGroup {
	readonly title: string;
	readonly rows: readonly HelpRow[];
}

interface HelpRow {
	readonly usage: string;
	readonly summary: string;
	readonly about: string;
	/** By the option with its value. */
	readonly options: readonly (readonly [string, string])[];
}

export function helpGroups(
	commands: Readonly<Record<string, Command>>,
	added: readonly AnyOperation[] = [],
): HelpGroup[] {
	const ofOperations = groupTitles.map(([effect, title]) => {
		const those = operations.filter((operation) => operation.effect === effect);
		return { title, rows: those.map(rowOf) };
	});
	const ofCommands = Object.entries(commands).map(([name, { usage: words, summary, options = {} }]) => ({
		usage: `${name} ${words}`.trim(),
		summary,
		about: `${summary}.`,
		options: Object.entries(options).map(([option, about]) => [`--${option}`, about] as const),
	}));
	const ofPackages = added.length > 0 ? [{ title: "Of packages", rows: added.map(rowOf) }] : [];
	return [...ofOperations, ...ofPackages, { title: "pi-lsp itself", rows: ofCommands }];
}

function rowOf(operation: AnyOperation): HelpRow {
	const { title, description, positional = [] } = operation;
	const options = Object.entries(schemasOf(operation)).filter(([key]) => !positional.includes(key));
	return {
		usage: usage(operation),
		summary: title,
		about: description,
		options: options.map(([key, schema]) => [optionName(key), withValues(schema)] as const),
	};
}

export const helpEnd: readonly string[] = [
	"Every command takes --json (the data instead of text), --no-daemon (no background process) and --help; every question",
	"also --config FILE (a configuration for this call, ours or agent-lsp's, over all others) and --audit-log FILE.",
	"Lines and columns count from 1. Exit codes: 0 done or clean, 1 findings, 2 usage, 3 not proven.",
];

export function overview(commands: Readonly<Record<string, Command>>, added: readonly AnyOperation[] = []): string {
	const groups = helpGroups(commands, added);
	const width = Math.min(maxLeft, Math.max(...groups.flatMap(({ rows }) => rows.map((row) => row.usage.length))));
	return [
		"pi-lsp: what the compiler knows about your code, from real language servers kept warm in the background.",
		"",
		"Usage: pi-lsp COMMAND [WORDS] [OPTIONS]",
		"",
		...groups.flatMap(({ title, rows }) => [
			`${title}:`,
			...rows.map((row) => `  ${row.usage.padEnd(width)}  ${row.summary}`),
			"",
		]),
		...helpEnd,
	].join("\n");
}

export function helpFor(operation: AnyOperation): string {
	const { description, input, positional = [], example, checks = false } = operation;
	const options = Object.entries(schemasOf(operation)).filter(([key]) => !positional.includes(key));
	const words = Object.entries(input.properties).filter(([key]) => positional.includes(key));
	const width = Math.max(12, ...Object.keys(schemasOf(operation)).map((key) => key.length + 2));
	const answer = operation.render(example.output as never, example.input as never);
	const row = (left: string, schema: TSchema) => `  ${left.padEnd(width)}  ${withValues(schema)}`;
	return [
		`Usage: pi-lsp ${usage(operation)}${options.length ? " [OPTIONS]" : ""}`,
		"",
		description,
		...(checks ? ["Exit codes: 0 all proven clean, 1 findings, 2 usage, 3 something was not proven."] : []),
		...(words.length ? ["", ...words.map(([key, schema]) => row(key.toUpperCase(), schema))] : []),
		...(options.length ? ["", ...options.map(([key, schema]) => row(optionName(key), schema))] : []),
		"",
		`Example: ${commandLine(operation, example.input as Record<string, unknown>)}`,
		...(answer === "" ? [] : ["", ...answer.split("\n").map((line) => `  ${line}`)]),
	].join("\n");
}

function withValues(schema: TSchema): string {
	const { description: text = "" } = schema;
	const values = valuesOf(schema);
	if (values.every((value) => text.includes(value))) return text;
	const [, before = text, more = ""] = /^(.*) \(([^()]*)\)$/.exec(text) ?? [];
	return `${before} (${values.join(", ")}${more && `; ${more}`})`;
}

export function helpForCommand(name: string, { usage: words, summary, options = {} }: Command): string {
	const rows = Object.entries(options).map(([option, about]) => [`--${option}`, about] as const);
	const width = Math.max(0, ...rows.map(([option]) => option.length));
	return [
		`Usage: pi-lsp ${`${name} ${words}`.trim()}${rows.length > 0 ? " [OPTIONS]" : ""}`,
		"",
		`${summary}.`,
		...(rows.length > 0 ? ["", ...rows.map(([option, about]) => `  ${option.padEnd(width)}  ${about}`)] : []),
	].join("\n");
}

export function writeCommand(command: string): string {
	if (command === "usage") return "the command's `--help`";
	if (command === "help") return "`pi-lsp --help`";
	if (command.startsWith("--")) return `\`${command}\``;
	const [own, field] = command.split(" ");
	const operation = operations.find(({ name }) => name === own);
	if (operation && field !== undefined) return `\`pi-lsp ${own} ${optionName(field)}\``;
	const words = (operation?.positional ?? []).filter((key) => operation?.input.required?.includes(key));
	return `\`${["pi-lsp", command, ...words.map((word) => word.toUpperCase())].join(" ")}\``;
}

function usage({ name, positional = [], input }: AnyOperation): string {
	const words = positional.map((key) => {
		const word =
			input.properties[key]?.type === "array"
				? `${key.toUpperCase().replace(/(?<=CH)ES$|S$/, "")}…`
				: key.toUpperCase();
		return input.required?.includes(key) ? word : `[${word}]`;
	});
	return [name, ...words].join(" ");
}
