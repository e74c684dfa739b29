import { type ParseArgsConfig, parseArgs } from "node:util";
import { LspError } from "../../contract/errors.ts";
import { type KnownOptions, optionMistake } from "../tools/option-mistake.ts";

/** `values`: of options that take only those. Throws LSP_INVALID_INPUT. */
export function parseCommand<const Config extends ParseArgsConfig>(
	command: string,
	config: Config,
	values: KnownOptions = {},
): ReturnType<typeof parseArgs<Config>> {
	try {
		return parseArgs(config);
	} catch (error) {
		const known = Object.keys(config.options ?? {}).map((name) => [name, values[name] ?? []]);
		throw commandMistake(command, optionMistake(error, Object.fromEntries(known)));
	}
}

export function commandMistake(command: string, message: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `${command}: ${message}`, {
		suggestion: `Run \`pi-lsp ${command} --help\` to see what it takes.`,
	});
}
