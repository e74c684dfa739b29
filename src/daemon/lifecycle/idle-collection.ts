import { collectGarbage } from "../../util/collect-garbage.ts";

const calmMs = 3000;
/** Between two collections: what one has freed is given back beside the program, in its own time. */
const againMs = 1000;
/** V8 gives its young generation back after a few in a row that found nothing there. */
const maxCollections = 5;
/** Less than this is not worth the pause. */
const worthBytes = 12 * 1024 * 1024;

/** Gives back the memory of a burst: V8 collects when something is allocated, and a daemon that waits allocates nothing. */
export class IdleCollection {
	/** Runs out when it has been calm for long enough, or would have been. */
	#timer: NodeJS.Timeout | undefined;
	/** Between two collections. */
	#again: NodeJS.Timeout | undefined;
	#isCalm = false;
	/** What the daemon holds when everything that it can give back has been given back. */
	#settled = process.memoryUsage.rss();

	/** To be called when nothing is to be done any more. */
	begins(): void {
		this.#isCalm = true;
		clearTimeout(this.#again);
		// Set again instead of made anew: it is begun behind every answer.
		this.#timer ??= setTimeout(() => this.#collect(1), calmMs).unref();
		this.#timer.refresh();
	}

	/** To be called when there is something to do. */
	ends(): void {
		this.#isCalm = false;
	}

	#collect(nth: number): void {
		if (!this.#isCalm) return;
		const held = process.memoryUsage.rss();
		if (held - this.#settled <= worthBytes) return;
		if (nth > maxCollections) {
			this.#settled = held;
			return;
		}
		collectGarbage("all");
		this.#again = setTimeout(() => this.#collect(nth + 1), againMs).unref();
	}
}
