import { waitOrAbort } from "./abort.ts";

/** First come, first served. */
export class Semaphore {
	readonly #limit: number;
	readonly #waiting: (() => void)[] = [];
	#running = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Rejects at an abort before its turn. */
	async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		if (this.#running >= this.#limit) {
			let go = () => {};
			const turn = new Promise<void>((resolve) => {
				go = resolve;
			});
			this.#waiting.push(go);
			try {
				await waitOrAbort(turn, signal);
			} catch (error) {
				const place = this.#waiting.indexOf(go);
				if (place < 0) this.#next();
				else this.#waiting.splice(place, 1);
				throw error;
			}
		} else this.#running++;
		try {
			return await work();
		} finally {
			this.#next();
		}
	}

	#next(): void {
		const go = this.#waiting.shift();
		if (go) go();
		else this.#running--;
	}
}
