/** Milliseconds in which nothing may happen, and the most that is waited for that. */
const quietMs = 50;
const longestMs = 500;

/** Acts after 50 ms in which nothing happened, and 500 ms after the first thing in any case. */
export class Quiet {
	readonly #act: () => void;
	#quiet: NodeJS.Timeout | undefined;
	#longest: NodeJS.Timeout | undefined;

	constructor(act: () => void) {
		this.#act = act;
	}

	/** Something happened. */
	happened(): void {
		const act = () => {
			this.stop();
			this.#act();
		};
		this.#longest ??= setTimeout(act, longestMs).unref();
		if (this.#quiet) this.#quiet.refresh();
		else this.#quiet = setTimeout(act, quietMs).unref();
	}

	/** Forgets what happened. */
	stop(): void {
		clearTimeout(this.#quiet);
		clearTimeout(this.#longest);
		this.#quiet = undefined;
		this.#longest = undefined;
	}
}
