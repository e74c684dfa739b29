const maxTimes = 500;

/** They stay on this machine. */
export interface ServerMetrics {
	readonly language: string;
	readonly starts: number;
	readonly failedStarts: number;
	readonly crashes: number;
	readonly checks: number;
	readonly timeouts: number;
	readonly diagnostics: number;
	/** Over the last 500 checks. */
	readonly checkMs: { readonly median: number; readonly p95: number };
}

type Counter = Exclude<keyof ServerMetrics, "checkMs" | "language">;

interface Counted {
	readonly server: string;
	readonly language: string;
}

interface Counts {
	readonly language: string;
	readonly counters: Record<Counter, number>;
	readonly times: number[];
}

export class Metrics {
	readonly #byServer = new Map<string, Counts>();

	add(server: Counted, counter: Counter): void {
		this.#of(server).counters[counter]++;
	}

	checked(server: Counted, ms: number, diagnostics: number): void {
		const { counters, times } = this.#of(server);
		counters.checks++;
		counters.diagnostics += diagnostics;
		times.push(ms);
		if (times.length > maxTimes) times.shift();
	}

	all(): Record<string, ServerMetrics> {
		return Object.fromEntries(
			[...this.#byServer].map(([id, { language, counters, times }]) => {
				const sorted = [...times].sort((a, b) => a - b);
				const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
				return [id, { language, ...counters, checkMs: { median: at(0.5), p95: at(0.95) } }];
			}),
		);
	}

	#of({ server, language }: Counted): Counts {
		const known = this.#byServer.get(server);
		if (known) return known;
		const counters = { starts: 0, failedStarts: 0, crashes: 0, checks: 0, timeouts: 0, diagnostics: 0 };
		const counts: Counts = { language, counters, times: [] };
		this.#byServer.set(server, counts);
		return counts;
	}
}
