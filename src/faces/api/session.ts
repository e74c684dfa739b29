import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { AgentEventParams, AgentEventResult, AgentPhase } from "../../contract/agent-event.ts";
import type { Caller } from "../../contract/caller.ts";
import { asLspError, dataWithHintsFor, disabled, LspError, withHintFor } from "../../contract/errors.ts";
import { childEnvironment } from "../../process/environment.ts";
import { harmless, harmlessData } from "../../render/harmless.ts";
import { filesOf } from "../agent-files.ts";
import { callerFor } from "../cli/caller.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { SessionEvents } from "./events.ts";
import type { Client, Events, Options, RequestOptions, Session, ToolCall } from "./types.ts";

export { LspError };

type Raw = Readonly<Record<string, unknown>>;

/** Waits for nothing: the first call starts what it needs. */
export function createSession(options: Options = {}): Session {
	return new AgentCalls(options);
}

/** Waits for nothing. */
export function createClient(options: Options = {}): Client {
	return new AgentCalls(options);
}

class AgentCalls implements Session {
	readonly #options: Options;
	readonly #cwd: string;
	readonly #id = `api ${randomUUID()}`;
	readonly #begunAt = Date.now();
	#caller: Promise<Caller> | undefined;
	#calls: OperationCalls | undefined;
	readonly #events: SessionEvents;
	#isClosed = false;

	constructor(options: Options) {
		this.#options = options;
		this.#cwd = resolve(options.cwd ?? process.cwd());
		this.#events = new SessionEvents(this.#cwd, async (method, params, signal) =>
			(await this.#reach()).call(method, { ...this.#about(), ...params }, signal),
		);
	}

	check(files: string | readonly string[], options: object = {}): Promise<object> {
		return this.run("check", { ...options, files: typeof files === "string" ? [files] : files });
	}

	preview(edit: object): Promise<object> {
		return this.run("preview", edit);
	}

	apply(edit: object): Promise<object> {
		return this.run("apply_edit", edit);
	}

	run(name: string, input: object, signal?: AbortSignal): Promise<object> {
		return withoutCommands(async () => {
			const [caller, { OperationCalls }] = await Promise.all([this.#reach(), loadOperations()]);
			this.#calls ??= new OperationCalls(caller);
			const { confirm } = this.#options;
			const call = { tool: name, args: input, about: this.#about(), signal, ...(confirm ? { confirm } : {}) };
			const output = await this.#calls.run(call, (request) => request(name, input));
			return harmlessData(dataWithHintsFor(output, noCommand)) as object;
		});
	}

	async ask(name: string, input: object, signal?: AbortSignal): Promise<string> {
		const output = await this.run(name, input, signal);
		const { answerOf } = await loadOperations();
		return answerOf(name, input, output);
	}

	request(method: string, params: Raw = {}, { file, texts, signal }: RequestOptions = {}): Promise<unknown> {
		return withoutCommands(async () => {
			const caller = await this.#reach();
			const about = { ...this.#about(), ...(file === undefined ? {} : { file }), ...(texts ? { texts } : {}) };
			return caller.call<unknown>("request", { ...about, method, params }, signal);
		});
	}

	on<Name extends keyof Events>(event: Name, listener: (event: Events[Name]) => void): () => void {
		return this.#events.on(event, listener);
	}

	async before(call: ToolCall): Promise<void> {
		await this.#event("before", call);
	}

	after(call: ToolCall & { readonly isError?: boolean }, signal?: AbortSignal): Promise<string | undefined> {
		return this.#event("after", call, signal);
	}

	endTurn(signal?: AbortSignal): Promise<string | undefined> {
		return this.#event("stop", undefined, signal);
	}

	async close(): Promise<void> {
		this.#events.end();
		if (this.#caller && !this.#isClosed) await this.#event("end", undefined);
		this.#isClosed = true;
		await this.#calls?.audit.close();
		await (await this.#caller?.catch(() => undefined))?.close();
		this.#caller = undefined;
	}

	async #event(
		phase: AgentPhase,
		call: (ToolCall & { readonly isError?: boolean }) | undefined,
		signal?: AbortSignal,
	): Promise<string | undefined> {
		try {
			const { id = "", kind = "edit", files: named = [], command, isError = false } = call ?? {};
			const own = { kind, files: named, ...(command === undefined ? {} : { command }) };
			const files = call ? await filesOf(own, phase, this.#cwd) : [];
			const caller = await this.#reach();
			const { conversation: _, ...about } = this.#about();
			const params: AgentEventParams = {
				...about,
				session: this.#id,
				phase,
				env: childEnvironment(process.env),
				...(call ? { call: { id, tool: kind, kind, files, at: Date.now(), isError } } : {}),
			};
			const { text } = await caller.call<AgentEventResult>("agent_event", params, signal);
			return text === undefined ? undefined : harmless(text);
		} catch {
			return undefined;
		}
	}

	#about() {
		const { config: file, trust } = this.#options;
		return {
			cwd: this.#cwd,
			conversation: { id: this.#id, begunAt: this.#begunAt },
			...(trust === true ? { trust: true } : {}),
			...(file === undefined ? {} : { config: { file: resolve(this.#cwd, file), directory: this.#cwd } }),
		};
	}

	#reach(): Promise<Caller> {
		if (process.env.PI_LSP === "0") return Promise.reject(disabled());
		if (this.#isClosed) return Promise.reject(new LspError("LSP_INVALID_INPUT", "The session is closed."));
		this.#caller ??= callerFor({ daemon: this.#options.daemon !== false, wait: false });
		this.#events.follow();
		return this.#caller;
	}
}

const loadOperations = () => import("./calls.ts");

const noCommand = () => undefined;

async function withoutCommands<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (thrown) {
		throw withHintFor(asLspError(thrown), noCommand);
	}
}
