import { asLspError, describeError, LspError, withHintFor } from "../../contract/errors.ts";
import { operations } from "../../operations/index.ts";
import { didYouMean } from "../../render/nearest-names.ts";
import { harmlessError } from "../tools/format-answer.ts";
import { addedOperations } from "./added.ts";
import { commands } from "./commands.ts";
import { helpForCommand, overview, writeCommand } from "./help.ts";
import { print, printAside, printJson } from "./print.ts";
import { runOperation } from "./run-operation.ts";

/** Exit code 2; others have 3. */
const usageErrors = new Set([
	"LSP_EDIT_REFUSED",
	"LSP_INVALID_INPUT",
	"LSP_UNKNOWN_OPERATION",
	"LSP_FILE_NOT_FOUND",
	"LSP_NOT_A_FILE",
	"LSP_OUTSIDE_WORKSPACE",
	"LSP_IGNORED_FILE",
	"LSP_CONFIG_INVALID",
	"LSP_SYMBOL_NOT_FOUND",
	"LSP_SYMBOL_AMBIGUOUS",
	"LSP_SESSION_NOT_FOUND",
	"LSP_SESSION_STATE",
	"LSP_FILE_CHANGED",
]);

export async function main(args: readonly string[]): Promise<number> {
	const [word = "", ...rest] = args;
	const json = args.includes("--json");
	let operation = operations.find(({ name }) => name === word);
	try {
		const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
		const added = operation || command ? [] : await addedOperations();
		operation ??= added.find(({ name }) => name === word);
		if (["help", "--help", "-h"].includes(word)) return print(overview(commands, added));
		if (command && rest.some((arg) => arg === "--help" || arg === "-h")) return print(helpForCommand(word, command));
		if (command) return await command.run(rest);
		if (operation) return await runOperation(operation, rest);
		const names = [...[...operations, ...added].map(({ name }) => name), ...Object.keys(commands)];
		throw new LspError("LSP_UNKNOWN_OPERATION", `There is no command "${word}".${didYouMean(word, names)}`);
	} catch (thrown) {
		const error = withHintFor(asLspError(thrown), writeCommand);
		if (json) printJson({ error });
		else printAside(describeError(harmlessError(error)));
		return operation?.effect === "write" || usageErrors.has(error.code) ? 2 : 3;
	}
}
