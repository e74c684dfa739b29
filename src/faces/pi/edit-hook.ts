import { randomUUID } from "node:crypto";
import type { Settings } from "../../config/read-settings.ts";
import type { CheckReport, FileReport, State } from "../../contract/check-report.ts";
import { asLspError, LspError } from "../../contract/errors.ts";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../../contract/protocol.ts";
import { editBlock, type OtherFiles } from "../../render/check/diagnostics.ts";
import { commandText } from "../../render/check/turn.ts";
import { type Deadline, deadline, waitOrAbort } from "../../util/abort.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { BashChanges, type KnownFile, runsCommands } from "./bash-changes.ts";
import { absolutePath, isMutating, pathsOf, textAfter, textBefore } from "./edit-tools.ts";
import { LateResults } from "./late-results.ts";
import type { Screen } from "./screen.ts";
import type { SessionOptions } from "./session-options.ts";
import { TurnCheck } from "./turn-check.ts";
import { UnprovenLines } from "./unproven-lines.ts";

/** A tool call as both of pi's events tell it. */
export interface ToolCall {
	readonly toolName: string;
	readonly toolCallId: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** What a check made known. */
interface Checked {
	readonly files: readonly FileReport[];
	readonly block: string | undefined;
	/** True if the check goes on. */
	readonly more: boolean;
}

/** What a hook may do beyond the daemon's own budget: connect to it, or start it. */
const marginMs = 2000;

/**
 * The main job: before a call changes a file its text goes to the daemon, and after it the errors that the call caused
 * are appended to its result. Never throws, never waits past the budget, never changes a result for the worse.
 */
export class EditHook {
	readonly late: LateResults;
	readonly turn: TurnCheck;
	readonly #link: DaemonLink;
	readonly #options: SessionOptions;
	readonly #screen: Screen;
	readonly #session = randomUUID();
	readonly #commands: BashChanges;
	readonly #unproven = new UnprovenLines();

