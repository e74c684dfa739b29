import type { Message } from "vscode-jsonrpc/node";
import { ByteReader, ByteWriter, FrameError } from "./byte-stream.ts";

const maxLineBytes = 16 * 1024 * 1024;
const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads one JSON value per line, the protocol of the daemon's socket: it can be spoken with `nc` and read with `jq`.
 * Split on the byte 0x0a only (U+2028 inside a string is no line end), decoded whole (a character may be cut by a
 * packet), a line of at most 16 MB. A line that is no JSON object ends that connection, and only that one.
 */
export class LineReader extends ByteReader {
	#chunks: Buffer[] = [];
	#size = 0;

	protected override forget(): void {
		this.#chunks = [];
	}

	protected override feed(chunk: Buffer, tell: (message: Message) => void): void {
		let rest = chunk;
		for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
			const line = this.#joined(rest.subarray(0, end));
			rest = rest.subarray(end + 1);
			if (line.some((byte) => byte > 0x20)) tell(parseLine(line));
		}
		if (rest.length === 0) return;
		this.#chunks.push(rest);
		this.#size += rest.length;
		if (this.#size > maxLineBytes) throw new FrameError(`a line of more than ${maxLineBytes} bytes`);
	}

	/** A line whose end has come. */
	#joined(end: Buffer): Buffer {
		if (this.#chunks.length === 0) return end;
		const line = Buffer.concat([...this.#chunks, end]);
		this.#chunks = [];
		this.#size = 0;
		return line;
	}
}

function parseLine(line: Buffer): Message {
	let value: unknown;
	try {
		value = JSON.parse(utf8.decode(line));
	} catch (error) {
		throw new FrameError("a line is not JSON in UTF-8", { cause: error });
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new FrameError("a line is no object");
	return { ...(value as Message), jsonrpc: "2.0" };
}

/** Writes one JSON value per line. */
export class LineWriter extends ByteWriter {
	protected override encode(message: Message): Uint8Array {
		return Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
	}
}
