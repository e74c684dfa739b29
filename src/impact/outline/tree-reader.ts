/** How a tree is read. */
export interface TreeReader {
	/** Looks at the whole tree. */
	readAll(): Promise<void>;
	/** Reads files that something happened to. */
	readSome(paths: readonly string[]): Promise<void>;
}

/** What of a tree has to be read, and whose turn it is: two readers would tell each other's changes from the disk's. */
export class Reading {
	readonly #reader: TreeReader;
	/** What something happened to since it was read; undefined where that is not known of any file. */
	#stale: Set<string> | undefined;
	#last: Promise<void> = Promise.resolve();
	/** A look at the whole tree that has not begun. */
	#nextLook: Promise<void> | undefined;
	#underWay = 0;

	constructor(reader: TreeReader) {
		this.#reader = reader;
	}

	/** True when nothing is left to read. */
	get isDone(): boolean {
		return this.#underWay === 0 && this.#stale?.size === 0;
	}

	/** Something happened to a file. */
	changed(path: string): void {
		this.#stale?.add(path);
	}

	/** Nobody knows what happened to the files for a while. */
	unwatched(): void {
		this.#stale = undefined;
	}

	/** True for a file of which something was told that has not been read. */
	isStale(path: string): boolean {
		return this.#stale?.has(path) === true;
	}

	/** Resolves when what is being read has been read, or could not be. */
	async settled(): Promise<void> {
		while (this.#underWay > 0) await this.#last.catch(() => {});
	}

	/**
	 * Resolves when all that was told so far has been read; without `watched`, when the whole tree has been looked at. Who
	 * comes before a look has begun shares it: after a restart of the server everybody comes at once.
	 */
	read(watched: boolean): Promise<void> {
		if (this.#nextLook) return this.#nextLook;
		const isTold = watched && this.#stale !== undefined;
		if (isTold && this.isDone) return Promise.resolve();
		this.#underWay++;
		this.#last = this.#last
			.catch(() => {})
			.then(() => {
				const stale = isTold ? this.#stale : undefined;
				this.#stale = new Set();
				if (stale) return this.#reader.readSome([...stale]);
				this.#nextLook = undefined;
				return this.#reader.readAll();
			})
			.catch((error: unknown) => {
				// What it has not come to is not known.
				this.unwatched();
				throw error;
			})
			.finally(() => {
				this.#underWay--;
			});
		if (!isTold) this.#nextLook = this.#last;
		return this.#last;
	}
}
