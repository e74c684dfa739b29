import { collectGarbage } from "../util/collect.ts";

const calmMs = 3000;
/** Less than this is not worth the pause. */
const worthBytes = 12 * 1024 * 1024;

/** Gives back the memory of a burst: V8 collects when something is allocated, and a daemon that waits allocates nothing. */
export class Calm {
	#timer: NodeJS.Timeout | undefined;
	#lowest = process.memoryUsage.rss();

	/** To be called when nothing is to be done any more. */
	begins(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			if (process.memoryUsage.rss() - this.#lowest > worthBytes) collectGarbage("all");
			this.#lowest = Math.max(this.#lowest, process.memoryUsage.rss());
		}, calmMs).unref();
	}

	/** To be called when there is something to do. */
	ends(): void {
		clearTimeout(this.#timer);
	}
}
