import type { AgentCall, AgentEventParams, AgentEventResult } from "../../contract/agent-event.ts";
import type { BaselineParams, CallerParams } from "../../contract/protocol.ts";
import { hasErrors } from "../../diagnostics/diff-diagnostics.ts";
import { EditHook } from "../../edit-hook/edit-hook.ts";
import { absolutePath, type ToolCall, textBefore } from "../../edit-hook/tool-call.ts";
import { LruMap } from "../../util/lru-map.ts";
import { maxSourceBytes } from "../../util/read-file.ts";
import type { CallSource } from "../serve.ts";
import type { Service } from "../service.ts";

const maxCalls = 200;
/** Then commands count as begun when the model was asked. */
const turnCommand = "since the model was asked";

export interface OwnMethods {
	call(service: Service, method: string, params: unknown, source: CallSource): Promise<unknown>;
	notify(service: Service, method: string, params: unknown, env: CallSource["env"]): void;
}

export class AgentSession {
	readonly #hook: EditHook;
	/** Announced or answered: a host may run another host's hooks too. */
	readonly #calls = new LruMap<{ readonly answeredBy?: string }>(maxCalls);
	readonly #unread: string[] = [];
	#caller: AgentEventParams;
	#hasTurnCommand = false;

	constructor(service: Service, params: AgentEventParams, own: OwnMethods) {
		this.#caller = params;
		const env = async () => this.#caller.env;
		const call = <Result>(method: string, more: unknown, signal = new AbortController().signal) =>
			own.call(service, method, this.#withCaller(more), { env, signal }) as Promise<Result>;
		const notify = (method: string, more: unknown) => own.notify(service, method, this.#withCaller(more), env);
		const daemon = {
			warm() {},
			current: async () => ({ call, notify }),
			call,
			announce: (baseline: BaselineParams) => notify("baseline", baseline),
			endCall() {},
			withTrust: (more: unknown) => more,
		};
		const options = {
			settings: async (cwd: string) => ({
				...(await service.settings({ ...this.#callerParams(), cwd })),
				preflight: "off" as const,
			}),
		};
		const watcher = { during: <Result>(work: Promise<Result>) => work, checked() {} };
		this.#hook = new EditHook(daemon, options, watcher, params.session);
	}

	async event(service: Service, params: AgentEventParams, signal: AbortSignal): Promise<AgentEventResult> {
		this.#caller = params;
		const verdict = await verdictFor(service, params);
		if (verdict?.refusal !== undefined) return { refusal: verdict.refusal };
		const found = await this.#textFor(service, params, signal);
		const texts = [found, verdict?.text].filter((each) => each !== undefined);
		if (params.isMute) this.#unread.push(...texts);
		else texts.unshift(...this.#unread.splice(0));
		return params.isMute || texts.length === 0 ? {} : { text: texts.join("\n") };
	}

	async #textFor(service: Service, params: AgentEventParams, signal: AbortSignal): Promise<string | undefined> {
		const { phase, call, cwd } = params;
		if (phase === "stop") return this.#stop(service, cwd, signal);
		if (phase === "model") return this.#beforeModel(cwd, signal);
		if (!call) return undefined;
		if (phase === "before") {
			this.#calls.set(call.id, {});
			await this.#hook.before(toolCallOf(call), cwd);
			return undefined;
		}
		const known = this.#calls.get(call.id);
		const { id, repeatedBy = "" } = call;
		const isRepeated = repeatedBy !== "" && known?.answeredBy === repeatedBy;
		if (known?.answeredBy !== undefined && !isRepeated) return undefined;
		this.#calls.set(id, { answeredBy: repeatedBy });
		const isKnown = call.kind !== "command" && call.files.some(({ before }) => before !== undefined);
		if ((!known || isRepeated) && isKnown && !call.isError)
			await this.#hook.before(await withTextsAfter(call, cwd), cwd);
		const own = { ...toolCallOf(call), isError: call.isError };
		if (known || call.kind !== "command" || !this.#hasTurnCommand) return this.#hook.after(own, cwd, signal);
		const text = await this.#hook.after({ ...own, id: turnCommand }, cwd, signal);
		await this.#beginTurnCommand(cwd);
		return text;
	}

	async #beforeModel(cwd: string, signal: AbortSignal): Promise<string | undefined> {
		await this.#beginTurnCommand(cwd);
		const texts = this.#hook.late.deliver(await this.#hook.late.fetch(0, signal));
		return texts.length === 0 ? undefined : texts.join("\n\n");
	}

	async #beginTurnCommand(cwd: string): Promise<void> {
		this.#hasTurnCommand = true;
		await this.#hook.before({ id: turnCommand, tool: "", kind: "command", files: [] }, cwd);
	}

	/** Only errors make an agent continue. */
	async #stop(service: Service, cwd: string, signal: AbortSignal): Promise<string | undefined> {
		await this.#hook.checkTurn(cwd, signal).catch(() => {});
		const { lateMs } = await service.settings({ ...this.#callerParams(), cwd });
		const findings = await this.#hook.late.fetch(lateMs, signal);
		return this.#hook.takeText(findings.filter(({ report }) => report.files.some(hasErrors)));
	}

	clear(): void {
		this.#hook.clear();
	}

	#callerParams(): Omit<CallerParams, "cwd"> {
		const { trust, sandbox, environment } = this.#caller;
		return {
			...(trust === undefined ? {} : { trust }),
			...(sandbox === undefined ? {} : { sandbox }),
			...(environment === undefined ? {} : { environment }),
		};
	}

	#withCaller(params: unknown): unknown {
		return { ...(params as object), ...this.#callerParams() };
	}
}

async function verdictFor({ hostSkills }: Service, { phase, call, cwd, pid }: AgentEventParams) {
	if (!call || pid === undefined || (phase !== "before" && phase !== "after")) return undefined;
	const { id, kind, files, command, input, isError } = call;
	const about = { phase, call: id, kind, cwd, files: files.map(({ path }) => path), isError };
	return hostSkills.ask(pid, {
		...about,
		...(command === undefined ? {} : { command }),
		...(input === undefined ? {} : { input }),
	});
}

function toolCallOf({ files, ...call }: AgentCall): ToolCall {
	const known = files.filter(({ before }) => before !== undefined);
	const texts = new Map(known.map(({ path, before = null }) => [path, before]));
	return { ...call, files: files.map(({ path }) => path), texts };
}

async function withTextsAfter(call: AgentCall, cwd: string): Promise<ToolCall> {
	const after = new Map<string, string>();
	for (const { path } of call.files) {
		const text = await textBefore(absolutePath(path, cwd), maxSourceBytes);
		if (typeof text === "string") after.set(path, text);
	}
	return { ...toolCallOf(call), textAfter: (file) => after.get(file) };
}

export async function agentEvent(
	service: Service,
	params: AgentEventParams,
	{ signal }: CallSource,
	own: OwnMethods,
): Promise<AgentEventResult> {
	const { session: id, phase } = params;
	if (phase === "end") {
		service.endSession(id);
		return {};
	}
	const session = service.session(id);
	session.agent ??= new AgentSession(service, params, own);
	return session.agent.event(service, params, signal);
}
