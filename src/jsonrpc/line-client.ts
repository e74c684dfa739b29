import type { Duplex } from "node:stream";
import { abortReason } from "../util/abort.ts";
import { ConnectionClosedError, FrameError, TooLargeError } from "./errors.ts";
import { LineSplitter } from "./line-splitter.ts";
import { lineOf, maxLineBytes, parseLine } from "./lines.ts";
import { writeBytes } from "./write-bytes.ts";

export class RefusedRequest extends Error {
	readonly data: unknown;

	constructor(message: string, data: unknown) {
		super(message);
		this.data = data;
	}
}

interface Received {
	readonly id?: number;
	readonly method?: string;
	readonly result?: unknown;
	readonly error?: { readonly message: string; readonly data?: unknown };
}

interface Pending {
	resolve(result: unknown): void;
	reject(error: Error): void;
}

/** Without notifications. vscode-jsonrpc at the daemon's end takes 4 ms to load. */
export class LineClient {
	readonly #stream: Duplex;
	/** Undefined for an unknown method; without it the peer's requests get no answer. */
	answer: ((method: string) => unknown) | undefined;
	readonly #pending = new Map<number, Pending>();
	#lastId = 0;
	#closed: ConnectionClosedError | undefined;

	constructor(stream: Duplex) {
		this.#stream = stream;
		const lines = new LineSplitter(maxLineBytes, {
			line: (bytes) => this.#received(parseLine(bytes) as Received),
			tooLong: () => {},
		});
		stream.on("data", (chunk: Buffer) => {
			try {
				if (!this.#closed) lines.feed(chunk);
				if (lines.skipped) throw new FrameError(`a line of more than ${maxLineBytes} bytes`);
			} catch (error) {
				this.#close(error as Error);
			}
		});
		stream.on("error", (error: Error) => this.#close(error));
		stream.on("end", () => this.#close()).on("close", () => this.#close());
	}

	get closed(): boolean {
		return this.#closed !== undefined;
	}

	/**
	 * Sends before it returns. Rejects with the signal's reason (after `$/cancelRequest`), ConnectionClosedError,
	 * TooLargeError or RefusedRequest.
	 */
	async request<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result> {
		if (signal?.aborted) throw abortReason(signal);
		this.#lastId++;
		const id = this.#lastId;
		this.#send({ id, method, params });
		let onAbort = () => {};
		try {
			return await new Promise<Result>((resolve, reject) => {
				this.#pending.set(id, { resolve: (result) => resolve(result as Result), reject });
				onAbort = () => {
					this.notify("$/cancelRequest", { id });
					reject(signal && abortReason(signal));
				};
				signal?.addEventListener("abort", onAbort, { once: true });
			});
		} finally {
			signal?.removeEventListener("abort", onAbort);
			this.#pending.delete(id);
		}
	}

	notify(method: string, params: unknown): void {
		try {
			this.#send({ method, params });
		} catch {}
	}

	dispose(): void {
		this.#close();
		this.#stream.destroy();
	}

	/** Throws ConnectionClosedError or TooLargeError. */
	#send(message: object): void {
		if (this.#closed) throw this.#closed;
		const line = lineOf({ jsonrpc: "2.0", ...message });
		if (line.length - 1 > maxLineBytes) throw new TooLargeError(line.length);
		try {
			writeBytes(this.#stream, line);
		} catch (error) {
			throw this.#close(error as Error);
		}
	}

	#received({ id, method, result, error }: Received): void {
		if (id === undefined) return;
		if (method === undefined) {
			const pending = this.#pending.get(id);
			if (error) pending?.reject(new RefusedRequest(error.message, error.data));
			else pending?.resolve(result);
			return;
		}
		if (!this.answer) return;
		const answer = this.answer(method);
		this.#send({
			id,
			...(answer === undefined ? { error: { code: -32601, message: `unknown method ${method}` } } : { result: answer }),
		});
	}

	#close(cause?: Error): ConnectionClosedError {
		if (this.#closed) return this.#closed;
		this.#closed = new ConnectionClosedError(cause);
		for (const { reject } of this.#pending.values()) reject(this.#closed);
		this.#stream.destroy();
		return this.#closed;
	}
}
