import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { harmless } from "../../render/harmless.ts";
import type { EditHook } from "./edit-hook.ts";
import type { Late } from "./late-results.ts";
import type { SessionOptions } from "./session-options.ts";

const idlePollMs = 10;
/** So long what is found during an answer of the model is listened for; the answer is not held up by it. */
const answerMs = 60_000;
/** What the daemon's answer takes on its way counts as held up too, in milliseconds. */
const onItsWayMs = 60;

/**
 * What the model still has to hear reaches it before its turn ends, as one message that makes the agent go on; what comes
 * after that stands beside the person's next prompt.
 *
 * pi 0.73.1 waits for no extension at the end of a run. Its agent loop awaits its listeners, but agent-session.js only puts
 * the event into a queue: the handlers of `message_end`, `turn_end` and `agent_end` run while the loop goes on to its end,
 * which awaits nothing else. (Only a tool call waits for the queue.) So a message is in time for the same run only if it is
 * sent before the first `await` of `message_end`, and what it says has to be there by then. It is asked for when the answer
 * begins, at `after_provider_response`, which the loop does await. In screen and rpc mode nothing waits there, and what
 * comes too late starts a run of its own. In print and json mode pi ends with the run and cannot know which answer ends it:
 * there answers are held up, those to one prompt no longer than `lateMs` together.
 *
 * The newer host asks before it settles, and is answered there: with what is known in screen and rpc mode, because a
 * person's Esc would not reach a wait there, else with what comes within the same time.
 */
export function tellBeforeTheEnd(pi: ExtensionAPI, options: SessionOptions, hookOf: () => EditHook): void {
	let run = 0;
	/** True if the last run ended by itself, in an answer of the model. */
	let isDone = false;
	/** Milliseconds for which answers to this prompt were held up: for mode `turn`, and for what is late. */
	let held = { turn: 0, late: 0 };
	/** What came late during the answer that the model is giving. */
	let heard: { lates: readonly Late[] } = { lates: [] };

	pi.on("before_agent_start", async (_event, ctx) => {
		run++;
		held = { turn: 0, late: 0 };
		const hook = hookOf();
		const text = textOf(hook, await hook.late.take(0, ctx.signal));
		return text === undefined ? undefined : { message: messageOf(text) };
	});
	pi.on("agent_start", () => void run++);
	pi.on("after_provider_response", async (_event, ctx) => {
		heard = { lates: [] };
		if (ctx.hasUI) void listen(ctx, heard).catch(() => {});
		else if (!asksBeforeSettling(ctx)) heard.lates = await holdUp(ctx);
	});
	pi.on("message_end", ({ message }, ctx) => {
		if (message.role !== "assistant") return;
		const { lates } = heard;
		heard = { lates: [] };
		// Without a run there is nothing to go on: `agent_end` tells it.
		if (!endsRun(message) || asksBeforeSettling(ctx) || ctx.isIdle()) return;
		const text = textOf(hookOf(), lates);
		if (text !== undefined) send(pi, text);
	});
	// Known to the newer host alone; pi 0.73 never calls it.
	const on = pi.on as (event: string, handler: (event: unknown, ctx: ExtensionContext) => Promise<unknown>) => void;
	on("agent_before_settle", async (event, ctx) => {
		const { outcome, entries = [] } = event as { readonly outcome?: string; readonly entries?: readonly unknown[] };
		if (outcome !== "completed") return undefined;
		const hook = hookOf();
		const text = textOf(hook, ctx.hasUI ? await hook.late.take(0, ctx.signal) : await holdUp(ctx));
		// What is returned takes the place of what other extensions proposed.
		return text && { entries: [...entries, { type: "custom_message", ...messageOf(text) }], continue: true };
	});
	// Nobody is to wait for it: `agent_settled` is awaited.
	on("agent_settled", async (_event, ctx) => void goOnLater(ctx).catch(() => {}));
	pi.on("agent_end", ({ messages }, ctx) => {
		const last = messages.findLast(({ role }) => role === "assistant");
		isDone = last !== undefined && endsRun(last);
		if (!asksBeforeSettling(ctx)) void goOnLater(ctx).catch(() => {});
	});
	pi.on("session_shutdown", () => void run++);

	/** Collects what is found while the model speaks. */
	async function listen(ctx: ExtensionContext, to: typeof heard): Promise<void> {
		const hook = hookOf();
		await hook.checkTurn(ctx.cwd, ctx.signal).catch(() => {});
		to.lates = await hook.late.take(answerMs, ctx.signal);
	}

	/** Waits for what is found, within what is left of the prompt's time. */
	async function holdUp(ctx: ExtensionContext): Promise<readonly Late[]> {
		const hook = hookOf();
		const began = performance.now();
		await hook.checkTurn(ctx.cwd, ctx.signal, held.turn).catch(() => {});
		const checked = performance.now();
		const { lateMs } = await options.settings(ctx.cwd);
		const lates = await hook.late.take(Math.max(lateMs - held.late - onItsWayMs, 0), ctx.signal);
		held = { turn: held.turn + checked - began, late: held.late + performance.now() - checked };
		return lates;
	}

	/** Starts a run of its own for what comes after the end of one. */
	async function goOnLater(ctx: ExtensionContext): Promise<void> {
		// A person who stopped the agent is not to see it start again by itself.
		if (!ctx.hasUI || !isDone) return;
		const ended = run;
		const hook = hookOf();
		await hook.checkTurn(ctx.cwd, ctx.signal).catch(() => {});
		const { lateMs } = await options.settings(ctx.cwd);
		const lates = await hook.late.take(lateMs, ctx.signal);
		while (run === ended && !ctx.isIdle()) await pause();
		// Somebody has asked something new: it is told with that.
		if (run !== ended) return;
		const text = textOf(hook, lates);
		if (text !== undefined) send(pi, text);
	}
}

/** What the model has to be told now, in mode `turn` of what the turn has changed as well. */
function textOf(hook: EditHook, lates: readonly Late[]): string | undefined {
	const ofTurn = hook.turn.take();
	const texts = [...(ofTurn === undefined ? [] : [ofTurn]), ...hook.late.tell(lates)];
	return texts.length > 0 ? texts.join("\n\n") : undefined;
}

function send(pi: ExtensionAPI, text: string): void {
	// Steering reaches a run that is about to end; without a run the message starts one.
	pi.sendMessage(messageOf(text), { deliverAs: "steer", triggerTurn: true });
}

function messageOf(text: string) {
	return { customType: "pi-lsp", content: harmless(text), display: true, details: {} };
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
