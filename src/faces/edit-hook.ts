import { randomUUID } from "node:crypto";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../daemon/protocol.ts";
import { LspError } from "../errors.ts";
import { editBlock, type OtherFiles } from "../text/diagnostics.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { settingsFor } from "../workspace/config.ts";
import type { DaemonLink } from "./daemon-link.ts";
import { LateBlocks } from "./late-blocks.ts";
import { absolutePath, isMutating, pathsOf, textAfter, textBefore } from "./mutations.ts";

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
	readonly #link: DaemonLink;
	readonly #session = randomUUID();

	constructor(link: DaemonLink) {
		this.#link = link;
		this.late = new LateBlocks(link, this.#session);
	}

	/** At `tool_call`: reads the old text, which is gone a moment later, and hands it over without waiting. */
	async before(call: ToolCall, cwd: string): Promise<void> {
		const settings = await settingsFor(cwd);
		if (!settings.enabled || settings.mode !== "edit" || !isMutating(call.toolName, settings.mutatingTools)) return;
		this.#link.warm();
		for (const file of pathsOf(call.input)) {
			const text = await textBefore(absolutePath(file, cwd), settings.maxFileBytes);
			if (text === undefined) continue;
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

	/** At `tool_result`: the text to append, or undefined if nothing is proven or nothing is wrong. */
	async after(call: ToolCall, cwd: string, signal: AbortSignal | undefined): Promise<string | undefined> {
		const settings = await settingsFor(cwd);
		if (!settings.enabled || settings.mode !== "edit" || !isMutating(call.toolName, settings.mutatingTools))
			return undefined;
		const others: OtherFiles = call.toolName !== "edit" ? "full" : settings.editScope === "file" ? "none" : "line";
		const limit = deadline(settings.coldMs + marginMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		try {
			const blocks = await Promise.all(
				pathsOf(call.input).map((file) => this.#check(file, cwd, call.toolCallId, others, limit.signal)),
			);
			const told = blocks.filter((block) => block !== undefined);
			return told.length ? told.join("\n") : undefined;
		} finally {
			limit.end();
		}
	}

	async #check(
		file: string,
		cwd: string,
		call: string,
		others: OtherFiles,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const params: CheckEditParams = {
			cwd,
			session: this.#session,
			call,
			file,
			scope: others === "none" ? "file" : "affected",
		};
		try {
			const checking = this.#link.call<CheckEditResult>("check_edit", params, signal);
			const { report, pending } = await waitOrAbort(checking, signal);
			if (pending) this.late.expect(call, others);
			return editBlock(report, others);
		} catch {
			// No server, no daemon, no time: the edit's own result stands as it is. Tools and `/lsp status` say why.
			return undefined;
		}
	}
}
