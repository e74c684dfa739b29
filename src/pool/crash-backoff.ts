const backoffMs = [0, 250, 1000, 4000, 16_000];
const failedStartMs = 1000;
const windowMs = 3 * 60_000;
const brokenMs = 60_000;

/** The pause grows with each crash; after five the server is broken. */
export class CrashBackoff {
	#crashes: number[] = [];
	#nextStart = 0;
	#brokenUntil = 0;

	get brokenSeconds(): number {
		return Math.max(Math.ceil((this.#brokenUntil - Date.now()) / 1000), 0);
	}

	get pauseMs(): number {
		return Math.max(this.#nextStart - Date.now(), 0);
	}

	crashed(): void {
		this.#count(0);
	}

	startFailed(): void {
		this.#count(failedStartMs);
	}

	reset(): void {
		this.#crashes = [];
		this.#nextStart = 0;
		this.#brokenUntil = 0;
	}

	#count(leastMs: number): void {
		const now = Date.now();
		this.#crashes = [...this.#crashes.filter((at) => now - at < windowMs), now];
		const pauseMs = backoffMs[Math.min(this.#crashes.length, backoffMs.length - 1)] ?? 0;
		this.#nextStart = now + Math.max(pauseMs, leastMs);
		if (this.#crashes.length < backoffMs.length) return;
		this.#brokenUntil = now + brokenMs;
		this.#crashes = this.#crashes.slice(1 - backoffMs.length);
	}
}
