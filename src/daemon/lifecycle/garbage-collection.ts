import { collectGarbage } from "../../util/collect-garbage.ts";

const idleMs = 3000;
/** Longer than between an agent's edits. */
const longIdleMs = 20_000;
const againMs = 1000;
/** V8 returns its young generation only after several. */
const maxCollections = 5;
const minBytes = 12 * 1024 * 1024;

/** V8 collects by itself only during allocations. */
export class GarbageCollection {
	#timer: NodeJS.Timeout | undefined;
	#longTimer: NodeJS.Timeout | undefined;
	#settledBytes = process.memoryUsage.rss();
	readonly #release: () => boolean;

	constructor(release: () => boolean) {
		this.#release = release;
	}

	begins(): void {
		this.ends();
		this.#timer = setTimeout(() => this.#collect(1), idleMs).unref();
		this.#longTimer = setTimeout(() => this.#collectReleased(), longIdleMs).unref();
	}

	ends(): void {
		clearTimeout(this.#timer);
		clearTimeout(this.#longTimer);
	}

	#collectReleased(): void {
		if (!this.#release()) return;
		this.#settledBytes = 0;
		this.#collect(1);
	}

	#collect(nth: number): void {
		const bytes = process.memoryUsage.rss();
		if (bytes - this.#settledBytes <= minBytes) return;
		if (nth > maxCollections) {
			this.#settledBytes = bytes;
			return;
		}
		collectGarbage("all");
		this.#timer = setTimeout(() => this.#collect(nth + 1), againMs).unref();
	}
}
