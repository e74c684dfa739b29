import { fstatSync, renameSync, statSync, writeSync } from "node:fs";

const maxBytes = 5 * 1024 * 1024;

/** A log of lines with a time and a subject. It never throws: a full disk must not stop a daemon. */
export class Log {
	readonly #path: string;
	readonly #open: (path: string) => number;
	#descriptor: number | undefined;
	/** Lines that could not be written. */
	dropped = 0;

	constructor(path: string, open: (path: string) => number) {
		this.#path = path;
		this.#open = open;
	}

	write(message: string): void {
		const line = `${new Date().toISOString()} ${process.pid} ${message.replaceAll("\n", "\n  ")}\n`;
		try {
			this.#descriptor ??= this.#open(this.#path);
			writeSync(this.#descriptor, line);
			if (fstatSync(this.#descriptor).size > maxBytes) this.#rotate();
		} catch {
			this.dropped++;
			this.#descriptor = undefined;
		}
	}

	/** One old file is kept. Another process may have rotated already: then only a new descriptor is needed. */
	#rotate(): void {
		if (statSync(this.#path).size > maxBytes) renameSync(this.#path, `${this.#path}.1`);
		this.#descriptor = undefined;
	}
}
