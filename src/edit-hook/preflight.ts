import type { Settings } from "../config/read-settings.ts";
import { LspError } from "../contract/errors.ts";
import type { BaselineParams, PreflightResult } from "../contract/protocol.ts";
import { refusalText } from "../render/check/refusal.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import type { DaemonCalls } from "./host.ts";
import { absolutePath, type ToolCall } from "./tool-call.ts";

export class Preflight {
	readonly #daemon: DaemonCalls;
	/** What another call writes is unknown. */
	readonly #changing = new Set<string>();

	constructor(daemon: DaemonCalls) {
		this.#daemon = daemon;
	}

	async before(
		about: BaselineParams,
		call: ToolCall,
		{ mode, preflight, preflightMs }: Pick<Settings, "mode" | "preflight" | "preflightMs">,
	): Promise<string | undefined> {
		const { file, cwd, text } = about;
		const next = call.textAfter?.(file, text);
		const params: BaselineParams = { ...about, ...(next === undefined ? {} : { next }) };
		const path = absolutePath(file, cwd);
		const isJudged = preflight === "block" && next !== undefined && !this.#changing.has(path);
		this.#changing.add(path);
		const refused = isJudged ? await this.#judge(params, preflightMs) : undefined;
		if (refused !== undefined) this.#changing.delete(path);
		if (refused !== undefined || mode === "turn") return refused;
		this.#daemon.announce({ ...params, ...(preflight === "off" ? {} : { ahead: true }) }, isJudged);
		return undefined;
	}

	after({ files }: ToolCall, cwd: string): void {
		for (const file of files) this.#changing.delete(absolutePath(file, cwd));
	}

	clear(): void {
		this.#changing.clear();
	}

	/** After `ms` the edit goes on; so does the daemon, for the baseline. */
	async #judge(params: BaselineParams, ms: number): Promise<string | undefined> {
		const limit = deadline(ms, () => new LspError("LSP_SERVER_TIMEOUT", "the edit waits no longer"));
		try {
			const { broken } = await waitOrAbort(this.#daemon.call<PreflightResult>("preflight", params), limit.signal);
			return broken && refusalText(params.file, broken);
		} catch {
			return undefined;
		} finally {
			limit.end();
		}
	}
}
