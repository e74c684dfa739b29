import { parseArgs } from "node:util";
import { findDaemon } from "../daemon/connect.ts";
import { asLspError, describeError, LspError } from "../errors.ts";
import type { AnyOperation, NextStep } from "../operation.ts";
import { operations } from "../operations/index.ts";
import { harmlessData } from "../text/harmless.ts";
import { answerText, commandLine, harmlessError } from "./answer.ts";
import { callerFor } from "./cli-caller.ts";
import { commands } from "./cli-commands.ts";
import { callerConfig } from "./cli-config.ts";
import { helpFor, helpForCommand, overview, version } from "./cli-help.ts";
import { inputOf, optionsOf } from "./cli-input.ts";
import { withPerson } from "./person.ts";
import { print, printAside, printJson } from "./print.ts";
import { askAtTerminal } from "./terminal.ts";

/** Mistakes of the person at the keyboard: exit code 2. Everything else that goes wrong is 3: not proven. */
const usageErrors = new Set([
	"LSP_INVALID_INPUT",
	"LSP_UNKNOWN_OPERATION",
	"LSP_FILE_NOT_FOUND",
	"LSP_NOT_A_FILE",
	"LSP_OUTSIDE_WORKSPACE",
	"LSP_IGNORED_FILE",
	"LSP_CONFIG_INVALID",
	"LSP_SYMBOL_NOT_FOUND",
	"LSP_SYMBOL_AMBIGUOUS",
]);

/** Runs one command line and returns its exit code (design.md section 5). */
export async function main(args: readonly string[]): Promise<number> {
	const [word, ...rest] = args;
	const json = args.includes("--json");
	try {
		if (word === undefined || word === "help" || word === "--help" || word === "-h") return print(overview());
		if (word === "--version" || word === "-v") return print(version());
		const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
		if (command && rest.some((arg) => arg === "--help" || arg === "-h")) return print(helpForCommand(word, command));
		if (command) return await command.run(rest);
		const operation = operations.find(({ name }) => name === word);
		if (operation) return await runOperation(operation, rest);
		throw new LspError("LSP_UNKNOWN_OPERATION", `There is no command "${word}".`);
	} catch (thrown) {
		const error = asLspError(thrown);
		if (json) printJson({ error });
		else printAside(describeError(harmlessError(error)));
		return usageErrors.has(error.code) ? 2 : 3;
	}
}

async function runOperation(operation: AnyOperation, args: readonly string[]): Promise<number> {
	const { values, positionals } = parse(operation, args);
	if (values.help) return print(helpFor(operation));
	if (process.env.PI_LSP === "0") throw new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0).");
	const input = inputOf(operation, values, positionals);
	// Asking how things are, or stopping something, must not start a daemon.
	if (operation.effect === "control" && !operation.alone && !(await isRunning())) {
		if (values.json) return printJson({ daemon: null, servers: [], problems: [] });
		return print("The daemon is not running.");
	}
	const config = callerConfig(values.config as string | undefined);
	const caller = await callerFor({ daemon: !values["no-daemon"] });
	try {
		const about = { cwd: process.cwd(), ...config, input };
		const output = (await withPerson(
			(permits) => caller.call(operation.name, { ...about, permits }),
			askAtTerminal,
		)) as never;
		if (values.json) printJson(output);
		else print(answerText(operation, harmlessData(output), input, written));
		const note = operation.note?.(output);
		if (note !== undefined) printAside(note);
		return operation.exitCode?.(output) ?? 0;
	} finally {
		await caller.close();
	}
}

/** The next step as a command of the shell. */
function written({ operation: name, input }: NextStep): string {
	const operation = operations.find((known) => known.name === name);
	return operation ? commandLine(operation, input) : name;
}

function parse(operation: AnyOperation, args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: optionsOf(operation), allowPositionals: true });
	} catch (error) {
		throw new LspError("LSP_INVALID_INPUT", `${operation.name}: ${(error as Error).message.split("\n")[0]}`, {
			suggestion: `Run \`pi-lsp ${operation.name} --help\` to see what it takes.`,
		});
	}
}

async function isRunning(): Promise<boolean> {
	const client = await findDaemon();
	client?.close();
	return client !== undefined;
}
