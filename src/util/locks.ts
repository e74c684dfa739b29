export class Locks {
	readonly #tails = new Map<string, Promise<unknown>>();

	run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const before = this.#tails.get(key) ?? Promise.resolve();
		const mine = before.then(work, work);
		const tail = mine.then(
			() => {},
			() => {},
		);
		this.#tails.set(key, tail);
		void tail.then(() => {
			if (this.#tails.get(key) === tail) this.#tails.delete(key);
		});
		return mine;
	}
}

/** First come, first served. */
export class ReadWriteLock {
	readonly #waiting: { readonly writer: boolean; readonly go: () => void }[] = [];
	#readers = 0;
	#writing = false;
	#wanted: (() => void) | undefined;

	read<T>(work: () => Promise<T>): Promise<T> {
		return this.#take(false, work);
	}

	write<T>(work: () => Promise<T>): Promise<T> {
		return this.#take(true, work);
	}

	/** Undefined if the lock is not free. `work` must end soon after `wanted`: another caller waits. */
	writeWhileIdle<T>(work: (wanted: Promise<void>) => Promise<T>): Promise<T> | undefined {
		if (this.#writing || this.#readers > 0) return undefined;
		const wanted = new Promise<void>((resolve) => {
			this.#wanted = resolve;
		});
		return this.write(() => work(wanted)).finally(() => {
			this.#wanted = undefined;
		});
	}

	async #take<T>(writer: boolean, work: () => Promise<T>): Promise<T> {
		if (!writer && !this.#writing && this.#waiting.length === 0) this.#readers++;
		else
			await new Promise<void>((go) => {
				this.#waiting.push({ writer, go });
				this.#next();
				if (this.#waiting.length > 0) this.#wanted?.();
			});
		try {
			return await work();
		} finally {
			if (writer) this.#writing = false;
			else this.#readers--;
			this.#next();
		}
	}

	#next(): void {
		for (let first = this.#waiting[0]; first && !this.#writing; first = this.#waiting[0]) {
			if (first.writer) {
				if (this.#readers > 0) return;
				this.#writing = true;
			} else this.#readers++;
			this.#waiting.shift();
			first.go();
		}
	}
}
