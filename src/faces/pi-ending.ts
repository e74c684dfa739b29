import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EditHook } from "./edit-hook.ts";

const idlePollMs = 10;

/**
 * What the model still has to hear reaches it before its turn ends, as one message that makes the agent go on.
 *
 * pi 0.73 waits for no extension at the end of a run. So what is known when the model's last message ends is sent at
 * that moment, which is in time for the same run. What comes later starts a new run where pi lives on (screen, rpc).
 * In print and json mode pi ends with the run: there the answer of the model is held back until the checks are known,
 * no longer than their lateness. The newer host asks before it settles, and is answered there: with what is known
 * where pi lives on, because a person's Esc would not reach a wait there, else with all that comes in time.
 */
export function tellBeforeTheEnd(pi: ExtensionAPI, hookOf: () => EditHook): void {
	let run = 0;
	pi.on("agent_start", () => void run++);
	pi.on("session_shutdown", () => void run++);
	pi.on("after_provider_response", async (_event, ctx) => {
		const known = settle(hookOf(), ctx);
		if (!ctx.hasUI && !asksBeforeSettling(ctx)) await known;
	});
	pi.on("message_end", ({ message }, ctx) => {
		if (!endsRun(message) || ctx.isIdle()) return;
		const text = takeText(hookOf());
		if (text !== undefined) send(pi, text);
	});
	pi.on("agent_end", ({ messages }, ctx) => {
		const last = messages.findLast(({ role }) => role === "assistant");
		// A person who stopped the agent is not to see it start again by itself.
		if (!ctx.hasUI || !last || !endsRun(last)) return;
		void later(ctx).catch(() => {});
	});
	// Known to the newer host alone; pi 0.73 never calls it.
	const on = pi.on as (event: string, handler: (event: unknown, ctx: ExtensionContext) => Promise<unknown>) => void;
	on("agent_before_settle", async (event, ctx) => {
		const { outcome, entries = [] } = event as { readonly outcome?: string; readonly entries?: readonly unknown[] };
		if (outcome !== "completed") return undefined;
		if (!ctx.hasUI) await settle(hookOf(), ctx);
		const text = takeText(hookOf());
		// What is returned takes the place of what other extensions proposed.
		return text && { entries: [...entries, { type: "custom_message", ...messageOf(text) }], continue: true };
	});

	async function later(ctx: ExtensionContext): Promise<void> {
		const ended = run;
		const hook = hookOf();
		await settle(hook, ctx);
		while (run === ended && !ctx.isIdle()) await pause();
		// Somebody has asked something new: that run tells it.
		if (run !== ended) return;
		const text = takeText(hook);
		if (text !== undefined) send(pi, text);
	}
}

function settle(hook: EditHook, ctx: ExtensionContext): Promise<unknown> {
	return hook
		.checkTurn(ctx.cwd, ctx.signal)
		.catch(() => {})
		.then(() => hook.late.settled(ctx.signal));
}

function takeText(hook: EditHook): string | undefined {
	const texts = [
		hook.turn.take(),
		...hook.late.take().map(({ text }) => `Checked late, from an earlier edit: ${text}`),
	];
	const told = texts.filter((text) => text !== undefined);
	return told.length > 0 ? told.join("\n\n") : undefined;
}

function send(pi: ExtensionAPI, text: string): void {
	// Steering reaches a run that is about to end; without a run the message starts one.
	pi.sendMessage(messageOf(text), { deliverAs: "steer", triggerTurn: true });
}

function messageOf(text: string) {
	return { customType: "pi-lsp", content: text, display: true, details: {} };
}

/** True for a message after which the agent has nothing more to do. */
function endsRun(message: { readonly role: string }): boolean {
	if (message.role !== "assistant") return false;
	const { content, stopReason } = message as {
		role: string;
		content?: readonly { type: string }[];
		stopReason?: string;
	};
	return stopReason !== "aborted" && stopReason !== "error" && !content?.some(({ type }) => type === "toolCall");
}

function asksBeforeSettling(ctx: ExtensionContext): boolean {
	return "mode" in ctx;
}

function pause(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, idlePollMs).unref());
}
