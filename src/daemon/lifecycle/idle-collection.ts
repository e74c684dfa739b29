import { collectGarbage } from "../../util/collect-garbage.ts";

const idleMs = 3000;
/** V8 returns freed memory to the system concurrently. */
const againMs = 1000;
/** V8 returns its young generation only after several collections. */
const maxCollections = 5;
const minBytes = 12 * 1024 * 1024;

/** Collects garbage while the daemon is idle: V8 collects only during allocations. */
export class IdleCollection {
	#timer: NodeJS.Timeout | undefined;
	#settledBytes = process.memoryUsage.rss();

	begins(): void {
		this.ends();
		this.#timer = setTimeout(() => this.#collect(1), idleMs).unref();
	}

	ends(): void {
		clearTimeout(this.#timer);
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
