import type { CallerConfig } from "../config/caller-config.ts";
import type { Profile } from "../config/read-settings.ts";
import type { Caller } from "../contract/caller.ts";
import type { AnyOperation } from "../contract/operation.ts";
import type { Conversation } from "../contract/protocol.ts";
import { Audit } from "./audit/audit.ts";
import type { Asked } from "./audit/audit-record.ts";
import { carryOut, type Hold } from "./carry-out.ts";
import { withPerson } from "./person.ts";
import { phaseCallOf } from "./skills/phase-call.ts";
import type { SkillBinding } from "./skills/skill-binding.ts";
import type { Words } from "./skills/words.ts";

export interface FaceCall {
	readonly tool: string;
	readonly args: unknown;
	readonly profile?: Profile | undefined;
	readonly about: { readonly cwd: string; readonly config?: CallerConfig; readonly conversation?: Conversation };
	readonly signal?: AbortSignal | undefined;
	readonly hold?: Hold;
	readonly confirm?: (question: string) => Promise<boolean | undefined>;
	readonly skills?: { readonly binding: SkillBinding; readonly words: Words } | undefined;
	readonly added?: readonly AnyOperation[];
}

/** Resolves after planned changes are written. */
export type Request = (operation: string, input: unknown) => Promise<unknown>;

export class OperationCalls {
	readonly #caller: Pick<Caller, "call">;
	readonly audit: Audit;

	constructor(caller: Pick<Caller, "call">, audit = new Audit()) {
		this.#caller = caller;
		this.audit = audit;
	}

	async run<Result>(call: FaceCall, work: (request: Request) => Promise<Result>): Promise<Result> {
		const log = this.audit.logFor(call.profile);
		if (!log) return work((operation, input) => this.#request(call, operation, input));
		const begunAt = Date.now();
		const started = performance.now();
		const asked: Asked[] = [];
		let failure: unknown;
		try {
			return await work(async (operation, input) => {
				try {
					const output = await this.#request(call, operation, input);
					asked.push({ operation, input, output });
					return output;
				} catch (thrown) {
					asked.push({ operation, input });
					failure = thrown;
					throw thrown;
				}
			});
		} catch (thrown) {
			failure = thrown;
			throw thrown;
		} finally {
			const { tool, args, about } = call;
			const ms = performance.now() - started;
			this.audit.record(log, { tool, args, cwd: about.cwd, begunAt, ms, asked, failure }, about.config);
		}
	}

	async #request(call: FaceCall, operation: string, input: unknown): Promise<unknown> {
		const { binding, words } = call.skills ?? {};
		if (!binding || !words) return this.#ask(call, operation, input);
		const own = await binding.answer(operation, input, words);
		if (own) return own;
		const ended = binding.begin(phaseCallOf(operation, input, call.about.cwd, call.added), words);
		const output = await this.#ask(call, operation, input);
		ended(output);
		return output;
	}

	async #ask({ about, signal, hold, confirm }: FaceCall, operation: string, input: unknown): Promise<unknown> {
		const ask = (more: object = {}) => this.#caller.call<unknown>(operation, { ...about, input, ...more }, signal);
		const answer = await (confirm ? withPerson((permits) => ask(permits && { permits }), confirm) : ask());
		return carryOut(answer, (plan) => this.#caller.call("commit", { ...about, plan }), hold);
	}
}
