import { randomUUID } from "node:crypto";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../daemon/protocol.ts";
import { LspError } from "../errors.ts";
import { type CheckReport, mergeReports } from "../findings.ts";
import { editBlock, type OtherFiles } from "../text/diagnostics.ts";
import { commandText } from "../text/turn.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import type { Settings } from "../workspace/config.ts";
import { CommandFiles, runsCommands } from "./command-files.ts";
import type { DaemonLink } from "./daemon-link.ts";
import { LateBlocks } from "./late-blocks.ts";
import { absolutePath, isMutating, pathsOf, textAfter, textBefore } from "./mutations.ts";
import type { SessionOptions } from "./pi-options.ts";
import type { Screen } from "./pi-screen.ts";
import { TurnCheck } from "./pi-turn.ts";

/** A tool call as both of pi's events tell it. */
export interface ToolCall {
	readonly toolName: string;
	readonly toolCallId: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** What a hook may do beyond the daemon's own budget: connect to it, or start it. */
const marginMs = 2000;

/**
 * The main job: before a call changes a file its text goes to the daemon, and after it the errors that the call caused
 * are appended to its result. Never throws, never waits past the budget, never changes a result for the worse.
 */
export class EditHook {
	readonly late: LateBlocks;
	readonly turn: TurnCheck;
	readonly #link: DaemonLink;
	readonly #options: SessionOptions;
	readonly #screen: Screen;
	readonly #session = randomUUID();
	readonly #commands: CommandFiles;

	constructor(link: DaemonLink, options: SessionOptions, screen: Screen) {
		this.#link = link;
		this.#options = options;
		this.#screen = screen;
		const checked = (report: CheckReport, text: string | undefined) => screen.checked(report, text !== undefined);
		this.late = new LateBlocks(link, this.#session, checked);
		this.#commands = new CommandFiles(link, this.#session);
		this.turn = new TurnCheck(link, this.#session, this.late, checked);
	}

	/** At `tool_call`: reads the old text, which is gone a moment later, and hands it over without waiting. */
	async before(call: ToolCall, cwd: string): Promise<void> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return;
		if (runsCommands(call.toolName)) return this.#commands.before(call, cwd, settings.maxFileBytes);
		this.#link.warm();
		for (const file of pathsOf(call.input)) {
			const path = absolutePath(file, cwd);
			const text = await textBefore(path, settings.maxFileBytes);
			if (settings.mode === "turn") this.turn.before(path, file, cwd, text);
			else if (text !== undefined) this.#baseline(call, file, cwd, text);
		}
	}

	/** At `tool_result`: the text to append, or undefined if nothing is proven or nothing is wrong. */
	async after(
		call: ToolCall & { readonly isError: boolean },
		cwd: string,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return undefined;
		if (runsCommands(call.toolName)) return this.#afterCommand(call, cwd, settings, signal);
		if (call.isError) return undefined;
		const files = pathsOf(call.input);
		for (const file of files) this.late.forget(absolutePath(file, cwd));
		if (settings.mode === "turn") {
			for (const file of files) this.turn.changed(absolutePath(file, cwd));
			return undefined;
		}
		const others: OtherFiles = call.toolName !== "edit" ? "full" : settings.editScope === "file" ? "none" : "line";
		const limit = deadline(settings.coldMs + marginMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		try {
			const checks = files.map((file) =>
				this.#check(file, cwd, call.toolCallId, others, settings.lateMs, limit.signal),
			);
			const told = (await this.#screen.during(Promise.all(checks))).filter((block) => block !== undefined);
			return told.length ? told.join("\n") : undefined;
		} finally {
			limit.end();
		}
	}

	/** A command may have changed files whether it ended well or not. */
	async #afterCommand(
		call: ToolCall,
		cwd: string,
		settings: Settings,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const limit = deadline(settings.coldMs + marginMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		try {
			const { files, more } = await this.#commands.after(call, cwd, limit.signal);
			for (const file of files.keys()) this.late.forget(absolutePath(file, cwd));
			if (settings.mode === "turn") {
				for (const [file, text] of files) {
					const path = absolutePath(file, cwd);
					this.turn.before(path, file, cwd, text);
					this.turn.changed(path);
				}
				return undefined;
			}
			const checks = [...files].map(([file, text]) => {
				if (text !== undefined) this.#baseline(call, file, cwd, text);
				return this.#report(file, cwd, call.toolCallId, "full", settings.lateMs, limit.signal);
			});
			const reports = (await this.#screen.during(Promise.all(checks))).filter((report) => report !== undefined);
			const report = mergeReports(reports);
			const text = commandText(report, more);
			this.#screen.checked(report, text !== undefined);
			return text;
		} finally {
			limit.end();
		}
	}

	/** Mode `turn`: checks what the turn has changed so far. */
	async checkTurn(cwd: string, signal: AbortSignal | undefined): Promise<void> {
		if (!this.turn.open) return;
		const { coldMs, lateMs } = await this.#options.settings(cwd);
		await this.#screen.during(this.turn.check({ budgetMs: coldMs + marginMs, lateMs }, signal));
	}

	/** Forgets what was not told yet: pi-lsp was switched off, or to another mode. */
	clear(): void {
		this.late.clear();
		this.turn.clear();
	}

	/** The settings if a call is one to check, else undefined. */
	async #settingsFor({ toolName }: ToolCall, cwd: string): Promise<Settings | undefined> {
		const settings = await this.#options.settings(cwd);
		const changes = isMutating(toolName, settings.mutatingTools) || runsCommands(toolName);
		return settings.enabled && settings.mode !== "off" && changes ? settings : undefined;
	}

	#baseline(call: ToolCall, file: string, cwd: string, text: string | null): void {
		const next = textAfter(call.input, text);
		const params: BaselineParams = {
			cwd,
			session: this.#session,
			call: call.toolCallId,
			file,
			text,
			...(next === undefined ? {} : { next }),
		};
		this.#link.notify("baseline", params);
	}

	async #check(
		file: string,
		cwd: string,
		call: string,
		others: OtherFiles,
		lateMs: number,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const report = await this.#report(file, cwd, call, others, lateMs, signal);
		if (!report) return undefined;
		const block = editBlock(report, others);
		this.#screen.checked(report, block !== undefined);
		return block;
	}

	async #report(
		file: string,
		cwd: string,
		call: string,
		others: OtherFiles,
		lateMs: number,
		signal: AbortSignal,
	): Promise<CheckReport | undefined> {
		const scope = others === "none" ? "file" : "affected";
		if (scope === "affected") this.late.forgetRest();
		const params: CheckEditParams = { cwd, session: this.#session, call, file, scope, told: this.late.takeTold() };
		try {
			const checking = this.#link.call<CheckEditResult>("check_edit", params, signal);
			const { report, pending, more } = await waitOrAbort(checking, signal);
			const expected = { call, cwd, file: absolutePath(file, cwd), others };
			if (pending || more) this.late.expect({ ...expected, rest: !pending }, lateMs);
			return report;
		} catch {
			// No server, no daemon, no time: the edit's own result stands as it is. Tools and `/lsp status` say why.
			return undefined;
		}
	}
}
