import type { TSchema } from "@sinclair/typebox";
import manifest from "../../../package.json" with { type: "json" };
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { commandLine } from "../tools/format-answer.ts";
import { schemasOf } from "./check-options.ts";
import type { Command } from "./commands.ts";

export function version(): string {
	return manifest.version;
}

export function overview(commands: Readonly<Record<string, Command>>): string {
	const rows = [
		...operations.map((operation) => [usage(operation), operation.title] as const),
		...Object.entries(commands).map(
			([name, { usage: words, summary }]) => [`${name} ${words}`.trim(), summary] as const,
		),
	];
	const width = Math.max(...rows.map(([left]) => left.length));
	return [
		"pi-lsp: what the compiler knows about your code, from real language servers kept warm in the background.",
		"",
		"Usage: pi-lsp COMMAND [WORDS] [OPTIONS]",
		"",
		...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
		"",
		"Every command takes --json (the data instead of text), --no-daemon (no background process) and --help; every question",
		"also --config FILE (a configuration for this call, ours or agent-lsp's, over all others) and --audit-log FILE.",
		"Lines and columns count from 1. Exit codes: 0 done or clean, 1 findings, 2 usage, 3 not proven.",
	].join("\n");
}

export function helpFor(operation: AnyOperation): string {
	const { description, input, positional = [], example } = operation;
	const options = Object.entries(schemasOf(operation)).filter(([key]) => !positional.includes(key));
	const words = Object.entries(input.properties).filter(([key]) => positional.includes(key));
	const width = Math.max(12, ...Object.keys(schemasOf(operation)).map((key) => key.length + 2));
	const row = (left: string, { description: text = "" }: TSchema) => `  ${left.padEnd(width)}  ${text}`;
	return [
		`Usage: pi-lsp ${usage(operation)}${options.length ? " [OPTIONS]" : ""}`,
		"",
		description,
		...(words.length ? ["", ...words.map(([key, schema]) => row(key.toUpperCase(), schema))] : []),
		...(options.length ? ["", ...options.map(([key, schema]) => row(`--${key}`, schema))] : []),
		"",
		`Example: ${commandLine(operation, example.input as Record<string, unknown>)}`,
		"",
		...operation
			.render(example.output as never, example.input as never)
			.split("\n")
			.map((line) => `  ${line}`),
	].join("\n");
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

/** A command in a hint, as it is typed into a shell: `pi-lsp symbols FILE`. */
export function writeCommand(command: string): string {
	if (command === "usage") return "the command's `--help`";
	if (command === "help") return "`pi-lsp --help`";
	if (command.startsWith("--")) return `\`${command}\``;
	const operation = operations.find(({ name }) => name === command);
	const words = (operation?.positional ?? []).filter((key) => operation?.input.required?.includes(key));
	return `\`${["pi-lsp", command, ...words.map((word) => word.toUpperCase())].join(" ")}\``;
}

function usage({ name, positional = [], input }: AnyOperation): string {
	const words = positional.map((key) => {
		const word =
			input.properties[key]?.type === "array" ? `${key.toUpperCase().replace(/S$/, "")}…` : key.toUpperCase();
		return input.required?.includes(key) ? word : `[${word}]`;
	});
	return [name, ...words].join(" ");
}
