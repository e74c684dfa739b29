import type { Readable, Writable } from "node:stream";
import { ErrorCodes, type Message, type ResponseMessage } from "vscode-jsonrpc/node";
import { ByteReader, ByteWriter } from "./byte-stream.ts";
import { FrameError } from "./errors.ts";
import { parseLong } from "./parse-long.ts";
import { cancelsNothing, isId, refusal, refusedAsNoJson, refusedAsNoMessage } from "./refusals.ts";

const maxHeaderBytes = 8 * 1024;
const maxBodyBytes = 64 * 1024 * 1024;
/** Longer bodies are parsed in slices: 100 MB take a second. */
const maxBytesAtOnce = 1024 * 1024;
/** With the line end: other output may have the name. */
const headerName = /content-length[ \t]*:[ \t]*([^\s]+)[ \t]*\r?\n/i;

/**
 * vscode-jsonrpc's reader does not survive stray output (docs/facts.md, 8). Accepts text before a header, headers in
 * any order and case, and a bare LF. Unreadable input ends the connection, unless `refuse` can answer it.
 */
export class ContentLengthReader extends ByteReader {
	readonly #chunks: Buffer[] = [];
	#size = 0;
	#expected: number | undefined;
	#isParsing = false;
	readonly #seen: ((message: Message) => void) | undefined;
	readonly #refuse: ((answer: ResponseMessage) => void) | undefined;

	constructor(stream: Readable, seen?: (message: Message) => void, refuse?: (answer: ResponseMessage) => void) {
		super(stream);
		this.#seen = seen;
		this.#refuse = refuse;
	}

	protected override feed(chunk: Buffer, receive: (message: Message) => void): void {
		this.#chunks.push(chunk);
		this.#size += chunk.length;
		if (!this.#isParsing) this.#drain(receive);
	}

	protected override forget(): void {
		this.#chunks.length = 0;
	}

	#drain(receive: (message: Message) => void): void {
		for (;;) {
			if (this.#expected === undefined) {
				if (this.#size === 0) return;
				this.#expected = this.#readHeader();
				if (this.#expected === undefined) return;
			}
			if (this.#size < this.#expected) return;
			const body = this.#take(this.#expected);
			this.#expected = undefined;
			if (body.length > maxBytesAtOnce) return void this.#decodeLong(body, receive);
			this.#readOne(body, receive);
		}
	}

	#readOne(body: Uint8Array, receive: (message: Message) => void): void {
		if (!this.#refuse) return void this.#receive(decode(body), receive);
		let value: unknown;
		try {
			value = decode(withoutMark(body));
		} catch {
			return void this.#refuse(refusedAsNoJson());
		}
		if (isMessage(value)) this.#receive(value, receive);
		else this.#refuse(refusedAsNoMessage(value));
	}

	#receive(message: Message, receive: (message: Message) => void): void {
		this.#seen?.(message);
		receive(message);
	}

	/** Reads nothing meanwhile: messages keep their order. */
	async #decodeLong(body: Uint8Array, receive: (message: Message) => void): Promise<void> {
		this.#isParsing = true;
		this.stream.pause();
		try {
			const value = await parseLong(withoutMark(body)).catch((error: unknown) => {
				if (!this.#refuse) throw unreadable(body, error);
				return undefined;
			});
			this.#isParsing = false;
			if (isMessage(value) || !this.#refuse) this.#receive(value as Message, receive);
			else this.#refuse(value === undefined ? refusedAsNoJson() : refusedAsNoMessage(value));
			this.#drain(receive);
		} catch (error) {
			this.fail(error as Error);
		}
		if (!this.#isParsing) this.stream.resume();
	}

	#readHeader(): number | undefined {
		for (;;) {
			const pending = this.#joined();
			const text = pending.toString("latin1", 0, maxHeaderBytes);
			const match = headerName.exec(text);
			const end = match ? endOfHeaders(text, match.index + match[0].trimEnd().length) : undefined;
			if (match && end !== undefined) {
				const length = /^\d+$/.test(match[1] ?? "") ? Number(match[1]) : Number.NaN;
				this.#take(end);
				if (length <= maxBodyBytes) return length;
				this.#unreadable(`Content-Length is ${JSON.stringify(match[1])}`);
			} else if (pending.length < maxHeaderBytes) {
				return undefined;
			} else if (match?.index === 0) {
				this.#unreadable("a header of more than 8 KB");
				this.#take(match[0].length);
			} else {
				this.#take(match ? match.index : Math.max(text.lastIndexOf("\n") + 1, text.length - 256));
			}
		}
	}

	#unreadable(reason: string): void {
		if (!this.#refuse) throw new FrameError(reason);
		this.#refuse(refusal(null, ErrorCodes.ParseError, `That is no frame: ${reason.slice(0, 200)}.`));
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
		throw unreadable(body, error);
	}
}

function unreadable(body: Uint8Array, cause: unknown): FrameError {
	return new FrameError(`a frame of ${body.length} bytes is not JSON in UTF-8`, { cause });
}

function isMessage(value: unknown): value is Message {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	const { id, method, params } = value as {
		readonly id?: unknown;
		readonly method?: unknown;
		readonly params?: unknown;
	};
	if (method === undefined) return (isId(id) || id === null) && ("result" in value || "error" in value);
	if (cancelsNothing(value)) return false;
	const isParams = params === undefined || typeof params === "object";
	return typeof method === "string" && (isId(id) || id === undefined) && isParams;
}

function withoutMark(body: Uint8Array): Uint8Array {
	return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

export class ContentLengthWriter extends ByteWriter {
	readonly #seen: ((message: Message) => void) | undefined;

	constructor(stream: Writable, seen?: (message: Message) => void) {
		super(stream);
		this.#seen = seen;
	}

	protected override encode(message: Message): Uint8Array {
		this.#seen?.(message);
		const body = Buffer.from(JSON.stringify(message), "utf8");
		return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body]);
	}
}
