export class Foreground {
	#waiting = 0;
	#pauses = 0;
	readonly #listeners = new Set<(isFree: boolean) => void>();

	get isFree(): boolean {
		return this.#waiting === 0 && this.#pauses === 0;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#waiting++ === 0) this.#notify(false);
		try {
			return await work();
		} finally {
			this.#waiting--;
			if (this.isFree) this.#notify(true);
		}
	}

	async pause(until: Promise<void>): Promise<void> {
		this.#pauses++;
		await until;
		this.#pauses--;
		if (this.isFree) this.#notify(true);
	}

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

	async whenQuiet(ms: number): Promise<void> {
		while (!this.isFree) {
			await this.whenFree();
			await new Promise((resolve) => setTimeout(resolve, ms).unref());
		}
	}

	onChange(listener: (isFree: boolean) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#notify(isFree: boolean): void {
		for (const listener of [...this.#listeners]) listener(isFree);
	}
}
