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

/** The start of the next frame is unknown. */
export class FrameError extends Error {
	override readonly name = "FrameError";
}

export class StalledError extends Error {
	override readonly name = "StalledError";
}

const tooLarge = "bytes are more than a peer takes";

export class TooLargeError extends Error {
	override readonly name = "TooLargeError";

	constructor(bytes: number) {
		super(`${bytes} ${tooLarge}`);
	}

	/** vscode-jsonrpc wraps the message in an error of its own. */
	static is(error: Error): boolean {
		return error.message.endsWith(tooLarge);
	}
}

export abstract class ByteReader extends AbstractMessageReader implements MessageReader {
	protected readonly stream: Readable;
	#hasFailed = false;

	constructor(stream: Readable) {
		super();
		this.stream = stream;
	}

	/** Throws FrameError. */
	protected abstract feed(chunk: Buffer, receive: (message: Message) => void): void;

	protected abstract forget(): void;

	protected fail(error: Error): void {
		this.#hasFailed = true;
		this.forget();
		this.fireError(error);
		this.fireClose();
	}

	listen(callback: DataCallback): Disposable {
		const onData = (chunk: Buffer) => {
			if (this.#hasFailed) return;
			try {
				this.feed(chunk, callback);
			} catch (error) {
				this.fail(error as Error);
			}
		};
		const onEnd = () => this.fireClose();
		const onError = (error: Error) => this.fireError(error);
		this.stream.on("data", onData).on("close", onEnd).on("end", onEnd).on("error", onError);
		return {
			dispose: () => {
				this.stream.off("data", onData).off("close", onEnd).off("end", onEnd).off("error", onError);
			},
		};
	}
}

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
	 * Writes before it returns, so that messages keep their order. Node buffers what the peer does not read
	 * (docs/facts.md, 9): beyond 16 MB it rejects with StalledError, and the connection ends.
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
		// A change and the request after it leave in one system call.
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
