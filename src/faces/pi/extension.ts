import type { ExtensionAPI, ToolResultEvent } from "@mariozechner/pi-coding-agent";
import { EditHook } from "../../edit-hook/edit-hook.ts";
import { extensionOperations } from "../../operations/extension-operations.ts";
import { harmless } from "../../render/harmless.ts";
import { DaemonLink } from "../daemon-link.ts";
import { HostCalls } from "../skills/host-calls.ts";
import { callWriter } from "../skills/words.ts";
import { type ToolEvent, toolCallOf } from "./edit-tools.ts";
import { registerLspCommand } from "./lsp-command.ts";
import { notify, Screen } from "./screen.ts";
import { SearchNudges } from "./search-nudges.ts";
import { SessionOptions } from "./session-options.ts";
import { Tools } from "./tools.ts";
import { TrustQuestion, trustedByPi } from "./trust-question.ts";
import { registerTurnEnd } from "./turn-end.ts";
import { TurnMemory } from "./turn-memory.ts";

export function registerExtension(pi: ExtensionAPI): void {
	if (process.env.PI_LSP === "0") return;
	const link = new DaemonLink();
	const options = new SessionOptions(pi);
	const screen = new Screen(link);
	const question = new TrustQuestion(link);
	screen.onReport = (report) => question.consider(report);
	question.onTrusted = () => hook.late.expectMore();
	const memory = new TurnMemory();
	const tools = new Tools(pi, link, screen, memory);
	let hook = new EditHook(link, options, screen);
	let nudges: SearchNudges | undefined;
	let isOff = false;

	pi.on("session_start", async (_event, ctx) => {
		hook = new EditHook(link, options, screen);
		screen.attach(ctx);
		question.attach(ctx);
		link.trusted = trustedByPi(ctx.cwd);
		if (!options.off) link.join();
		for (const problem of options.problems()) notify(ctx, problem, "warning");
		const configured = await options.settings(ctx.cwd).catch(() => undefined);
		const wanted = configured?.navigationTools === false ? "none" : configured?.profile;
		isOff = configured?.enabled === false;
		const profile = isOff ? "none" : (options.profile ?? wanted ?? "core");
		const added = configured?.enabled ? extensionOperations(configured.extension) : [];
		tools.choose(profile, configured?.nextStep !== false, added);
		nudges = profile === "none" || configured?.nudges === false ? undefined : new SearchNudges(link);
		for (const problem of configured?.problems ?? []) notify(ctx, problem, "warning");
	});
	pi.on("session_shutdown", async () => {
		hook.clear();
		screen.attach(undefined);
		question.attach(undefined);
		link.close();
		await tools.close();
	});
	pi.on("agent_start", () => memory.begin());
	registerHook(pi, () => hook, { memory, tools, nudges: () => (options.off ? undefined : nudges) });
	registerTurnEnd(pi, options, () => hook);
	registerLspCommand(pi, {
		setOff(off) {
			options.off = off;
			if (!off) return tools.show();
			tools.skills.binding.deactivate();
			tools.hide();
			hook.clear();
			screen.clear();
		},
		setMode(mode) {
			options.mode = mode;
			hook.clear();
			if (mode === "off") screen.clear();
		},
		trusted: () => hook.late.expectMore(),
		async describe(cwd) {
			const { mode, preflight, problems } = await options.settings(cwd);
			return { isOff: options.off, mode, preflight, profile: tools.profile, problems };
		},
		get skills() {
			return tools.skills;
		},
		get isOff() {
			return isOff;
		},
		get failing() {
			return screen.failing;
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
	{ memory, tools, nudges }: { memory: TurnMemory; tools: Tools; nudges: () => SearchNudges | undefined },
): void {
	const host = new HostCalls();
	pi.on("tool_call", async (event, ctx) => {
		const call = toolCallOf(event as ToolEvent);
		const refused = host.begin({ ...call, input: event.input }, ctx.cwd, tools.skills);
		if (refused !== undefined) return { block: true, reason: refused };
		nudges()?.begin(event as ToolEvent, ctx.cwd);
		const reason = await hookOf()
			.before(call, ctx.cwd)
			.catch(() => undefined);
		return reason === undefined ? undefined : { block: true, reason: harmless(reason) };
	});
	pi.on("tool_result", async (event: ToolResultEvent, ctx) => {
		const warnings = host.end({ id: event.toolCallId, isError: event.isError }, tools.skills.binding);
		const call = { ...toolCallOf(event), isError: event.isError };
		const found = await hookOf().after(call, ctx.cwd, ctx.signal);
		const nudge = await nudges()?.end(event, callWriter(tools.skills.words));
		const text = [found, nudge, ...warnings].filter((each) => each !== undefined).join("\n");
		if (text === "") return undefined;
		memory.added(event.toolCallId, text);
		// Providers join parts by a line end: this makes a blank line.
		return { content: [...event.content, { type: "text", text: `\n${harmless(text)}` }] };
	});
	pi.on("context", ({ messages }) => {
		memory.keep(new Set(messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []))));
	});
}
