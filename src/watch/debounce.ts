const silenceMs = 50;
const maxMs = 500;

/** 50 ms after the last event, at most 500 ms after the first. */
export class Debounce {
	readonly #act: () => void;
	#silence: NodeJS.Timeout | undefined;
	#longest: NodeJS.Timeout | undefined;

	constructor(act: () => void) {
		this.#act = act;
	}

	happened(): void {
		const act = () => {
			this.cancel();
			this.#act();
		};
		this.#longest ??= setTimeout(act, maxMs).unref();
		if (this.#silence) this.#silence.refresh();
		else this.#silence = setTimeout(act, silenceMs).unref();
	}

	cancel(): void {
		clearTimeout(this.#silence);
		clearTimeout(this.#longest);
		this.#silence = undefined;
		this.#longest = undefined;
	}
}
