import type { Readable } from "node:stream";
import { ErrorCodes, type Message, type ResponseMessage } from "vscode-jsonrpc/node";
import { ByteReader, ByteWriter } from "./byte-stream.ts";
import { FrameError, TooLargeError } from "./errors.ts";
import { LineSplitter } from "./line-splitter.ts";
import { lineOf, maxLineBytes, parseLine } from "./lines.ts";
import { cancelsNothing, refusal, refusedAsNoMessage, refusedAsTooLong } from "./refusals.ts";

const beginsMessage = /^\s*\{\s*"/;

/**
 * One JSON object of at most 16 MB per line; other lines end the connection. `refuse` answers a request too long or
 * with an invalid id.
 */
export class LineReader extends ByteReader {
	readonly #lines: LineSplitter;
	readonly #refuse: ((answer: ResponseMessage) => void) | undefined;
	#receive: (message: Message) => void = () => {};

	constructor(stream: Readable, refuse?: (answer: ResponseMessage) => void) {
		super(stream);
		this.#refuse = refuse;
		this.#lines = new LineSplitter(maxLineBytes, {
			line: (bytes) => this.#line(bytes),
			tooLong: (head, tail) => refuse?.(refusedAsTooLong(head, tail, maxLineBytes)),
		});
	}

	protected override forget(): void {
		this.#lines.forget();
	}

	protected override feed(chunk: Buffer, receive: (message: Message) => void): void {
		this.#receive = receive;
		this.#lines.feed(chunk);
		const { skipped } = this.#lines;
		if (skipped && !(this.#refuse && beginsMessage.test(skipped.toString("latin1"))))
			throw new FrameError(`a line of more than ${maxLineBytes} bytes`);
	}

	#line(bytes: Buffer): void {
		const message: Message = { ...parseLine(bytes), jsonrpc: "2.0" };
		const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
		const hasInvalidId = method !== undefined && typeof id === "object" && id !== null;
		if ((hasInvalidId || cancelsNothing(message)) && this.#refuse) this.#refuse(refusedAsNoMessage(message));
		else this.#receive(message);
	}
}

/** Rejects with TooLargeError for a request or notification over 16 MB. */
export class LineWriter extends ByteWriter {
	/** Replaces a response over 16 MB. */
	tooLarge = (id: ResponseMessage["id"], bytes: number): ResponseMessage =>
		refusal(
			id as string,
			ErrorCodes.InternalError,
			`The answer has ${Math.round(bytes / 2 ** 20)} MB, which is more than is sent.`,
		);

	protected override encode(message: Message): Uint8Array {
		const line = lineOf(message);
		if (line.length - 1 <= maxLineBytes) return line;
		const { id, method } = message as Partial<ResponseMessage> & { readonly method?: string };
		if (method !== undefined || id === undefined) throw new TooLargeError(line.length);
		return lineOf(this.tooLarge(id, line.length));
	}
}
