import { waitOrAbort } from "../util/abort.ts";
import type { ServerEntry } from "./server-entry.ts";

interface Waiting {
	readonly entry: ServerEntry;
	readonly admit: () => void;
}

/** A place is held from `enter` to `leave`. */
export class Capacity {
	max: number;
	readonly #end: (entry: ServerEntry) => void;
	readonly #occupied = new Map<ServerEntry, boolean>();
	readonly #waiting: Waiting[] = [];

	/** `end` stops an unused entry's server, then calls `leave`. */
	constructor(max: number, end: (entry: ServerEntry) => void) {
		this.max = max;
		this.#end = end;
	}

	async enter(entry: ServerEntry, signal: AbortSignal): Promise<void> {
		let admit = () => {};
		const admitted = new Promise<void>((resolve) => {
			admit = resolve;
		});
		const waiting: Waiting = { entry, admit };
		this.#waiting.push(waiting);
		this.admit();
		try {
			await waitOrAbort(admitted, signal);
		} catch (error) {
			const index = this.#waiting.indexOf(waiting);
			if (index < 0) this.leave(entry);
			else this.#waiting.splice(index, 1);
			throw error;
		}
	}

	leaving(entry: ServerEntry): void {
		if (this.#occupied.has(entry)) this.#occupied.set(entry, true);
	}

	leave(entry: ServerEntry): void {
		this.#occupied.delete(entry);
		this.admit();
	}

	admit(): void {
		for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
			if (this.#occupied.size < this.max) {
				this.#waiting.shift();
				this.#occupied.set(first.entry, false);
				first.admit();
				continue;
			}
			const occupied = [...this.#occupied];
			if (occupied.filter(([, leaving]) => leaving).length >= this.#waiting.length) return;
			const unused = occupied.flatMap(([entry, leaving]) => (leaving || entry.uses > 0 ? [] : [entry]));
			const oldest = unused.sort((a, b) => a.lastUsed - b.lastUsed)[0];
			if (!oldest) return;
			this.#end(oldest);
		}
	}
}
