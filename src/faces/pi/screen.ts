import { resolve } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CheckReport } from "../../contract/check-report.ts";
import type { Status } from "../../operations/servers.ts";
import { type Footer, failureNotices, footerParts, noticeText } from "../../render/check/notice.ts";
import { harmless } from "../../render/harmless.ts";
import { waitingText } from "../../render/status/status.ts";
import { stampNow } from "../../util/files.ts";
import type { DaemonLink } from "../daemon-link.ts";

const statusKey = "lsp";
const pollMs = 250;
const staleMs = 2000;
const maxFiles = 20;

/** Only pi 0.87 has `mode`. */
export function hasScreen(ctx: ExtensionContext): boolean {
	const { mode } = ctx as ExtensionContext & { readonly mode?: string };
	return mode === undefined ? ctx.hasUI && process.stdout.isTTY === true : mode === "tui";
}

/** Without a screen or client on standard error: pi prints its answer to stdout. */
export function notify(ctx: ExtensionContext, text: string, kind: "info" | "warning" | "error" = "info"): void {
	const message = harmless(text);
	if (ctx.hasUI) ctx.ui.notify(message, kind);
	else console.error(message);
}

export async function confirm(ctx: ExtensionContext, title: string, text: string): Promise<boolean> {
	return ctx.hasUI && (await ctx.ui.confirm(harmless(title), harmless(text)));
}

export function select(ctx: ExtensionContext, title: string, answers: readonly string[]): Promise<string | undefined> {
	return ctx.ui.select(harmless(title), [...answers]);
}

export class Screen {
	readonly #link: DaemonLink;
	#ctx: ExtensionContext | undefined;
	/** By displayed path; undefined if not proven. */
	readonly #files = new Map<string, number | undefined>();
	readonly #servers = new Map<string, { readonly id: string; readonly version?: string | undefined }>();
	readonly #failing = new Set<string>();
	#waiting = 0;
	#timer: NodeJS.Timeout | undefined;
	#activity: string | undefined;
	#stamps = new Map<string, string | undefined>();
	#staleTimer: NodeJS.Timeout | undefined;
	#shown: string | undefined;

	onReport: ((report: CheckReport) => void) | undefined;

	constructor(link: DaemonLink) {
		this.#link = link;
	}

	attach(ctx: ExtensionContext | undefined): void {
		this.#ctx = ctx?.hasUI ? ctx : undefined;
		if (this.#ctx) return;
		clearTimeout(this.#timer);
		clearInterval(this.#staleTimer);
		this.#staleTimer = undefined;
	}

	async during<T>(work: Promise<T>): Promise<T> {
		this.#waiting++;
		this.#poll();
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

	checked(report: CheckReport, isShown: boolean): void {
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
		this.#followDisk();
		const notice = isShown ? noticeText(report) : undefined;
		const notices = [...(notice ? [notice] : []), ...(this.#ctx ? failureNotices(report, this.#failing) : [])];
		for (const text of notices) this.#safely((ctx) => notify(ctx, text, "warning"));
	}

	askedAgain(report: CheckReport): void {
		for (const { path, state, diagnostics } of report.files)
			if (state === "fresh" && this.#files.has(path))
				this.#files.set(path, diagnostics.filter(({ severity }) => severity === "error").length);
		this.#show();
		this.#followDisk();
	}

	get failing(): { readonly path: string; readonly errors: number }[] {
		return [...this.#files].flatMap(([path, errors = 0]) => (errors > 0 ? [{ path, errors }] : []));
	}

	clear(): void {
		this.#files.clear();
		this.#followDisk();
		this.#servers.clear();
		this.#show();
	}

	#followDisk(): void {
		const { cwd } = this.#ctx ?? {};
		if (cwd === undefined) return;
		const doubtful = [...this.#files].filter(([, errors]) => errors !== 0).slice(0, maxFiles);
		this.#stamps = new Map(doubtful.map(([path]) => [path, stampNow(resolve(cwd, path))]));
		clearInterval(this.#staleTimer);
		this.#staleTimer = undefined;
		if (this.#stamps.size === 0) return;
		this.#staleTimer = setInterval(() => {
			if (this.#waiting > 0 || [...this.#stamps].every(([path, stamp]) => stampNow(resolve(cwd, path)) === stamp))
				return;
			clearInterval(this.#staleTimer);
			void this.#askAgain(cwd).catch(() => {});
		}, staleMs);
		this.#staleTimer.unref();
	}

	async #askAgain(cwd: string): Promise<void> {
		const client = await this.#link.current();
		const files = [...this.#stamps.keys()].filter((path) => stampNow(resolve(cwd, path)) !== undefined);
		for (const path of this.#stamps.keys()) if (!files.includes(path)) this.#files.delete(path);
		this.#stamps.clear();
		const params = this.#link.withTrust({ cwd, input: { files } });
		const report =
			files.length > 0 && (await client?.call<CheckReport>("check", params, undefined, { background: true }));
		if (report) this.askedAgain(report);
		else this.#show();
	}

	#poll(): void {
		if (!this.#ctx || this.#timer) return;
		this.#timer = setTimeout(async () => {
			await this.#updateActivity().catch(() => {});
			this.#timer = undefined;
			if (this.#waiting > 0) this.#poll();
		}, pollMs);
		// A timer must never keep pi alive (docs/facts.md, 12).
		this.#timer.unref();
	}

	async #updateActivity(): Promise<void> {
		const cwd = this.#ctx?.cwd;
		const client = await this.#link.current();
		if (!client || cwd === undefined) return;
		const status = await client.call<Status>("status", { cwd, input: {} }, undefined, { background: true });
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
			ctx.ui.setStatus(statusKey, text);
		});
	}

	/** A context throws once its session has ended. */
	#safely(use: (ctx: ExtensionContext) => void): void {
		try {
			if (this.#ctx) use(this.#ctx);
		} catch {
			this.#ctx = undefined;
		}
	}
}
