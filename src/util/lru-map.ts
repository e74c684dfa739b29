/** A map that drops its least recently used entry at a limit. */
export class LruMap<Value> {
	readonly #entries = new Map<string, Value>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	get(key: string): Value | undefined {
		const value = this.#entries.get(key);
		if (value !== undefined) {
			this.#entries.delete(key);
			this.#entries.set(key, value);
		}
		return value;
	}

	set(key: string, value: Value): void {
		this.#entries.delete(key);
		this.#entries.set(key, value);
		if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as string);
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}

	/** The oldest first. */
	keys(): string[] {
		return [...this.#entries.keys()];
	}

	/** Oldest first, without using them. */
	values(): Value[] {
		return [...this.#entries.values()];
	}

	clear(): void {
		this.#entries.clear();
	}
}
