/**
 * Who goes first, at one server or in the whole process: edits and questions, for which somebody waits, before the work
 * behind the answers. That work is stopped while anybody waits, and goes on afterwards.
 */
export class Foreground {
	#waiting = 0;
	readonly #listeners = new Set<(isFree: boolean) => void>();

	/** True while nobody waits for an answer. */
	get isFree(): boolean {
		return this.#waiting === 0;
	}

	/** Runs work for which somebody waits. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#waiting++ === 0) this.#tell(false);
		try {
			return await work();
		} finally {
			if (--this.#waiting === 0) this.#tell(true);
		}
	}

	/** Resolves as soon as nobody waits for an answer. */
	async whenFree(): Promise<void> {
		while (!this.isFree)
			await new Promise<void>((resolve) => {
				const off = this.onChange((isFree) => {
					if (!isFree) return;
					off();
					resolve();
				});
			});
	}

	/** Calls `listener` when the server becomes free, or is free no longer, until the returned function is called. */
	onChange(listener: (isFree: boolean) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#tell(isFree: boolean): void {
		for (const listener of [...this.#listeners]) listener(isFree);
	}
}
