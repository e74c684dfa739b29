/** Many readers or one writer, in the order of arrival, so that nobody is overtaken for ever. */
export class Turns {
	readonly #waiting: { readonly writer: boolean; readonly go: () => void }[] = [];
	#readers = 0;
	#writing = false;

	read<T>(work: () => Promise<T>): Promise<T> {
		return this.#take(false, work);
	}

	write<T>(work: () => Promise<T>): Promise<T> {
		return this.#take(true, work);
	}

	async #take<T>(writer: boolean, work: () => Promise<T>): Promise<T> {
		await new Promise<void>((go) => {
			this.#waiting.push({ writer, go });
			this.#next();
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
