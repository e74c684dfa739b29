/** One after the other for each key. */
export class Locks {
	readonly #locks = new Map<string, ReadWriteLock>();

	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const lock = this.#locks.get(key) ?? new ReadWriteLock();
		this.#locks.set(key, lock);
		try {
			return await lock.write(work);
		} finally {
			if (lock.isFree) this.#locks.delete(key);
		}
	}
}

/** First come, first served. */
export class ReadWriteLock {
	readonly #waiting: { readonly writer: boolean; readonly go: () => void }[] = [];
	#readers = 0;
	#writing = false;
	#wanted: (() => void) | undefined;

	get isFree(): boolean {
		return !this.#writing && this.#readers === 0 && this.#waiting.length === 0;
	}

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
