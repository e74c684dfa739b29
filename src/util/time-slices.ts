/** Tells work that goes on for long when the event loop has to have its turn. */
export class TimeSlices {
	#since = performance.now();

	/** True when it is time to wait for `next`. Asked first, because waiting costs something even where it is not needed. */
	get isOver(): boolean {
		return performance.now() - this.#since >= sliceMs;
	}

	/** Lets everything else run that is ready to. */
	async next(): Promise<void> {
		await new Promise<void>((resolve) => {
			setImmediate(resolve);
		});
		this.#since = performance.now();
	}
}

/** Milliseconds of work at a stretch. */
const sliceMs = 4;
