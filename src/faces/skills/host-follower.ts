import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../../contract/caller.ts";
import type { HostCall, HostCallsResult, HostVerdict } from "../../contract/host-call.ts";
import { HostCalls } from "./host-calls.ts";
import type { SkillBinding } from "./skill-binding.ts";
import type { Words } from "./words.ts";

const waitMs = 20_000;
const retryMs = 1000;

/** Judges the calls of the agent that has started this process, which its hooks report to the daemon. */
export class HostFollower {
	readonly #caller: Pick<Caller, "call">;
	readonly #binding: SkillBinding;
	readonly #calls = new HostCalls();
	#words: Words = "core";
	#over: AbortController | undefined;

	constructor(caller: Pick<Caller, "call">, binding: SkillBinding) {
		this.#caller = caller;
		this.#binding = binding;
	}

	/** After a call, which may have begun or ended a skill. */
	update(words: Words): void {
		this.#words = words;
		if (!this.#binding.isActive) this.#over?.abort();
		else if (!this.#over) void this.#follow();
	}

	async #follow(): Promise<void> {
		const over = new AbortController();
		this.#over = over;
		let verdicts: HostVerdict[] = [];
		while (!over.signal.aborted && (this.#binding.isActive || verdicts.length > 0)) {
			const wait = this.#binding.isActive ? waitMs : 0;
			const params = { pid: process.pid, wait, verdicts };
			verdicts = [];
			try {
				const { calls } = await this.#caller.call<HostCallsResult>("host_calls", params, over.signal);
				verdicts = calls.map((call) => this.#judge(call));
			} catch {
				// The daemon may have ended.
				await pause(retryMs, undefined, { signal: over.signal, ref: false }).catch(() => {});
			}
		}
		if (this.#over === over) this.#over = undefined;
	}

	#judge({ id, phase, call, cwd, input = {}, ...own }: HostCall): HostVerdict {
		if (phase === "after") {
			const text = this.#calls.end({ id: call, isError: own.isError }, this.#binding).join("\n");
			return text === "" ? { id } : { id, text };
		}
		const skills = { binding: this.#binding, words: this.#words };
		const refusal = this.#calls.begin({ ...own, id: call, input }, cwd, skills);
		return refusal === undefined ? { id } : { id, refusal };
	}
}
