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
import { StalledError } from "./errors.ts";
import { writeBytes } from "./write-bytes.ts";

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

	/** Writes before it returns. Rejects with StalledError, which ends the connection. */
	async write(message: Message): Promise<void> {
		try {
			writeBytes(this.#stream, this.encode(message));
		} catch (error) {
			if (error instanceof StalledError) this.fireError(error, message, 1);
			throw error;
		}
	}

	end(): void {
		this.#stream.end();
	}
}
