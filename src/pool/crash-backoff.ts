const backoffMs = [0, 250, 1000, 4000, 16_000];
const windowMs = 3 * 60_000;
const brokenMs = 60_000;

/** The pause before a start, which grows with each crash. After five crashes the server is broken. */
export class CrashBackoff {
	#crashes: number[] = [];
	#brokenUntil = 0;

	get brokenSeconds(): number {
		return Math.max(Math.ceil((this.#brokenUntil - Date.now()) / 1000), 0);
	}

	get pauseMs(): number {
		return backoffMs[Math.min(this.#recent().length, backoffMs.length - 1)] ?? 0;
	}

	crashed(): void {
		this.#crashes = [...this.#recent(), Date.now()];
		if (this.#crashes.length < backoffMs.length) return;
		this.#brokenUntil = Date.now() + brokenMs;
		// One more crash after the pause makes the server broken again.
		this.#crashes = this.#crashes.slice(1 - backoffMs.length);
	}

	reset(): void {
		this.#crashes = [];
		this.#brokenUntil = 0;
	}

	#recent(): number[] {
		return this.#crashes.filter((at) => Date.now() - at < windowMs);
	}
}
