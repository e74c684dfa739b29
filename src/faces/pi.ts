import type { ExtensionAPI, ToolResultEvent } from "@mariozechner/pi-coding-agent";
import { DaemonLink } from "./daemon-link.ts";
import { EditHook } from "./edit-hook.ts";
import { registerLspCommand } from "./lsp-command.ts";
import { tellBeforeTheEnd } from "./pi-ending.ts";
import { SessionOptions } from "./pi-options.ts";
import { Screen, say } from "./pi-screen.ts";
import { Tools } from "./pi-tools.ts";
import { TurnMemory } from "./pi-turn-memory.ts";
import { TrustQuestion, trustedByPi } from "./trust-question.ts";

/** Everything that pi-lsp is inside pi: tools, the hook around edits, and `/lsp`. Nothing starts before it is used. */
export function registerExtension(pi: ExtensionAPI): void {
	if (process.env.PI_LSP === "0") return;
	const link = new DaemonLink();
	const options = new SessionOptions(pi);
	const screen = new Screen(link);
	const question = new TrustQuestion(link);
	screen.onReport = (report) => question.met(report);
	const memory = new TurnMemory();
	const tools = new Tools(pi, link, screen, memory);
	let hook = new EditHook(link, options, screen);
	const attached = new Map<string, string>();

	pi.on("session_start", async (_event, ctx) => {
		hook = new EditHook(link, options, screen);
		attached.clear();
		screen.attach(ctx);
		question.attach(ctx);
		link.trusted = trustedByPi(ctx.cwd);
		if (!options.off) link.join();
		for (const problem of options.problems()) say(ctx, problem, "warning");
		const configured = await options.settings(ctx.cwd).catch(() => undefined);
		const wanted = configured?.navigationTools === false ? "none" : configured?.profile;
		tools.choose(options.profile ?? wanted ?? "core");
		for (const problem of configured?.problems ?? []) say(ctx, problem, "warning");
	});
	pi.on("session_shutdown", () => {
		hook.clear();
		screen.attach(undefined);
		question.attach(undefined);
		link.close();
	});
	pi.on("agent_start", () => memory.begin());
	registerHook(pi, () => hook, attached, memory);
	tellBeforeTheEnd(pi, () => hook);
	registerLspCommand(pi, {
		setOff(off) {
			options.off = off;
			if (!off) return tools.show();
			tools.hide();
			hook.clear();
			screen.clear();
		},
		setMode(mode) {
			options.mode = mode;
			hook.clear();
			if (mode === "off") screen.clear();
		},
		get failure() {
			return link.failure;
		},
		connect: () => link.get(),
		call: (method, params) => link.call(method, params),
	});
}

function registerHook(
	pi: ExtensionAPI,
	hookOf: () => EditHook,
	attached: Map<string, string>,
	memory: TurnMemory,
): void {
	pi.on("tool_call", (event, ctx) =>
		hookOf()
			.before(event as never, ctx.cwd)
			.catch(() => {}),
	);
	pi.on("tool_result", async (event: ToolResultEvent, ctx) => {
		const hook = hookOf();
		const own = await hook.after(event, ctx.cwd, ctx.signal).catch(() => undefined);
		// After the call's own check: a block about the very file that was changed now is out of date.
		const late = hook.late.take().map(({ text }) => `Checked late, from an earlier edit: ${text}`);
		const told = [...(own === undefined ? [] : [own]), ...late];
		if (told.length === 0) return undefined;
		memory.added(event.toolCallId, told.join("\n"));
		// A part of its own that begins with a line end: providers join parts with one, which leaves a blank line between.
		return { content: [...event.content, { type: "text", text: `\n${told.join("\n\n")}` }] };
	});
	// A late block belongs to the result of its own call: it is added there before the next request, and from then on.
	pi.on("context", ({ messages }) => {
		const { late } = hookOf();
		for (const block of late.take()) {
			if (messages.some((message) => message.role === "toolResult" && message.toolCallId === block.call)) {
				attached.set(block.call, [attached.get(block.call), block.text].filter(Boolean).join("\n"));
				memory.added(block.call, block.text);
			}
			// Its call was compacted away: it comes with the next result, or as a message before the turn ends.
			else late.putBack(block);
		}
		memory.keep(new Set(messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []))));
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
