import { abortReason } from "./abort.ts";

interface Waiting {
	readonly signal: AbortSignal;
	go(): void;
	fail(reason: Error): void;
}

/** First come, first served. */
export class Semaphore {
	readonly #limit: number;
	/** By signal: thousands of listeners cost their square. */
	readonly #signals = new Map<AbortSignal, { count: number; readonly end: () => void }>();
	#waiting: Waiting[] = [];
	#running = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Rejects at an abort before its turn. */
	async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		if (this.#running >= this.#limit) await this.#turn(signal);
		else this.#running++;
		try {
			return await work();
		} finally {
			this.#next();
		}
	}

	#turn(signal: AbortSignal): Promise<void> {
		if (signal.aborted) return Promise.reject(abortReason(signal));
		const known = this.#signals.get(signal);
		if (known) known.count++;
		else {
			const onAbort = () => this.#aborted(signal);
			signal.addEventListener("abort", onAbort, { once: true });
			this.#signals.set(signal, { count: 1, end: () => signal.removeEventListener("abort", onAbort) });
		}
		return new Promise((go, fail) => {
			this.#waiting.push({ signal, go, fail });
		});
	}

	#aborted(signal: AbortSignal): void {
		this.#signals.delete(signal);
		const gone = this.#waiting.filter((each) => each.signal === signal);
		this.#waiting = this.#waiting.filter((each) => each.signal !== signal);
		for (const { fail } of gone) fail(abortReason(signal));
	}

	#next(): void {
		const next = this.#waiting.shift();
		if (!next) {
			this.#running--;
			return;
		}
		const listening = this.#signals.get(next.signal);
		if (listening && --listening.count === 0) {
			this.#signals.delete(next.signal);
			listening.end();
		}
		next.go();
	}
}