	constructor(link: DaemonLink, options: SessionOptions, screen: Screen) {
		this.#link = link;
		this.#options = options;
		this.#screen = screen;
		const shown = (report: CheckReport, isTold: boolean) => {
			this.#unproven.proven(report.files);
			screen.checked(report, isTold);
		};
		this.late = new LateResults(link, this.#session, shown);
		this.#commands = new BashChanges(link, this.#session);
		this.turn = new TurnCheck(link, this.#session, this.late, shown);
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

	/** At `tool_result`: the text to append, or undefined if there is nothing to say. */
	async after(
		call: ToolCall & { readonly isError: boolean },
		cwd: string,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return undefined;
		const limit = deadline(settings.coldMs + marginMs, outOfTime, signal);
		try {
			// A command may have changed files whether it ended well or not.
			if (runsCommands(call.toolName)) return await this.#afterCommand(call, cwd, settings, limit);
			if (call.isError) return undefined;
			return await this.#afterEdit(call, cwd, settings, limit);
		} finally {
			limit.end();
		}
	}

	/** Mode `turn`: checks what the turn has changed so far. Answers have been held up for it for `heldMs` already. */
	async checkTurn(cwd: string, signal: AbortSignal | undefined, heldMs = 0): Promise<void> {
		if (!this.turn.open) return;
		const { coldMs } = await this.#options.settings(cwd);
		await this.#screen.during(this.turn.check(Math.max(coldMs + marginMs - heldMs, 0), signal));
	}

	/** Forgets what was not told yet: pi-lsp was switched off, or to another mode. */
	clear(): void {
		this.late.clear();
		this.turn.clear();
	}

	async #afterEdit(call: ToolCall, cwd: string, settings: Settings, limit: Deadline): Promise<string | undefined> {
		const files = pathsOf(call.input);
		if (settings.mode === "turn") {
			for (const file of files) this.turn.changed(absolutePath(file, cwd));
			return undefined;
		}
		const others: OtherFiles = call.toolName !== "edit" ? "full" : settings.editScope === "file" ? "none" : "line";
		const checks = files.map((file) => this.#checkEdit(call, file, cwd, others, limit.signal));
		return this.#told(await this.#screen.during(Promise.all(checks)), settings);
	}

	async #afterCommand(call: ToolCall, cwd: string, settings: Settings, limit: Deadline): Promise<string | undefined> {
		const known = await this.#commands.changedOf(call, cwd, settings.maxFileBytes);
		if (settings.mode === "turn") {
			const seen = await waitOrAbort(this.#commands.seenBy(call, cwd, limit.signal), limit.signal).catch(() => []);
			for (const { file, text } of [...known, ...seen.map((file) => ({ file, text: undefined }))]) {
				const path = absolutePath(file, cwd);
				this.turn.before(path, file, cwd, text);
				this.turn.changed(path);
			}
			return undefined;
		}
		const checked = await this.#screen.during(this.#checkCommand(call, cwd, known, limit.signal));
		return this.#told(checked ? [checked] : [], settings);
	}

	/** What the agent reads of it: what is wrong, and of which files nothing is known. */
	#told(checks: readonly Checked[], { unproven }: Settings): string | undefined {
		const blocks = checks.flatMap(({ block }) => block ?? []);
		const files = checks.flatMap((checked) => checked.files.filter(({ role }) => role === "edited"));
		const later = checks.some(({ more }) => more);
		const told = unproven === "say" ? [...blocks, ...this.#unproven.of(files, later)] : blocks;
		return told.length > 0 ? told.join("\n") : undefined;
	}

	async #checkEdit(
		{ toolCallId: call }: ToolCall,
		file: string,
		cwd: string,
		others: OtherFiles,
		signal: AbortSignal,
	): Promise<Checked> {
		const scope = others === "none" ? "file" : "affected";
		const checking = this.late.confirming((told) => {
			const params: CheckEditParams = { cwd, session: this.#session, call, file, scope, told };
			return this.#link.call<CheckEditResult>("check_edit", params, signal);
		});
		try {
			const { report, more } = await waitOrAbort(checking, signal);
			this.late.expectFrom(call, { cwd, others }, more);
			return this.#shown(report, editBlock(report, others), more);
		} catch (thrown) {
			return { files: notChecked(file, thrown), block: undefined, more: false };
		}
	}

	async #checkCommand(
		call: ToolCall,
		cwd: string,
		known: readonly KnownFile[],
		signal: AbortSignal,
	): Promise<Checked | undefined> {
		try {
			const checking = this.late.confirming((told) => this.#commands.check(call, cwd, { known, told }, signal));
			const answer = await waitOrAbort(checking, signal);
			if (!answer) return undefined;
			const { report, changed, more } = answer;
			this.late.expectFrom(call.toolCallId, { cwd, others: "full" }, more);
			return this.#shown(report, commandText(report, changed), more);
		} catch (thrown) {
			return { files: known.flatMap(({ file }) => notChecked(file, thrown)), block: undefined, more: false };
		}
	}

	#shown(report: CheckReport, block: string | undefined, more: boolean): Checked {
		this.#screen.checked(report, block !== undefined);
		return { files: report.files, block, more };
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
}

function outOfTime(): LspError {
	return new LspError("LSP_SERVER_TIMEOUT", "the daemon did not answer in time");
}

/** What a failed call says of a file: nothing if it is none of our business, or if a person stopped the call. */
function notChecked(path: string, thrown: unknown): FileReport[] {
	const { code, message } = asLspError(thrown);
	const isBroken = code.startsWith("LSP_DAEMON_") || ["LSP_CONNECTION_LOST", "LSP_INTERNAL"].includes(code);
	const state: State | undefined = isBroken ? "unavailable" : code === "LSP_SERVER_TIMEOUT" ? "timed_out" : undefined;
	return state ? [{ path, role: "edited", state, reason: message, diagnostics: [] }] : [];
}
