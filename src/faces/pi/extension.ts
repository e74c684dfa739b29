import type { ExtensionAPI, ToolResultEvent } from "@mariozechner/pi-coding-agent";
import { harmless } from "../../render/harmless.ts";
import { DaemonLink } from "../daemon-link.ts";
import { EditHook } from "./edit-hook.ts";
import { registerLspCommand } from "./lsp-command.ts";
import { Screen, say } from "./screen.ts";
import { SessionOptions } from "./session-options.ts";
import { Tools } from "./tools.ts";
import { TrustQuestion, trustedByPi } from "./trust-question.ts";
import { tellBeforeTheEnd } from "./turn-end.ts";
import { TurnMemory } from "./turn-memory.ts";

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

	pi.on("session_start", async (_event, ctx) => {
		hook = new EditHook(link, options, screen);
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
	registerHook(pi, () => hook, memory);
	tellBeforeTheEnd(pi, options, () => hook);
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

function registerHook(pi: ExtensionAPI, hookOf: () => EditHook, memory: TurnMemory): void {
	pi.on("tool_call", (event, ctx) =>
		hookOf()
			.before(event as never, ctx.cwd)
			.catch(() => {}),
	);
	pi.on("tool_result", async (event: ToolResultEvent, ctx) => {
		const hook = hookOf();
		const { late } = hook;
		// Looked at beforehand: what this very call leaves open is not known a moment later. Mode `turn` tells it at the end.
		const isOwed = late.owed && !hook.turn.open;
		const own = await hook.after(event, ctx.cwd, ctx.signal).catch(() => undefined);
		const told = [
			...(own === undefined ? [] : [own]),
			// After the call's own check: what an earlier edit broke may be mended by this one.
			...(isOwed ? late.tell(await late.take(0, ctx.signal)) : []),
		];
		if (told.length === 0) return undefined;
		memory.added(event.toolCallId, told.join("\n"));
		// A part of its own that begins with a line end: providers join parts with one, which leaves a blank line between.
		return { content: [...event.content, { type: "text", text: `\n${harmless(told.join("\n\n"))}` }] };
	});
	pi.on("context", ({ messages }) => {
		memory.keep(new Set(messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []))));
	});
}
