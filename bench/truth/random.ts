/** Numbers that depend only on the seed (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** A number from 0 to 1, 1 excluded. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		const state = this.#state;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number from 0 to `limit`, `limit` excluded. */
	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	/** An entry of a list; undefined if it is empty. */
	pick<T>(list: readonly T[]): T | undefined {
		return list[this.below(list.length)];
	}

	shuffled<T>(list: readonly T[]): T[] {
		const left = [...list];
		const out: T[] = [];
		while (left.length > 0) out.push(...left.splice(this.below(left.length), 1));
		return out;
	}
}
