import type { Readable, Writable } from "node:stream";
import {
	AbstractMessageReader,
	AbstractMessageWriter,
	type DataCallback,
	type Disposable,
	type Message,
	type MessageReader,
	type MessageWriter,
} from "vscode-jsonrpc/node";

const maxHeaderBytes = 8 * 1024;
const maxBodyBytes = 64 * 1024 * 1024;
/** To the end of its line: a server may well speak of a content-length in its chatter, or prompt before a header. */
const headerName = /content-length[ \t]*:[ \t]*([^\s]+)[ \t]*\r?\n/i;

/** A frame that cannot be read; the connection is of no more use, since nobody knows where the next frame begins. */
export class FrameError extends Error {
	override readonly name = "FrameError";
}

/**
 * Reads the base protocol of LSP (`Content-Length: N`, blank line, N bytes of UTF-8) from bytes.
 *
 * Our own, because vscode-jsonrpc's reader loses its place for good after a stray line on stdout, and waits
 * silently on a huge length (reference/reliability.md, fact 12). Forgiving where servers are careless: stray text
 * before a header, any order and case of headers, bare LF. Strict where going on would be guessing: a length that is
 * no number from 0 to 64 MB, a body that is not UTF-8 JSON.
 */
export class ContentLengthReader extends AbstractMessageReader implements MessageReader {
	readonly #stream: Readable;
	readonly #chunks: Buffer[] = [];
	#size = 0;
	/** Bytes of body still to come, or undefined while a header is read. */
	#expected: number | undefined;
	#poisoned = false;
	readonly #seen: ((message: Message) => void) | undefined;

	/** `seen` is called with each message, for a log of frames. */
	constructor(stream: Readable, seen?: (message: Message) => void) {
		super();
		this.#stream = stream;
		this.#seen = seen;
	}

	listen(callback: DataCallback): Disposable {
		const onData = (chunk: Buffer) => {
			if (this.#poisoned) return;
			this.#chunks.push(chunk);
			this.#size += chunk.length;
			try {
				this.#drain(callback);
			} catch (error) {
				this.#poisoned = true;
				this.#chunks.length = 0;
				this.fireError(error as Error);
				this.fireClose();
			}
		};
		const onEnd = () => this.fireClose();
		const onError = (error: Error) => this.fireError(error);
		this.#stream.on("data", onData).on("close", onEnd).on("end", onEnd).on("error", onError);
		return {
			dispose: () => {
				this.#stream.off("data", onData).off("close", onEnd).off("end", onEnd).off("error", onError);
			},
		};
	}

	#drain(callback: DataCallback): void {
		for (;;) {
			if (this.#expected === undefined) {
				// Headers are short: joining what is there costs nothing while it is capped.
				if (this.#size === 0) return;
				this.#expected = this.#readHeader();
				if (this.#expected === undefined) return;
			}
			if (this.#size < this.#expected) return;
			const body = this.#take(this.#expected);
			this.#expected = undefined;
			const message = decode(body);
			this.#seen?.(message);
			callback(message);
		}
	}

	#readHeader(): number | undefined {
		const pending = this.#joined();
		const text = pending.toString("latin1", 0, maxHeaderBytes);
		const match = headerName.exec(text);
		// The line's own end may be the first of the blank line.
		const end = match ? endOfHeaders(text, match.index + match[0].trimEnd().length) : undefined;
		if (match && end !== undefined) {
			const length = /^\d+$/.test(match[1] ?? "") ? Number(match[1]) : Number.NaN;
			if (!(length <= maxBodyBytes)) throw new FrameError(`Content-Length is ${JSON.stringify(match[1])}`);
			this.#take(end);
			return length;
		}
		if (pending.length < maxHeaderBytes) return undefined;
		if (match?.index === 0) throw new FrameError("a header of more than 8 KB");
		// Chatter without a frame in it (a banner, a progress bar): keep only what could still begin a header.
		this.#take(match ? match.index : Math.max(text.lastIndexOf("\n") + 1, text.length - 256));
		return this.#readHeader();
	}

	#joined(): Buffer {
		if (this.#chunks.length > 1) this.#chunks.splice(0, this.#chunks.length, Buffer.concat(this.#chunks, this.#size));
		return this.#chunks[0] ?? Buffer.alloc(0);
	}

	#take(count: number): Buffer {
		const all = this.#joined();
		const rest = all.subarray(count);
		this.#chunks.splice(0, this.#chunks.length, ...(rest.length ? [rest] : []));
		this.#size = rest.length;
		return all.subarray(0, count);
	}
}

/** Where the block of headers that goes on at `from` ends (just past its blank line), or undefined if not yet. */
function endOfHeaders(text: string, from: number): number | undefined {
	const blank = /\r?\n\r?\n/g;
	blank.lastIndex = from;
	return blank.exec(text) ? blank.lastIndex : undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Uint8Array): Message {
	try {
		return JSON.parse(utf8.decode(body)) as Message;
	} catch (error) {
		throw new FrameError(`a frame of ${body.length} bytes is not JSON in UTF-8`, { cause: error });
	}
}

/** Writes the base protocol of LSP. The bytes are handed to the stream at once, so calls keep their order. */
export class ContentLengthWriter extends AbstractMessageWriter implements MessageWriter {
	readonly #stream: Writable;
	readonly #seen: ((message: Message) => void) | undefined;

	/** `seen` is called with each message, for a log of frames. */
	constructor(stream: Writable, seen?: (message: Message) => void) {
		super();
		this.#stream = stream;
		this.#seen = seen;
		stream.on("error", (error: Error) => this.fireError(error));
		stream.on("close", () => this.fireClose());
	}

	write(message: Message): Promise<void> {
		this.#seen?.(message);
		const body = Buffer.from(JSON.stringify(message), "utf8");
		const frame = Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body]);
		return writeWhole(this.#stream, frame).catch((error: Error) => {
			if (error instanceof StalledError) this.fireError(error, message, 1);
			throw error;
		});
	}

	end(): void {
		this.#stream.end();
	}
}

const maxQueuedBytes = 16 * 1024 * 1024;

/** A peer that does not read what it is sent. */
export class StalledError extends Error {
	override readonly name = "StalledError";
}

/**
 * Hands `bytes` to the stream now, so that calls keep their order. Node buffers all that a peer does not read: 200 MB
 * written to a process that reads nothing are 200 MB here (reliability.md fact 13). So with 16 MB waiting the peer counts
 * as stalled, and rejecting ends the connection: what was left out can never be made good.
 */
export function writeWhole(stream: Writable, bytes: Uint8Array): Promise<void> {
	if (stream.destroyed || stream.writableEnded) return Promise.reject(new Error("the stream is closed"));
	if (stream.writableLength > 0 && stream.writableLength + bytes.length > maxQueuedBytes)
		return Promise.reject(new StalledError(`${stream.writableLength} bytes were not read`));
	stream.write(bytes);
	return Promise.resolve();
}
