import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EditHook } from "../../edit-hook/edit-hook.ts";
import type { LateFinding } from "../../edit-hook/late-results.ts";
import { harmless } from "../../render/harmless.ts";
import type { SessionOptions } from "./session-options.ts";

const idlePollMs = 10;
const answerMs = 60_000;
/** Of `lateMs`. */
const transportMs = 60;

/**
 * Late findings make the agent go on, or wait for the next prompt. pi 0.73 waits for no handler at the end of a run
 * (docs/facts.md, 21): they are collected from `after_provider_response` on, and later ones start a new run. In print
 * and json mode pi exits after the run: each answer waits, together for `lateMs`. pi 0.87 waits for
 * `agent_before_settle` (docs/facts.md, 22).
 */
export function registerTurnEnd(pi: ExtensionAPI, options: SessionOptions, hookOf: () => EditHook): void {
	let run = 0;
	let isDone = false;
	let waited = { turn: 0, late: 0 };
	let answer: { findings: readonly LateFinding[] } = { findings: [] };

	pi.on("before_agent_start", async (_event, ctx) => {
		run++;
		waited = { turn: 0, late: 0 };
		const hook = hookOf();
		const text = hook.takeText(await hook.late.fetch(0, ctx.signal));
		return text === undefined ? undefined : { message: messageOf(text) };
	});
	pi.on("agent_start", () => void run++);
	pi.on("after_provider_response", async (_event, ctx) => {
		answer = { findings: [] };
		if (ctx.hasUI) void collectInto(answer, ctx).catch(() => {});
		else if (!asksBeforeSettling(ctx)) answer.findings = await waitForFindings(ctx);
	});
	pi.on("message_end", ({ message }, ctx) => {
		if (message.role !== "assistant") return;
		const { findings } = answer;
		answer = { findings: [] };
		// `send` comes before any await (docs/facts.md, 21). Without a run, `agent_end` starts one.
		if (!endsRun(message) || asksBeforeSettling(ctx) || ctx.isIdle()) return;
		const text = hookOf().takeText(findings);
		if (text !== undefined) send(pi, text);
	});
	const on = pi.on as (event: string, handler: (event: unknown, ctx: ExtensionContext) => Promise<unknown>) => void;
	on("agent_before_settle", async (event, ctx) => {
		const { outcome, entries = [] } = event as { readonly outcome?: string; readonly entries?: readonly unknown[] };
		if (outcome !== "completed") return undefined;
		const hook = hookOf();
		const text = hook.takeText(ctx.hasUI ? await hook.late.fetch(0, ctx.signal) : await waitForFindings(ctx));
		// The result replaces the entries of other extensions.
		return text && { entries: [...entries, { type: "custom_message", ...messageOf(text) }], continue: true };
	});
	// Not awaited: pi waits for this handler.
	on("agent_settled", async (_event, ctx) => void startRunForLate(ctx).catch(() => {}));
	pi.on("agent_end", ({ messages }, ctx) => {
		const last = messages.findLast(({ role }) => role === "assistant");
		isDone = last !== undefined && endsRun(last);
		if (!asksBeforeSettling(ctx)) void startRunForLate(ctx).catch(() => {});
	});
	pi.on("session_shutdown", () => void run++);

	async function collectInto(target: typeof answer, ctx: ExtensionContext): Promise<void> {
		const hook = hookOf();
		await hook.checkTurn(ctx.cwd, ctx.signal).catch(() => {});
		target.findings = await hook.late.fetch(answerMs, ctx.signal);
	}

	async function waitForFindings(ctx: ExtensionContext): Promise<readonly LateFinding[]> {
		const hook = hookOf();
		const began = performance.now();
		await hook.checkTurn(ctx.cwd, ctx.signal, waited.turn).catch(() => {});
		const checked = performance.now();
		const { lateMs } = await options.settings(ctx.cwd);
		const findings = await hook.late.fetch(Math.max(lateMs - waited.late - transportMs, 0), ctx.signal);
		waited = { turn: waited.turn + checked - began, late: waited.late + performance.now() - checked };
		return findings;
	}

	async function startRunForLate(ctx: ExtensionContext): Promise<void> {
		if (!ctx.hasUI || !isDone) return;
		const ended = run;
		const hook = hookOf();
		await hook.checkTurn(ctx.cwd, ctx.signal).catch(() => {});
		const { lateMs } = await options.settings(ctx.cwd);
		const findings = await hook.late.fetch(lateMs, ctx.signal);
		while (run === ended && !ctx.isIdle()) await pause();
		if (run !== ended) return;
		const text = hook.takeText(findings);
		if (text !== undefined) send(pi, text);
	}
}

function send(pi: ExtensionAPI, text: string): void {
	// `steer` reaches an ending run, `triggerTurn` starts one.
	pi.sendMessage(messageOf(text), { deliverAs: "steer", triggerTurn: true });
}

function messageOf(text: string) {
	return { customType: "pi-lsp", content: harmless(text), display: true, details: {} };
}

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
