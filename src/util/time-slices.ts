export class TimeSlices {
	#since = performance.now();

	/** `next` takes time. */
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
