const maxTimes = 500;

/** Counters of one server. They stay on this machine. */
export interface ServerMetrics {
	readonly starts: number;
	readonly failedStarts: number;
	readonly crashes: number;
	readonly checks: number;
	readonly timeouts: number;
	readonly diagnostics: number;
	/** Milliseconds from question to proof, over the last 500 checks. */
	readonly checkMs: { readonly median: number; readonly p95: number };
}

type Counter = Exclude<keyof ServerMetrics, "checkMs">;

interface Counts {
	readonly counters: Record<Counter, number>;
	readonly times: number[];
}

export class Metrics {
	readonly #byServer = new Map<string, Counts>();

	add(id: string, counter: Counter, by = 1): void {
		this.#of(id).counters[counter] += by;
	}

	checked(id: string, ms: number, diagnostics: number): void {
		const { counters, times } = this.#of(id);
		counters.checks++;
		counters.diagnostics += diagnostics;
		times.push(ms);
		if (times.length > maxTimes) times.shift();
	}

	all(): Record<string, ServerMetrics> {
		return Object.fromEntries(
			[...this.#byServer].map(([id, { counters, times }]) => {
				const sorted = [...times].sort((a, b) => a - b);
				const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
				return [id, { ...counters, checkMs: { median: at(0.5), p95: at(0.95) } }];
			}),
		);
	}

	#of(id: string): Counts {
		const known = this.#byServer.get(id);
		if (known) return known;
		const counters = { starts: 0, failedStarts: 0, crashes: 0, checks: 0, timeouts: 0, diagnostics: 0 };
		const counts: Counts = { counters, times: [] };
		this.#byServer.set(id, counts);
		return counts;
	}
}
