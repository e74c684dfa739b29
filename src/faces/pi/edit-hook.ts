import { randomUUID } from "node:crypto";
import type { Settings } from "../../config/read-settings.ts";
import type { CheckReport, FileReport, State } from "../../contract/check-report.ts";
import { asLspError, LspError } from "../../contract/errors.ts";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../../contract/protocol.ts";
import { editBlock, type OtherFiles } from "../../render/check/diagnostics.ts";
import { commandText } from "../../render/check/turn.ts";
import { deadline, waitOrAbort } from "../../util/abort.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { BashChanges, type KnownFile, runsCommands } from "./bash-changes.ts";
import { absolutePath, isMutating, pathsOf, textAfter, textBefore } from "./edit-tools.ts";
import { LateResults } from "./late-results.ts";
import type { Screen } from "./screen.ts";
import type { SessionOptions } from "./session-options.ts";
import { TurnCheck } from "./turn-check.ts";
import { UnprovenLines } from "./unproven-lines.ts";

/** A tool call in pi's events `tool_call` and `tool_result`. */
export interface ToolEvent {
	readonly toolName: string;
	readonly toolCallId: string;
	readonly input: Readonly<Record<string, unknown>>;
}

interface EndedCall {
	readonly call: ToolEvent;
	readonly cwd: string;
	readonly settings: Settings;
	/** Ends with the budget. */
	readonly signal: AbortSignal;
}

interface Checked {
	readonly files: readonly FileReport[];
	readonly block: string | undefined;
	/** True if the check goes on. */
	readonly more: boolean;
}

/** Time to connect to the daemon or start it, beyond its own budget. */
const marginMs = 2000;

/**
 * Sends the old text of an edited file to the daemon, and appends the errors that the call caused to its result. Never
 * throws, and never waits longer than the budget.
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
		const onReport = (report: CheckReport, isShown: boolean) => {
			this.#unproven.proven(report.files);
			screen.checked(report, isShown);
		};
		this.late = new LateResults(link, this.#session, onReport);
		this.#commands = new BashChanges(link, this.#session);
		this.turn = new TurnCheck(link, this.#session, this.late, onReport);
	}

	/** At `tool_call`; waits for no answer. */
	async before(call: ToolEvent, cwd: string): Promise<void> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return;
		if (runsCommands(call.toolName)) return this.#commands.before(call, cwd, settings.maxFileBytes);
		this.#link.warm();
		for (const file of pathsOf(call.input)) {
			const path = absolutePath(file, cwd);
			const text = await textBefore(path, settings.maxFileBytes);
			if (settings.mode === "turn") this.turn.beforeChange(path, { file, cwd, text });
			else if (text !== undefined) this.#sendBaseline(call, file, cwd, text);
		}
	}

	/** At `tool_result`: the text to append. */
	async after(
		call: ToolEvent & { readonly isError: boolean },
		cwd: string,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const settings = await this.#settingsFor(call, cwd);
		if (!settings) return undefined;
		const limit = deadline(settings.coldMs + marginMs, outOfTime, signal);
		const ended: EndedCall = { call, cwd, settings, signal: limit.signal };
		try {
			// A failed command may have changed files too.
			if (runsCommands(call.toolName)) return await this.#afterCommand(ended);
			if (call.isError) return undefined;
			return await this.#afterEdit(ended);
		} finally {
			limit.end();
		}
	}

	/** `heldMs` is how long answers have waited for mode `turn` already. */
	async checkTurn(cwd: string, signal: AbortSignal | undefined, heldMs = 0): Promise<void> {
		if (!this.turn.hasChanges) return;
		const { coldMs } = await this.#options.settings(cwd);
		await this.#screen.during(this.turn.check(Math.max(coldMs + marginMs - heldMs, 0), signal));
	}

	clear(): void {
		this.late.clear();
		this.turn.clear();
	}

	async #afterEdit(ended: EndedCall): Promise<string | undefined> {
		const { call, cwd, settings } = ended;
		const files = pathsOf(call.input);
		if (settings.mode === "turn") {
			for (const file of files) this.turn.changed(absolutePath(file, cwd));
			return undefined;
		}
		const checks = Promise.all(files.map((file) => this.#checkEdit(file, ended)));
		return this.#textOf(await this.#screen.during(checks), settings);
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
		const checked = await this.#screen.during(this.#checkCommand(known, ended));
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
		const others: OtherFiles = call.toolName !== "edit" ? "full" : settings.editScope === "file" ? "none" : "line";
		const about = { cwd, session: this.#session, call: call.toolCallId, file };
		const request = (told: readonly string[]) => {
			const params: CheckEditParams = { ...about, scope: others === "none" ? "file" : "affected", told };
			return this.#link.call<CheckEditResult>("check_edit", params, signal);
		};
		try {
			const { report, more } = await this.late.check(call.toolCallId, { cwd, others }, request, signal);
			return this.#checked(report, editBlock(report, others), more);
		} catch (thrown) {
			return { files: notChecked(file, thrown), block: undefined, more: false };
		}
	}

	async #checkCommand(known: readonly KnownFile[], { call, cwd, signal }: EndedCall): Promise<Checked | undefined> {
		const request = (told: readonly string[]) => this.#commands.check(call, cwd, { known, told }, signal);
		try {
			const result = await this.late.check(call.toolCallId, { cwd, others: "full" }, request, signal);
			return result && this.#checked(result.report, commandText(result.report, result.changed), result.more);
		} catch (thrown) {
			return { files: known.flatMap(({ file }) => notChecked(file, thrown)), block: undefined, more: false };
		}
	}

	#checked(report: CheckReport, block: string | undefined, more: boolean): Checked {
		this.#screen.checked(report, block !== undefined);
		return { files: report.files, block, more };
	}

	/** Undefined if the call is not to be checked. */
	async #settingsFor({ toolName }: ToolEvent, cwd: string): Promise<Settings | undefined> {
		const settings = await this.#options.settings(cwd);
		const changes = isMutating(toolName, settings.mutatingTools) || runsCommands(toolName);
		return settings.enabled && settings.mode !== "off" && changes ? settings : undefined;
	}

	#sendBaseline(call: ToolEvent, file: string, cwd: string, text: string | null): void {
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

/** No report if a person stopped the call or no server is for the file. */
function notChecked(path: string, thrown: unknown): FileReport[] {
	const { code, message } = asLspError(thrown);
	const isBroken = code.startsWith("LSP_DAEMON_") || ["LSP_CONNECTION_LOST", "LSP_INTERNAL"].includes(code);
	const state: State | undefined = isBroken ? "unavailable" : code === "LSP_SERVER_TIMEOUT" ? "timed_out" : undefined;
	return state ? [{ path, role: "edited", state, reason: message, diagnostics: [] }] : [];
}
