export class TimeSlices {
	#since = performance.now();

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

/** A question after a change arrives in a later turn of the event loop. */
export class TurnCache<Value> {
	readonly #values = new Map<string, Value>();

	get(key: string, make: () => Value): Value {
		const known = this.#values.get(key);
		if (known !== undefined) return known;
		if (this.#values.size === 0) setImmediate(() => this.#values.clear());
		const value = make();
		this.#values.set(key, value);
		return value;
	}
}
