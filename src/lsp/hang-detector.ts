const maxSilentTimeouts = 3;
const defaultSilentSeconds = 30;

/** Detects a server that hangs. One timeout proves nothing, since a large project takes long to load. */
export class HangDetector {
	readonly #silentMs: number;
	readonly #startedAt = performance.now();
	#lastByteAt = 0;
	#inARow = 0;

	constructor(silentSeconds = defaultSilentSeconds) {
		this.#silentMs = silentSeconds * 1000;
	}

	heard(): void {
		this.#lastByteAt = performance.now();
	}

	/** Counts a timeout of a request that was sent at `sentAt` (performance.now()); true if the server hangs. */
	timedOut(sentAt: number): boolean {
		this.#inARow = this.#lastByteAt < sentAt ? this.#inARow + 1 : 0;
		const silentMs = performance.now() - Math.max(this.#lastByteAt, this.#startedAt);
		return this.#inARow >= maxSilentTimeouts && silentMs >= this.#silentMs;
	}
}
