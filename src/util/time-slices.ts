/** Lets long work give way to the event loop. */
export class TimeSlices {
	#since = performance.now();

	/** True if `next` should be awaited, which costs time. */
	get isOver(): boolean {
		return performance.now() - this.#since >= sliceMs;
	}

	async next(): Promise<void> {
		await new Promise<void>((resolve) => {
			setImmediate(resolve);
		});
		this.#since = performance.now();
	}
}

const sliceMs = 4;
