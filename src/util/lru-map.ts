/** Iterates from the least recently used on, which is dropped. */
export class LruMap<Value> extends Map<string, Value> {
	readonly #limit: number;

	constructor(limit: number) {
		super();
		this.#limit = limit;
	}

	override get(key: string): Value | undefined {
		const value = super.get(key);
		if (value !== undefined) this.set(key, value);
		return value;
	}

	override set(key: string, value: Value): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.#limit) this.delete(this.keys().next().value as string);
		return this;
	}
}
