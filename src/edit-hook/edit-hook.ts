import { randomUUID } from "node:crypto";
import type { Settings } from "../config/read-settings.ts";
import type { CheckReport, FileReport, State } from "../contract/check-report.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import type { CheckEditParams, CheckEditResult } from "../contract/protocol.ts";
import { editBlock, type OtherFiles } from "../render/check/diagnostics.ts";
import { commandText } from "../render/check/turn.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { CommandChanges, type KnownFile } from "./command-changes.ts";
import type { DaemonCalls, HookSettings, HookWatcher } from "./host.ts";
import { type LateFinding, LateResults } from "./late-results.ts";
import { Preflight } from "./preflight.ts";
import { absolutePath, type ToolCall, textBefore } from "./tool-call.ts";
import { TurnCheck } from "./turn-check.ts";
import { UnprovenLines } from "./unproven-lines.ts";

interface EndedCall {
	readonly call: ToolCall;
	readonly cwd: string;
	readonly settings: Settings;
	readonly signal: AbortSignal;
}

interface Checked {
	readonly files: readonly FileReport[];
	readonly block: string | undefined;
	readonly more: boolean;
}

const marginMs = 2000;

/** Never throws, and never outlasts the budget. */
export class EditHook {
	readonly late: LateResults;
	readonly turn: TurnCheck;
	readonly #daemon: DaemonCalls;
	readonly #options: HookSettings;
	readonly #watcher: HookWatcher;
	readonly #session: string;
	readonly #commands: CommandChanges;
	readonly #preflight: Preflight;
	readonly #unproven = new UnprovenLines();

	constructor(daemon: DaemonCalls, options: HookSettings, watcher: HookWatcher, session: string = randomUUID()) {
		this.#daemon = daemon;
		this.#options = options;
		this.#watcher = watcher;
		this.#session = session;
		const onReport = (report: CheckReport, isShown: boolean) => {
			this.#unproven.proven(report.files);
			watcher.checked(report, isShown);
		};
		this.late = new LateResults(daemon, session, onReport);
		this.#commands = new CommandChanges(daemon, session);
		this.#preflight = new Preflight(daemon);
		this.turn = new TurnCheck(daemon, session, this.late, onReport);
	}

	async before(call: ToolCall, cwd: string): Promise<string | undefined> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return undefined;
		if (call.kind === "command") {
			await this.#commands.before(call, cwd, settings.maxFileBytes);
			return undefined;
		}
		this.#daemon.warm();
		for (const file of call.files) {
			const path = absolutePath(file, cwd);
			const text = call.texts?.has(file) ? call.texts.get(file) : await textBefore(path, settings.maxFileBytes);
			if (settings.mode === "turn") this.turn.beforeChange(path, { file, cwd, text });
			if (text === undefined) continue;
			const at = call.at === undefined ? {} : { at: call.at };
			const about = { cwd, session: this.#session, call: call.id, file, text, ...at };
			const refused = await this.#preflight.before(about, call, settings);
			if (refused !== undefined) return refused;
		}
		return undefined;
	}

	async after(
		call: ToolCall & { readonly isError: boolean },
		cwd: string,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		this.#preflight.after(call, cwd);
		// This call's own are not due yet.
		const isLateDue = this.late.pending && !this.turn.hasChanges;
		const own = await this.#check(call, cwd, signal).catch(() => undefined);
		this.#daemon.endCall(call.id);
		const texts = [
			...(own === undefined ? [] : [own]),
			...(isLateDue ? this.late.deliver(await this.late.fetch(0, signal)) : []),
		];
		return texts.length > 0 ? texts.join("\n\n") : undefined;
	}

	/** `heldMs`: answers have waited so long. */
	async checkTurn(cwd: string, signal: AbortSignal | undefined, heldMs = 0): Promise<void> {
		if (!this.turn.hasChanges) return;
		const { coldMs } = await this.#options.settings(cwd);
		await this.#watcher.during(this.turn.check(Math.max(coldMs + marginMs - heldMs, 0), signal));
	}

	takeText(findings: readonly LateFinding[]): string | undefined {
		const ofTurn = this.turn.take();
		const texts = [...(ofTurn === undefined ? [] : [ofTurn]), ...this.late.deliver(findings)];
		return texts.length > 0 ? texts.join("\n\n") : undefined;
	}

	clear(): void {
		this.late.clear();
		this.turn.clear();
		this.#preflight.clear();
	}

