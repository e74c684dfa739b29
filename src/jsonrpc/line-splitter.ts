const newline = 0x0a;
/** At each end of a long line: one has the id. */
const keptBytes = 512;

export interface LineEvents {
	line(bytes: Buffer): void;
	tooLong(head: Buffer, tail: Buffer): void;
}

/** Drops blank lines, and the middle of lines over `maxBytes`. */
export class LineSplitter {
	readonly #maxBytes: number;
	readonly #events: LineEvents;
	#chunks: Buffer[] = [];
	#size = 0;
	#skipped: { readonly head: Buffer; tail: Buffer } | undefined;

	constructor(maxBytes: number, events: LineEvents) {
		this.#maxBytes = maxBytes;
		this.#events = events;
	}

	get skipped(): Buffer | undefined {
		return this.#skipped?.head;
	}

	feed(chunk: Buffer): void {
		for (let at = 0; ; ) {
			if (this.#isBetweenLines) while (isBlank(chunk[at])) at++;
			if (at >= chunk.length) return;
			const end = chunk.indexOf(newline, at);
			this.#take(chunk.subarray(at, end < 0 ? chunk.length : end));
			if (end < 0) return;
			this.#end();
			at = end + 1;
		}
	}

	forget(): void {
		this.#chunks = [];
		this.#size = 0;
		this.#skipped = undefined;
	}

	get #isBetweenLines(): boolean {
		return this.#size === 0 && this.#skipped === undefined;
	}

	#take(piece: Buffer): void {
		if (this.#skipped) {
			this.#skipped.tail = Buffer.concat([this.#skipped.tail, piece.subarray(-keptBytes)]).subarray(-keptBytes);
			return;
		}
		this.#chunks.push(piece);
		this.#size += piece.length;
		if (this.#size <= this.#maxBytes) return;
		const all = Buffer.concat(this.#chunks);
		// A slice would keep the whole buffer in memory.
		this.#skipped = { head: Buffer.from(all.subarray(0, keptBytes)), tail: Buffer.from(all.subarray(-keptBytes)) };
		this.#chunks = [];
		this.#size = 0;
	}

	#end(): void {
		const [first = Buffer.alloc(0)] = this.#chunks;
		const line = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
		const skipped = this.#skipped;
		this.forget();
		if (skipped) this.#events.tooLong(skipped.head, skipped.tail);
		else this.#events.line(line);
	}
}

function isBlank(byte: number | undefined): boolean {
	return byte === newline || byte === 0x20 || byte === 0x0d || byte === 0x09;
}
