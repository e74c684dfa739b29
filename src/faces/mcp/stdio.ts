import process from "node:process";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineSplitter } from "../../jsonrpc/line-splitter.ts";
import { refusedAsNoJson, refusedAsNoMessage, refusedAsTooLong } from "../../jsonrpc/refusals.ts";

const maxLineBytes = 16 * 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Answers an invalid line with an error; the SDK's transport does not, and ends at a message of 10 MB. */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	readonly #lines = new LineSplitter(maxLineBytes, {
		line: (bytes) => this.#line(bytes),
		tooLong: (head, tail) => this.#write(refusedAsTooLong(head, tail, maxLineBytes)),
	});
	readonly #onData = (chunk: Buffer) => this.#lines.feed(chunk);
	readonly #onError = (error: Error) => this.onerror?.(error);

	async start(): Promise<void> {
		process.stdin.on("data", this.#onData).on("error", this.#onError);
	}

	async send(message: JSONRPCMessage): Promise<void> {
		await this.#write(message);
	}

	async close(): Promise<void> {
		process.stdin.off("data", this.#onData).off("error", this.#onError).pause();
		this.#lines.forget();
		this.onclose?.();
	}

	#line(bytes: Buffer): void {
		let value: unknown;
		try {
			value = JSON.parse(utf8.decode(bytes));
		} catch {
			return void this.#write(refusedAsNoJson());
		}
		const message = messageOf(value);
		if (message) this.onmessage?.(message);
		else this.#write(refusedAsNoMessage(value));
	}

	#write(message: object): Promise<void> {
		return new Promise((resolve) => {
			if (process.stdout.write(`${JSON.stringify(message)}\n`)) resolve();
			else process.stdout.once("drain", resolve);
		});
	}
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
	try {
		return parseJSONRPCMessage(value);
	} catch {
		return undefined;
	}
}
