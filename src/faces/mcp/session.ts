import { randomUUID } from "node:crypto";
import type { CallerConfig } from "../../config/caller-config.ts";
import { type Profile, readSettings, type Settings } from "../../config/read-settings.ts";
import type { Caller } from "../../contract/caller.ts";
import type { Conversation } from "../../contract/protocol.ts";
import { OperationCalls } from "../operation-calls.ts";
import { SkillBinding } from "../skills/skill-binding.ts";
import { ClientDirectories, type Place } from "./roots.ts";

export interface McpOptions {
	/** Else the client's first root. */
	readonly cwd: string | undefined;
	/** Else the configuration's. */
	readonly profile: Profile | undefined;
	/** Off by default: many clients send data and text to the model. */
	readonly structured: boolean;
	readonly config?: CallerConfig;
	/** It is made for one request: no conversation begins with it, and what is new is told since HEAD. */
	readonly stateless?: boolean;
}

/** What is kept of one client, whichever of its servers answers. */
export class McpSession {
	readonly caller: Caller;
	readonly options: McpOptions;
	readonly calls: OperationCalls;
	readonly enabled = process.env.PI_LSP !== "0";
	readonly directories: ClientDirectories;
	/** The mistakes in the configuration that it has been told. */
	readonly told = new Set<string>();
	/** A server that is made for one request has no session that a skill could hold. */
	readonly skills: SkillBinding | undefined;
	readonly #conversation: Conversation = { id: `mcp ${randomUUID()}`, begunAt: Date.now() };

	constructor(caller: Caller, options: McpOptions, calls = new OperationCalls(caller)) {
		this.caller = caller;
		this.options = options;
		this.calls = calls;
		this.skills = options.stateless ? undefined : new SkillBinding();
		this.directories = new ClientDirectories(options.cwd);
	}

	/** Undefined if they cannot be read, which calls report. */
	async settings(): Promise<Settings | undefined> {
		const { config } = this.options;
		return readSettings(await this.directories.first, { config, withoutTrust: true }).catch(() => undefined);
	}

	/** False where pi-lsp is switched off. */
	async isOffering(): Promise<boolean> {
		return this.enabled && (await this.settings())?.enabled !== false;
	}

	profile(settings: Settings | undefined): Profile {
		if (settings?.enabled === false) return "none";
		return this.options.profile ?? (settings?.navigationTools === false ? "none" : (settings?.profile ?? "core"));
	}

	/** What every request says of the caller. */
	about(place: Place) {
		const { config, stateless } = this.options;
		const conversation = stateless ? {} : { conversation: this.#conversation };
		return { ...place, ...conversation, ...(config ? { config } : {}) };
	}
}
