import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../../contract/caller.ts";
import type { HostCallsResult, HostVerdict, ReportedCall } from "../../contract/host-call.ts";
import { HostCalls } from "./host-calls.ts";
import type { SkillBinding } from "./skill-binding.ts";
import type { Words } from "./words.ts";

const waitMs = 20_000;
const retryMs = 1000;

/** Judges calls of the agent that started this process; its hooks report them to the daemon. */
export class HostFollower {
	readonly #caller: Pick<Caller, "call">;
	readonly #binding: SkillBinding;
	readonly #calls = new HostCalls();
	#words: Words = "core";
	#over: AbortController | undefined;
	#isEnded = false;

	constructor(caller: Pick<Caller, "call">, binding: SkillBinding) {
		this.#caller = caller;
		this.#binding = binding;
	}

	/** After a call, which may begin or end a skill. Resolves when the daemon knows of it. */
	async update(words: Words): Promise<void> {
		this.#words = words;
		if (!this.#binding.isActive || this.#isEnded) return this.#over?.abort();
		if (this.#over) return;
		const over = new AbortController();
		this.#over = over;
		const known = this.#ask([], 0, over.signal).catch((): ReportedCall[] => []);
		void known.then((calls) => this.#follow(calls, over));
		await known;
	}

	end(): void {
		this.#isEnded = true;
		this.#over?.abort();
	}

	async #ask(verdicts: readonly HostVerdict[], wait: number, signal: AbortSignal): Promise<readonly ReportedCall[]> {
		const params = { pid: process.pid, wait, verdicts };
		return (await this.#caller.call<HostCallsResult>("host_calls", params, signal)).calls;
	}

	async #follow(first: readonly ReportedCall[], over: AbortController): Promise<void> {
		let verdicts = first.map((call) => this.#judge(call));
		while (!over.signal.aborted && (this.#binding.isActive || verdicts.length > 0)) {
			const given = verdicts;
			verdicts = [];
			try {
				const calls = await this.#ask(given, this.#binding.isActive ? waitMs : 0, over.signal);
				verdicts = calls.map((call) => this.#judge(call));
			} catch {
				await pause(retryMs, undefined, { signal: over.signal, ref: false }).catch(() => {});
			}
		}
		if (this.#over === over) this.#over = undefined;
	}

	#judge({ id, phase, call, cwd, input = {}, ...own }: ReportedCall): HostVerdict {
		if (phase === "after") {
			const text = this.#calls.end({ id: call, isError: own.isError }, this.#binding).join("\n");
			return text === "" ? { id } : { id, text };
		}
		const skills = { binding: this.#binding, words: this.#words };
		const refusal = this.#calls.begin({ ...own, id: call, input }, cwd, skills);
		return refusal === undefined ? { id } : { id, refusal };
	}
}
