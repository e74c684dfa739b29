import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { findDaemon } from "../daemon/connect.ts";
import { asLspError, describeError } from "../errors.ts";
import { status } from "../operations/servers.ts";
import type { DaemonLink } from "./daemon-link.ts";

interface Verb {
	readonly name: string;
	readonly description: string;
	run(ctx: ExtensionContext): Promise<string>;
}

/** `/lsp VERB`: what a person at pi's prompt can ask of pi-lsp. */
export function registerLspCommand(pi: ExtensionAPI, _link: DaemonLink): void {
	const verbs: readonly Verb[] = [
		{
			name: "status",
			description: "What the language servers are doing",
			async run(ctx) {
				// Asking how things are must not start anything.
				const client = await findDaemon();
				if (!client) return "No daemon is running; it starts with the first edit or question.";
				try {
					return status.render(await client.call("status", { cwd: ctx.cwd, input: {} }));
				} finally {
					client.close();
				}
			},
		},
	];
	pi.registerCommand("lsp", {
		description: "Language servers: status",
		getArgumentCompletions: (prefix) =>
			verbs
				.filter(({ name }) => name.startsWith(prefix.trim()))
				.map(({ name, description }) => ({ value: name, label: name, description })),
		async handler(args, ctx) {
			const word = args.trim() || "status";
			const verb = verbs.find(({ name }) => name === word);
			if (!verb)
				return say(ctx, `/lsp ${word} is unknown. Try: ${verbs.map(({ name }) => name).join(", ")}`, "warning");
			try {
				say(ctx, await verb.run(ctx), "info");
			} catch (error) {
				say(ctx, `LSP unavailable: ${describeError(asLspError(error))}`, "error");
			}
		},
	});
}

/** On the screen where there is one; elsewhere on standard error, which is where pi sends an extension's output. */
function say(ctx: ExtensionContext, text: string, kind: "info" | "warning" | "error"): void {
	if (ctx.hasUI) ctx.ui.notify(text, kind);
	else console.error(text);
}
