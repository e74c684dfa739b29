import type { Diagnostic } from "../findings.ts";
import { Recent } from "../util/recent.ts";
import { carryOver, markNew } from "./carry.ts";
import type { Proof } from "./prove.ts";
import type { Shape } from "./shape.ts";

/** What was proven of a file before an edit. */
export interface Baseline {
	readonly proof: Proof;
	/** The shape, with the signatures of what the edit is going to touch; undefined where no server tells. */
	readonly shape: Shape | undefined;
}

/**
 * What one session (one agent's conversation) is owed: the baselines of its edits by tool call, and per file the
 * errors that were there before its first edit, so that its own leftovers are told from what it found.
 */
export class Ledger {
	readonly #announced = new Recent<Promise<unknown>>(200);
	readonly #baselines = new Recent<Promise<Baseline | undefined>>(200);
	readonly #inherited = new Recent<Pick<Proof, "text" | "diagnostics">>(500);

	/** Says that baselines of a tool call are about to be expected: a check that follows at once waits for `expected`. */
	announce(call: string, expected: Promise<unknown>): void {
		const all = Promise.all([this.#announced.get(call), expected]);
		all.catch(() => {});
		this.#announced.set(call, all);
	}

	expect(key: string, baseline: Promise<Baseline | undefined>): void {
		baseline.catch(() => {});
		this.#baselines.set(key, baseline);
	}

	/** The baseline under a key, once: undefined if none was handed over or it could not be proven. */
	async take(key: string, call?: string): Promise<Baseline | undefined> {
		if (call !== undefined) await this.#announced.get(call)?.catch(() => {});
		const baseline = this.#baselines.get(key);
		this.#baselines.delete(key);
		return baseline?.catch(() => undefined);
	}

	/**
	 * Says of each diagnostic whether this edit caused it, and of the others whether an earlier edit of this session did.
	 * Without a baseline nothing is said.
	 */
	judge(path: string, baseline: Proof | undefined, now: Proof): Diagnostic[] {
		const inherited = this.#inherited.get(path) ?? baseline;
		if (inherited) this.#inherited.set(path, { text: now.text, diagnostics: carryOver(inherited, now) });
		if (!baseline || !inherited) return [...now.diagnostics];
		const bySession = markNew(inherited, now);
		return markNew(baseline, now).map((diagnostic, index) =>
			!diagnostic.new && bySession[index]?.new ? { ...diagnostic, earlier: true } : diagnostic,
		);
	}
}
