/** Milliseconds of work after which the event loop gets its turn. */
const sliceMs = 8;

/** Work done in order and in slices, so that a large tree never holds up the daemon's other callers. */
export class Slices {
	readonly #queue: { readonly work: () => void; readonly done: (() => void) | undefined }[] = [];
	#next = 0;
	/** What the work in hand has led to; all of it comes before the next in the queue. */
	readonly #nested: (() => void)[] = [];
	#done: (() => void) | undefined;
	#scheduled = false;
	#closed = false;

	/** Adds work; `done` is called when it and everything nested in it is over, or at the close. */
	add(work: () => void, done?: () => void): void {
		if (this.#closed) {
			done?.();
			return;
		}
		this.#queue.push({ work, done });
		this.#schedule();
	}

	/** Adds to the work in hand. */
	nest(work: () => void): void {
		this.#nested.push(work);
		this.#schedule();
	}

	/** True if there is nothing to do. */
	get idle(): boolean {
		return !this.#done && this.#nested.length === 0 && this.#next >= this.#queue.length;
	}

	/** Resolves when everything that was added before is done; begins with it at once. */
	reached(): Promise<void> {
		if (this.idle) return Promise.resolve();
		return new Promise((done) => {
			this.add(() => {}, done);
			this.#work();
		});
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#nested.length = 0;
		this.#done?.();
		for (const { done } of this.#queue.splice(this.#next)) done?.();
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(() => {
			this.#scheduled = false;
			this.#work();
		});
	}

	#work(): void {
		const end = performance.now() + sliceMs;
		while (!this.#closed) {
			const nested = this.#nested.pop();
			if (nested) nested();
			else if (this.#done) {
				const done = this.#done;
				this.#done = undefined;
				done();
			} else if (!this.#begin()) return;
			if (performance.now() > end) {
				this.#schedule();
				return;
			}
		}
	}

	#begin(): boolean {
		const task = this.#queue[this.#next++];
		if (task) {
			this.#done = task.done;
			task.work();
			return true;
		}
		this.#queue.length = 0;
		this.#next = 0;
		return false;
	}
}
