const newline = 0x0a;
/** So much of a line that is too long is kept of its beginning and its end: a message's id stands in one of them. */
const keptBytes = 512;

/** What becomes of the lines of a stream. */
export interface LineEvents {
	/** A line that is not blank, without its end and without the blanks that it begins with. */
	line(bytes: Buffer): void;
	/** A line that was too long, when it has come to its end: how it begins and how it ends. */
	tooLong(head: Buffer, tail: Buffer): void;
}

/**
 * Takes a stream apart at each byte 0x0a, in whatever pieces it comes. Blank lines are passed over. Of a line of more than
 * `maxBytes` only its two ends are kept.
 */
export class LineSplitter {
	readonly #maxBytes: number;
	readonly #events: LineEvents;
	#chunks: Buffer[] = [];
	#size = 0;
	/** The ends of the line that is too long and goes on. */
	#skipped: { readonly head: Buffer; tail: Buffer } | undefined;

	constructor(maxBytes: number, events: LineEvents) {
		this.#maxBytes = maxBytes;
		this.#events = events;
	}

	/** How the line begins that comes and is longer than is taken; undefined while there is none. */
	get skipped(): Buffer | undefined {
		return this.#skipped?.head;
	}

	feed(chunk: Buffer): void {
		for (let at = 0; ; ) {
			// All blanks at once: a megabyte of line ends is a million lines.
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
		// Copies: what is left of the whole would keep all of it.
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

/** True for what is white space to JSON. */
function isBlank(byte: number | undefined): boolean {
	return byte === newline || byte === 0x20 || byte === 0x0d || byte === 0x09;
}
