import { fstatSync, renameSync, statSync, writeSync } from "node:fs";

const maxBytes = 5 * 1024 * 1024;

/** What is known of an event beside its name: names and numbers, never source or secrets. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

/** Writes one event to a log. */
export type WriteEvent = (event: string, facts?: Facts) => void;

/**
 * A log of events, one JSON object a line: `time`, `pid`, `event`, and what is known of it. Rotated at 5 MB, one old
 * file is kept. It never throws: a full disk must not stop a daemon.
 */
export class Log {
	readonly #path: string;
	readonly #open: (path: string) => number;
	#descriptor: number | undefined;
	/** Events that could not be written. */
	dropped = 0;

	constructor(path: string, open: (path: string) => number) {
		this.#path = path;
		this.#open = open;
	}

	readonly write: WriteEvent = (event, facts = {}) => {
		const line = `${JSON.stringify({ time: new Date().toISOString(), pid: process.pid, event, ...facts })}\n`;
		try {
			this.#descriptor ??= this.#open(this.#path);
			writeSync(this.#descriptor, line);
			if (fstatSync(this.#descriptor).size > maxBytes) this.#rotate();
		} catch {
			this.dropped++;
			this.#descriptor = undefined;
		}
	};

	/** Another process may have rotated already: then only a new descriptor is needed. */
	#rotate(): void {
		if (statSync(this.#path).size > maxBytes) renameSync(this.#path, `${this.#path}.1`);
		this.#descriptor = undefined;
	}
}
