import { collectGarbage } from "../../util/collect-garbage.ts";

const idleMs = 3000;
/** Between two collections: V8 returns freed memory to the system concurrently. */
const againMs = 1000;
/** V8 returns the memory of its young generation only after several collections. */
const maxCollections = 5;
const minBytes = 12 * 1024 * 1024;

/** Returns memory to the system while the daemon is idle. V8 by itself collects only during allocations. */
export class IdleCollection {
	#timer: NodeJS.Timeout | undefined;
	/** The resident memory after the last series of collections. */
	#settledBytes = process.memoryUsage.rss();

	/** To be called when the daemon has become idle. */
	begins(): void {
		this.ends();
		this.#timer = setTimeout(() => this.#collect(1), idleMs).unref();
	}

	/** To be called when there is work again. */
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
