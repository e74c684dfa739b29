export interface TreeReader {
	readAll(): Promise<void>;
	readSome(paths: readonly string[]): Promise<void>;
}

export class ReadQueue {
	readonly #reader: TreeReader;
	#stale: Set<string> | undefined;
	#last: Promise<void> = Promise.resolve();
	#nextReadAll: Promise<void> | undefined;
	#underWay = 0;

	constructor(reader: TreeReader) {
		this.#reader = reader;
	}

	changed(path: string): void {
		this.#stale?.add(path);
	}

	unwatched(): void {
		this.#stale = undefined;
	}

	isStale(path: string): boolean {
		return this.#stale?.has(path) === true;
	}

	read(watched: boolean): Promise<void> {
		if (this.#nextReadAll) return this.#nextReadAll;
		const isKnown = watched && this.#stale !== undefined;
		if (isKnown && this.#underWay === 0 && this.#stale?.size === 0) return Promise.resolve();
		this.#underWay++;
		this.#last = this.#last
			.catch(() => {})
			.then(() => {
				const stale = isKnown ? this.#stale : undefined;
				this.#stale = new Set();
				if (stale) return this.#reader.readSome([...stale]);
				this.#nextReadAll = undefined;
				return this.#reader.readAll();
			})
			.catch((error: unknown) => {
				this.unwatched();
				throw error;
			})
			.finally(() => {
				this.#underWay--;
			});
		if (!isKnown) this.#nextReadAll = this.#last;
		return this.#last;
	}
}
