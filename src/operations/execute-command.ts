import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { File, Incomplete, incompleteFor } from "./common/inputs.ts";
import { exitCodeOfWritten, writtenAnswer } from "./common/written.ts";
import { executeServerCommand } from "./compat/agent-lsp-changes.ts";

const Output = t.object({
	...Written,
	commands: t.optional.objects("Without `command`: what each server has announced", {
		server: t.text(),
		commands: t.texts(),
	}),
	result: t.optional.text("What the server answered, as JSON"),
	...Incomplete,
});

export const executeCommand = defineOperation({
	name: "execute_command",
	title: "Run a command of a server",
	description:
		"Runs a command that a file's language server has announced; without `command` it lists them. What the command changes is written whole or not at all, like every change, and needs a trusted repository.",
	effect: "write",
	requests: ["workspace/executeCommand"],
	aliases: [executeServerCommand],
	input: t.object({
		file: File,
		command: t.optional.text("One that the server has announced"),
		arguments: t.optional.texts("Each as JSON; any other text is a string"),
	}),
	output: Output,
	positional: ["file", "command", "arguments"],
	example: {
		input: { file: "go.mod", command: "gopls.list_known_packages", arguments: ["file:///p/go.mod"] },
		output: { written: [], diff: "", result: '{"Packages":["fmt"]}' },
	},
	async run({ file, command, arguments: given = [] }, on) {
		if (command === undefined) {
			const { answers, unanswered } = await on.askEach({ file, linters: true }, async (query) => ({
				commands: query.commands,
			}));
			const commands = answers.map(({ server, answer }) => ({ server, ...answer }));
			return { written: [], diff: "", commands, ...incompleteFor(unanswered) };
		}
		await on.edits.requireTrust(command);
		return on.ask({ file, linters: true }, async (query) => {
			const { server, commands: announced } = query;
			if (!announced.includes(command))
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} has no command ${command}.`, {
					suggestion: `It has announced: ${announced.join(", ") || "none"}.`,
				});
			const { result, edits } = await query.execute({ command, arguments: given.map(parsed) });
			const answered = result === null || result === undefined ? {} : { result: JSON.stringify(result) };
			if (edits.length === 0) return { written: [], diff: "", ...answered };
			const planned = await on.edits.plan(query, edits, { title: command });
			return { ...writtenAnswer(planned), ...answered };
		});
	},
	render(output, { command = "" }) {
		const { commands, result, written, planned } = output;
		if (commands)
			return commands.map((each) => `${each.server}: ${each.commands.join(", ") || "no commands"}`).join("\n");
		const isWriting = written.length > 0 || planned !== undefined;
		return [
			...(isWriting ? [writtenText(`ran ${command}`, output)] : []),
			...(result === undefined ? [] : [`result: ${result}`]),
			...(!isWriting && result === undefined ? [`${command} was run; it changed no file and answered nothing.`] : []),
		].join("\n");
	},
	exitCode: (output) => (output.written.length > 0 ? exitCodeOfWritten(output) : 0),
});

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
