import { fstatSync, renameSync, statSync, writeSync } from "node:fs";

const maxBytes = 5 * 1024 * 1024;

/** Never source or secrets. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

export type WriteEvent = (event: string, facts?: Facts) => void;

/** A JSON object per line; rotates at 5 MB into one old file. Never throws: a full disk must not stop a daemon. */
export class Log {
	readonly #path: string;
	readonly #open: (path: string) => number;
	#descriptor: number | undefined;
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

	#rotate(): void {
		if (statSync(this.#path).size > maxBytes) renameSync(this.#path, `${this.#path}.1`);
		this.#descriptor = undefined;
	}
}
