import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describeError, LspError } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import { operations } from "../operations/index.ts";
import { DaemonLink } from "./daemon-link.ts";
import { EditHook } from "./edit-hook.ts";
import { registerLspCommand } from "./lsp-command.ts";

/** Everything that pi-lsp is inside pi: tools, the hook around edits, and `/lsp`. Nothing starts before it is used. */
export function registerExtension(pi: ExtensionAPI): void {
	if (process.env.PI_LSP === "0") return;
	const link = new DaemonLink();
	for (const operation of operations.filter(({ core }) => core)) registerTool(pi, operation, link);
	registerHook(pi, link);
	registerLspCommand(pi, link);
	pi.on("session_shutdown", () => link.close());
}

function registerTool(pi: ExtensionAPI, operation: AnyOperation, link: DaemonLink): void {
	pi.registerTool({
		name: `lsp_${operation.name}`,
		label: operation.title,
		description: operation.description,
		promptSnippet: `${operation.title}: ${operation.description.split(/(?<=[.:]) /)[0]}`,
		parameters: operation.input,
		executionMode: operation.effect === "read" ? "parallel" : "sequential",
		async execute(_id, input, signal, _onUpdate, ctx: ExtensionContext) {
			try {
				const output = await link.call(operation.name, { cwd: ctx.cwd, input }, signal);
				return { content: [{ type: "text", text: operation.render(output as never) }], details: {} };
			} catch (error) {
				// pi 0.73 knows no other way to say that a tool failed; the message is what the model reads.
				throw error instanceof LspError ? new Error(describeError(error)) : error;
			}
		},
	});
}

function registerHook(pi: ExtensionAPI, link: DaemonLink): void {
	let hook = new EditHook(link);
	const attached = new Map<string, string>();
	pi.on("session_start", () => {
		hook = new EditHook(link);
		attached.clear();
	});
	pi.on("tool_call", (event, ctx) => hook.before(event as never, ctx.cwd).catch(() => {}));
	pi.on("tool_result", async (event, ctx) => {
		const late = hook.late.take().map(({ text }) => `Checked late, from an earlier edit: ${text}`);
		const own = event.isError ? undefined : await hook.after(event, ctx.cwd, ctx.signal).catch(() => undefined);
		const told = [...(own === undefined ? [] : [own]), ...late];
		if (told.length === 0) return undefined;
		// A part of its own that begins with a line end: providers join parts with one, which leaves a blank line between.
		return { content: [...event.content, { type: "text", text: `\n${told.join("\n\n")}` }] };
	});
	// A late block belongs to the result of its own call: it is added there before the next request, and from then on.
	pi.on("context", ({ messages }) => {
		for (const { call, text } of hook.late.take()) attached.set(call, text);
		if (attached.size === 0) return undefined;
		return {
			messages: messages.map((message) => {
				const text = message.role === "toolResult" ? attached.get(message.toolCallId) : undefined;
				if (text === undefined || message.role !== "toolResult") return message;
				return { ...message, content: [...message.content, { type: "text" as const, text: `\n${text}` }] };
			}),
		};
	});
}
