import { PassThrough } from "node:stream";
import { ContentLengthReader } from "../../src/jsonrpc/content-length.ts";
import { LineReader } from "../../src/jsonrpc/ndjson.ts";

/** The output of a reader for some bytes. */
interface Heard {
	readonly messages: unknown[];
	readonly errors: Error[];
	closed: boolean;
}

/** A reader and the stream that feeds it. Chunks arrive as they are written, one by one and at once. */
export class Feed implements Heard {
	readonly stream = new PassThrough();
	readonly messages: unknown[] = [];
	readonly errors: Error[] = [];
	closed = false;

	constructor(protocol: "content-length" | "lines") {
		const reader = protocol === "lines" ? new LineReader(this.stream) : new ContentLengthReader(this.stream);
		reader.onError((error) => void this.errors.push(error));
		reader.onClose(() => {
			this.closed = true;
		});
		reader.listen((message) => void this.messages.push(message));
	}

	/** Emits the bytes as one packet; nothing is buffered or joined on the way. */
	push(bytes: string | Uint8Array): this {
		this.stream.emit("data", Buffer.from(bytes));
		return this;
	}
}

export function frame(value: unknown): Buffer {
	const body = Buffer.from(JSON.stringify(value), "utf8");
	return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Feeds the bytes in pieces of `size`. */
export function inPieces(feed: Feed, bytes: Uint8Array, size: number): Feed {
	for (let at = 0; at < bytes.length; at += size) feed.push(bytes.subarray(at, at + size));
	return feed;
}

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
