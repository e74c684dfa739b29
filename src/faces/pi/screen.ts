import process from "node:process";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CheckReport } from "../../contract/check-report.ts";
import { type Footer, footerParts, noticeText } from "../../render/check/notice.ts";
import { harmless } from "../../render/harmless.ts";
import { type ShownStatus, waitingText } from "../../render/status/status.ts";
import type { DaemonLink } from "../daemon-link.ts";

const key = "lsp";
const lookAfterMs = 250;

/** True where pi draws a screen; the newer host says so itself. */
export function hasScreen(ctx: ExtensionContext): boolean {
	const { mode } = ctx as ExtensionContext & { readonly mode?: string };
	return mode === undefined ? ctx.hasUI && process.stdout.isTTY === true : mode === "tui";
}

/** On the screen, or to the client, where there is one; elsewhere on standard error: standard output is the answer's. */
export function say(ctx: ExtensionContext, text: string, kind: "info" | "warning" | "error" = "info"): void {
	const said = harmless(text);
	if (ctx.hasUI) ctx.ui.notify(said, kind);
	else console.error(said);
}

/** Asks a person whether something is to be done; false where nobody can be asked. */
export async function confirmed(ctx: ExtensionContext, title: string, text: string): Promise<boolean> {
	return ctx.hasUI && (await ctx.ui.confirm(harmless(title), harmless(text)));
}

/** Asks a person which of some answers is theirs; undefined if none is. */
export function chosen(ctx: ExtensionContext, title: string, answers: readonly string[]): Promise<string | undefined> {
	return ctx.ui.select(harmless(title), [...answers]);
}

/**
 * What a person sees of pi-lsp while the agent works: a footer, and a notice when errors were appended to a result.
 * The daemon is asked what its servers do only while something of ours waits for them.
 */
export class Screen {
	readonly #link: DaemonLink;
	#ctx: ExtensionContext | undefined;
	/** By path as it is shown: how many errors the last proof had, undefined if there was none. */
	readonly #files = new Map<string, number | undefined>();
	readonly #servers = new Map<string, { readonly id: string; readonly version?: string | undefined }>();
	#waiting = 0;
	#timer: NodeJS.Timeout | undefined;
	#activity: string | undefined;
	#shown: string | undefined;

	/** Called with each report, whether it is shown or not. */
	onReport: ((report: CheckReport) => void) | undefined;

	constructor(link: DaemonLink) {
		this.#link = link;
	}

	/** The session whose screen it is; undefined when it is over. */
	attach(ctx: ExtensionContext | undefined): void {
		this.#ctx = ctx?.hasUI ? ctx : undefined;
		if (!this.#ctx) clearTimeout(this.#timer);
	}

	/** Shows what the servers do as long as `work` waits for them. */
	async during<T>(work: Promise<T>): Promise<T> {
		this.#waiting++;
		this.#look();
		try {
			return await work;
		} finally {
			if (--this.#waiting === 0) {
				clearTimeout(this.#timer);
				this.#timer = undefined;
				this.#activity = undefined;
				this.#show();
			}
		}
	}

	/** What a check proved; `told` is true if the model reads of it. */
	checked(report: CheckReport, told: boolean): void {
		this.onReport?.(report);
		for (const { path, role, state, diagnostics } of report.files) {
			const errors = diagnostics.filter(({ severity }) => severity === "error").length;
			if (state === "fresh" && (role === "edited" || errors > 0 || this.#files.has(path)))
				this.#files.set(path, errors);
			if (role === "edited" && ["timed_out", "unavailable", "untrusted"].includes(state))
				this.#files.set(path, undefined);
		}
		for (const { id, version, state } of report.servers)
			if (state === "fresh") this.#servers.set(id, { id, version: version ?? this.#servers.get(id)?.version });
		this.#show();
		const notice = told ? noticeText(report) : undefined;
		if (notice) this.#safely((ctx) => say(ctx, notice, "warning"));
	}

	/** Takes the footer away: pi-lsp is off. */
	clear(): void {
		this.#files.clear();
		this.#servers.clear();
		this.#show();
	}

	#look(): void {
		if (!this.#ctx || this.#timer) return;
		this.#timer = setTimeout(async () => {
			await this.#ask().catch(() => {});
			this.#timer = undefined;
			if (this.#waiting > 0) this.#look();
		}, lookAfterMs);
		// A timer must never keep pi alive (docs/facts.md, 12).
		this.#timer.unref();
	}

	async #ask(): Promise<void> {
		const cwd = this.#ctx?.cwd;
		const client = await this.#link.current();
		if (!client || cwd === undefined) return;
		const status = await client.call<ShownStatus>("status", { cwd, input: {} }, undefined, { background: true });
		if (this.#waiting === 0) return;
		this.#activity = waitingText(status, cwd);
		this.#show();
	}

	#show(): void {
		const footer: Footer = {
			servers: [...this.#servers.values()],
			errors: [...this.#files.values()].reduce<number>((sum, errors) => sum + (errors ?? 0), 0),
			unproven: [...this.#files.values()].filter((errors) => errors === undefined).length,
			activity: this.#activity,
			unavailable: this.#link.failure !== undefined,
		};
		this.#safely((ctx) => {
			const parts = footerParts(footer);
			const paint = (text: string, bad: boolean | undefined) =>
				hasScreen(ctx) ? ctx.ui.theme.fg(bad ? "error" : "dim", harmless(text)) : harmless(text);
			const text =
				parts && `${paint("lsp: ", false)}${parts.map((part) => paint(part.text, part.bad)).join(paint(" · ", false))}`;
			if (text === this.#shown) return;
			this.#shown = text;
			ctx.ui.setStatus(key, text);
		});
	}

	/** A context that outlived its session throws at every use. */
	#safely(use: (ctx: ExtensionContext) => void): void {
		try {
			if (this.#ctx) use(this.#ctx);
		} catch {
			this.#ctx = undefined;
		}
	}
}
