const maxSilences = 3;
const defaultWedgedSeconds = 30;

/**
 * Whether a server has wedged. A timeout is no crash: short budgets run out while a large project loads. But a server that
 * let three requests run out without one byte, and has been silent for long, will never answer again.
 */
export class HangDetector {
	readonly #wedgedMs: number;
	readonly #bornAt = performance.now();
	#lastByteAt = 0;
	#inARow = 0;

	constructor(wedgedSeconds = defaultWedgedSeconds) {
		this.#wedgedMs = wedgedSeconds * 1000;
	}

	/** A byte has come. */
	heard(): void {
		this.#lastByteAt = performance.now();
	}

	/** A request that was sent at `sentAt` (by performance.now()) has run out; true if that was one too many. */
	ranOut(sentAt: number): boolean {
		this.#inARow = this.#lastByteAt < sentAt ? this.#inARow + 1 : 0;
		const silentMs = performance.now() - Math.max(this.#lastByteAt, this.#bornAt);
		return this.#inARow >= maxSilences && silentMs >= this.#wedgedMs;
	}
}
