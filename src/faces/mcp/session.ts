import { randomUUID } from "node:crypto";
import type { CallerConfig } from "../../config/caller-config.ts";
import { type Profile, readSettings, type Settings } from "../../config/read-settings.ts";
import type { Caller } from "../../contract/caller.ts";
import { type Extension, noExtension } from "../../contract/extension.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import type { Conversation } from "../../contract/protocol.ts";
import { extensionOperations } from "../../operations/extension-operations.ts";
import { OperationCalls } from "../operation-calls.ts";
import { HostFollower } from "../skills/host-follower.ts";
import { SkillBinding } from "../skills/skill-binding.ts";
import type { News } from "./news.ts";
import { type CallDirectory, ClientDirectories } from "./roots.ts";

/** Least urgent first. */
export const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface McpOptions {
	readonly cwd: string | undefined;
	readonly profile: Profile | undefined;
	/** Many clients hand both data and text to the model. */
	readonly structured: boolean;
	readonly config?: CallerConfig;
	/** LOG_LEVEL. Without it clients get messages once they set a level. */
	readonly logLevel?: LogLevel | undefined;
	/** For one request: news are relative to HEAD. */
	readonly stateless?: boolean;
	/** Started by the agent: skills bind the agent's own tools too. */
	readonly isChild?: boolean;
}

export class McpSession {
	readonly caller: Caller;
	readonly options: McpOptions;
	readonly calls: OperationCalls;
	readonly enabled = process.env.PI_LSP !== "0";
	readonly directories: ClientDirectories;
	readonly shownProblems = new Set<string>();
	readonly declined: Set<string>;
	readonly skills: SkillBinding | undefined;
	readonly host: HostFollower | undefined;
	news: News | undefined;
	extension: Extension = noExtension;
	logLevel: LogLevel | undefined;
	readonly #conversation: Conversation = { id: `mcp ${randomUUID()}`, begunAt: Date.now() };

	constructor(caller: Caller, options: McpOptions, calls = new OperationCalls(caller), declined = new Set<string>()) {
		this.caller = caller;
		this.options = options;
		this.calls = calls;
		this.declined = declined;
		this.skills = options.stateless ? undefined : new SkillBinding();
		this.host = this.skills && options.isChild ? new HostFollower(caller, this.skills) : undefined;
		this.directories = new ClientDirectories(options.cwd);
		this.logLevel = options.logLevel;
	}

	/** Undefined if unreadable, which calls report. */
	async settings(): Promise<Settings | undefined> {
		const { config } = this.options;
		const read = readSettings(await this.directories.first, { config, withoutTrust: true });
		const settings = await read.catch(() => undefined);
		this.extension = settings?.enabled ? settings.extension : noExtension;
		return settings;
	}

	async isOffering(): Promise<boolean> {
		return this.enabled && (await this.settings())?.enabled !== false;
	}

	get added(): readonly AnyOperation[] {
		return extensionOperations(this.extension);
	}

	logs(level: LogLevel): boolean {
		return this.logLevel !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(this.logLevel);
	}

	profile(settings: Settings | undefined): Profile {
		if (settings?.enabled === false) return "none";
		return this.options.profile ?? (settings?.navigationTools === false ? "none" : (settings?.profile ?? "core"));
	}

	about(place: CallDirectory) {
		const { config, stateless } = this.options;
		const conversation = stateless ? {} : { conversation: this.#conversation };
		return { ...place, ...conversation, ...(config ? { config } : {}) };
	}
}