	async #check(
		call: ToolCall & { readonly isError: boolean },
		cwd: string,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return undefined;
		const limit = deadline(settings.coldMs + marginMs, outOfTime, signal);
		const ended: EndedCall = { call, cwd, settings, signal: limit.signal };
		try {
			if (call.kind === "command") return await this.#afterCommand(ended);
			if (call.isError) return undefined;
			return await this.#afterEdit(ended);
		} finally {
			limit.end();
		}
	}

	async #afterEdit(ended: EndedCall): Promise<string | undefined> {
		const { call, cwd, settings } = ended;
		const { files } = call;
		if (settings.mode === "turn") {
			for (const file of files) this.turn.changed(absolutePath(file, cwd));
			return undefined;
		}
		const checks = Promise.all(files.map((file) => this.#checkEdit(file, ended)));
		return this.#textOf(await this.#watcher.during(checks), settings);
	}

	async #afterCommand(ended: EndedCall): Promise<string | undefined> {
		const { call, cwd, settings, signal } = ended;
		const known = await this.#commands.changedNames(call, cwd, settings.maxFileBytes);
		if (settings.mode === "turn") {
			const seen = await waitOrAbort(this.#commands.seenByDaemon(call, cwd, signal), signal).catch(() => []);
			for (const { file, text } of [...known, ...seen.map((file) => ({ file, text: undefined }))]) {
				const path = absolutePath(file, cwd);
				this.turn.beforeChange(path, { file, cwd, text });
				this.turn.changed(path);
			}
			return undefined;
		}
		const checked = await this.#watcher.during(this.#checkCommand(known, ended));
		return this.#textOf(checked ? [checked] : [], settings);
	}

	#textOf(checks: readonly Checked[], { unproven }: Settings): string | undefined {
		const blocks = checks.flatMap(({ block }) => block ?? []);
		const files = checks.flatMap((checked) => checked.files.filter(({ role }) => role === "edited"));
		const goesOn = checks.some(({ more }) => more);
		const lines = unproven === "say" ? [...blocks, ...this.#unproven.of(files, goesOn)] : blocks;
		return lines.length > 0 ? lines.join("\n") : undefined;
	}

	async #checkEdit(file: string, { call, cwd, settings, signal }: EndedCall): Promise<Checked> {
		const others: OtherFiles = call.kind !== "edit" ? "full" : settings.editScope === "file" ? "none" : "line";
		const about = { cwd, session: this.#session, call: call.id, file };
		const request = (confirmed: readonly string[]) => {
			const params: CheckEditParams = { ...about, scope: others === "none" ? "file" : "affected", confirmed };
			return this.#daemon.call<CheckEditResult>("check_edit", params, signal);
		};
		try {
			const { report, more } = await this.late.check(call.id, { cwd, others }, request, signal);
			return this.#checked(report, editBlock(report, others), more);
		} catch (thrown) {
			return { files: notChecked(file, thrown), block: undefined, more: false };
		}
	}

	async #checkCommand(known: readonly KnownFile[], { call, cwd, signal }: EndedCall): Promise<Checked | undefined> {
		const request = (confirmed: readonly string[]) => this.#commands.check(call, cwd, { known, confirmed }, signal);
		try {
			const result = await this.late.check(call.id, { cwd, others: "full" }, request, signal);
			return result && this.#checked(result.report, commandText(result.report, result.changed), result.more);
		} catch (thrown) {
			return { files: known.flatMap(({ file }) => notChecked(file, thrown)), block: undefined, more: false };
		}
	}

	#checked(report: CheckReport, block: string | undefined, more: boolean): Checked {
		this.#watcher.checked(report, block !== undefined);
		return { files: report.files, block, more };
	}

	async #settingsFor({ tool, kind }: ToolCall, cwd: string): Promise<Settings | undefined> {
		const settings = await this.#options.settings(cwd);
		const changes = kind !== "other" || settings.mutatingTools.includes(tool);
		return settings.enabled && settings.mode !== "off" && changes ? settings : undefined;
	}
}

function outOfTime(): LspError {
	return new LspError("LSP_SERVER_TIMEOUT", "the daemon did not answer in time");
}

function notChecked(path: string, thrown: unknown): FileReport[] {
	const { code, message } = asLspError(thrown);
	const isBroken = code.startsWith("LSP_DAEMON_") || ["LSP_CONNECTION_LOST", "LSP_INTERNAL"].includes(code);
	const state: State | undefined = isBroken ? "unavailable" : code === "LSP_SERVER_TIMEOUT" ? "timed_out" : undefined;
	return state ? [{ path, role: "edited", state, reason: message, diagnostics: [] }] : [];
}
