import { pause } from "../../src/util/abort.ts";

/** The verdict of a condition: it holds, it does not hold yet, or it can never hold any more. */
export type Verdict<T> =
	| { readonly state: "met"; readonly value: T }
	| { readonly state: "not yet"; readonly seen: string }
	| { readonly state: "never"; readonly reason: string };

/** The condition holds, and this is its value. */
export function met<T>(value: T): Verdict<T> {
	return { state: "met", value };
}

/** The condition may still come to hold; `seen` is the value found instead. */
export function notYet(seen: string): Verdict<never> {
	return { state: "not yet", seen };
}

/** The condition cannot come to hold any more: a longer wait would only hide the reason. */
export function never(reason: string): Verdict<never> {
	return { state: "never", reason };
}

/** The time limit of a wait, and the time between two looks. */
export interface Patience {
	readonly timeoutMs?: number;
	readonly everyMs?: number;
}

/** Evaluates a condition until it is met; fails at once when it never can be, and otherwise after the time limit. */
export async function until<T>(
	what: string,
	look: () => Verdict<T> | Promise<Verdict<T>>,
	{ timeoutMs = 30_000, everyMs = 20 }: Patience = {},
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const verdict = await look();
		if (verdict.state === "met") return verdict.value;
		if (verdict.state === "never") throw new Error(`${what}: cannot happen any more: ${verdict.reason}`);
		if (Date.now() >= deadline) throw new Error(`${what}: not within ${timeoutMs} ms: ${verdict.seen}`);
		await pause(everyMs);
	}
}
