const maxSilentTimeouts = 3;
const defaultSilentSeconds = 30;

/** One timeout proves nothing: large projects load long. */
export class HangDetector {
	readonly #silentMs: number;
	readonly #startedAt = performance.now();
	#lastByteAt = 0;
	#inARow = 0;

	constructor(silentSeconds = defaultSilentSeconds) {
		this.#silentMs = silentSeconds * 1000;
	}

	received(): void {
		this.#lastByteAt = performance.now();
	}

	/** True if the server hangs. `sentAt` is by performance.now(). */
	timedOut(sentAt: number): boolean {
		this.#inARow = this.#lastByteAt < sentAt ? this.#inARow + 1 : 0;
		const silentMs = performance.now() - Math.max(this.#lastByteAt, this.#startedAt);
		return this.#inARow >= maxSilentTimeouts && silentMs >= this.#silentMs;
	}
}
