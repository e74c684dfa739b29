import { waitOrAbort } from "../util/abort.ts";
import type { ServerEntry } from "./server-entry.ts";

interface Entry {
	readonly slot: ServerEntry;
	readonly enter: () => void;
}

/**
 * The places for servers that run at once. A slot holds one from the moment that its server may start until that server
 * is gone; those that only wait hold none, or more callers than places would all wait for each other.
 */
export class Capacity {
	/** How many there are. */
	places: number;
	readonly #end: (slot: ServerEntry) => void;
	/** Those that hold a place; `true` once the server in it is on its way out. */
	readonly #held = new Map<ServerEntry, boolean>();
	readonly #waiting: Entry[] = [];

	/** `end` stops the server of a slot that nobody asks just now, and calls `leave` when it is gone. */
	constructor(places: number, end: (slot: ServerEntry) => void) {
		this.places = places;
		this.#end = end;
	}

	/** Waits, in the order of arrival, for a place. Rejects when the signal ends, and then holds none. */
	async enter(slot: ServerEntry, signal: AbortSignal): Promise<void> {
		let enter = () => {};
		const entered = new Promise<void>((resolve) => {
			enter = resolve;
		});
		const entry: Entry = { slot, enter };
		this.#waiting.push(entry);
		this.look();
		try {
			await waitOrAbort(entered, signal);
		} catch (error) {
			const place = this.#waiting.indexOf(entry);
			// Its turn had come just now.
			if (place < 0) this.leave(slot);
			else this.#waiting.splice(place, 1);
			throw error;
		}
	}

	/** Says that the server of a slot is being stopped: the place is free as soon as it is gone. */
	leaving(slot: ServerEntry): void {
		if (this.#held.has(slot)) this.#held.set(slot, true);
	}

	leave(slot: ServerEntry): void {
		this.#held.delete(slot);
		this.look();
	}

	/** Lets in whom there is room for, and makes room: of those that nobody asks, the one that was asked longest ago goes. */
	look(): void {
		for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
			if (this.#held.size < this.places) {
				this.#waiting.shift();
				this.#held.set(first.slot, false);
				first.enter();
				continue;
			}
			const held = [...this.#held];
			if (held.filter(([, leaving]) => leaving).length >= this.#waiting.length) return;
			const idle = held.flatMap(([slot, leaving]) => (leaving || slot.uses > 0 ? [] : [slot]));
			const oldest = idle.sort((a, b) => a.lastUsed - b.lastUsed)[0];
			if (!oldest) return;
			this.#end(oldest);
		}
	}
}
