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

const maxQueuedBytes = 16 * 1024 * 1024;

/** A frame that cannot be read; the connection is of no more use, since nobody knows where the next frame begins. */
export class FrameError extends Error {
	override readonly name = "FrameError";
}

/** A peer that does not read what it is sent. */
export class StalledError extends Error {
	override readonly name = "StalledError";
}

const tooLarge = "bytes are more than a peer takes";

/** A message that a peer would not take; it was not written. */
export class TooLargeError extends Error {
	override readonly name = "TooLargeError";

	constructor(bytes: number) {
		super(`${bytes} ${tooLarge}`);
	}

	/** The same out of what the engine makes of it, which keeps the words only. */
	static is(error: Error): boolean {
		return error.message.endsWith(tooLarge);
	}
}

/** Reads messages out of a stream of bytes, in whatever pieces they come; the first that cannot be read is the last. */
export abstract class ByteReader extends AbstractMessageReader implements MessageReader {
	readonly #stream: Readable;
	#poisoned = false;

	constructor(stream: Readable) {
		super();
		this.#stream = stream;
	}

	/** Takes some bytes and tells every message that is whole. Throws a FrameError where it cannot go on. */
	protected abstract feed(chunk: Buffer, tell: (message: Message) => void): void;

	/** Forgets what has been taken so far. */
	protected abstract forget(): void;

	listen(callback: DataCallback): Disposable {
		const onData = (chunk: Buffer) => {
			if (this.#poisoned) return;
			try {
				this.feed(chunk, callback);
			} catch (error) {
				this.#poisoned = true;
				this.forget();
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
}

/** Writes messages into a stream of bytes. */
export abstract class ByteWriter extends AbstractMessageWriter implements MessageWriter {
	readonly #stream: Writable;

	constructor(stream: Writable) {
		super();
		this.#stream = stream;
		stream.on("error", (error: Error) => this.fireError(error));
		stream.on("close", () => this.fireClose());
	}

	protected abstract encode(message: Message): Uint8Array;

	/**
	 * Hands a message to the stream now, so that calls keep their order. Node buffers all that a peer does not read: 200 MB
	 * written to a process that reads nothing are 200 MB here (docs/facts.md, 9). So with 16 MB waiting the peer
	 * counts as stalled, and the connection ends: what was left out can never be made good.
	 */
	async write(message: Message): Promise<void> {
		const bytes = this.encode(message);
		if (this.#stream.destroyed || this.#stream.writableEnded) throw new Error("the stream is closed");
		const waiting = this.#stream.writableLength;
		if (waiting > 0 && waiting + bytes.length > maxQueuedBytes) {
			const error = new StalledError(`${waiting} bytes were not read`);
			this.fireError(error, message, 1);
			throw error;
		}
		// What one turn writes (a document changed, and what is asked about it) leaves in one system call: between two of them
		// the server that the first one woke takes the processor, and the question waits.
		if (this.#stream.writableCorked === 0) {
			this.#stream.cork();
			process.nextTick(() => this.#stream.uncork());
		}
		this.#stream.write(bytes);
	}

	end(): void {
		this.#stream.end();
	}
}
