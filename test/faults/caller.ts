import net from "node:net";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { summaryOf } from "../../src/process/environment.ts";

/** An error in an answer of the daemon, with the catalogue's code. */
export class CallError extends Error {
	override readonly name = "CallError";
	readonly code: string;
	/** The complete answer. */
	readonly error: WireError;

	constructor(error: WireError) {
		super(error.message);
		this.error = error;
		this.code = error.data?.code ?? String(error.code);
	}
}

interface WireError {
	readonly code: number;
	readonly message: string;
	readonly data?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> };
}

interface Message {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: unknown;
	readonly result?: unknown;
	readonly error?: WireError;
}

interface Pending {
	resolve(value: unknown): void;
	reject(error: Error): void;
	readonly timer: NodeJS.Timeout;
}

/** The options of a caller's connection. */
export interface CallerOptions {
	readonly socket: string;
	readonly cwd: string;
	/** The caller's environment, secrets included: the daemon decides which variables reach a server. */
	readonly env: Readonly<Record<string, string>>;
	/** Receives every answer without a request, or that came twice (oracle O1). */
	readonly odd: (what: string) => void;
}

/** A client of the daemon that speaks the socket's own bytes, and counts: one answer for each request. */
export class Caller {
	readonly socket: net.Socket;
	readonly #options: CallerOptions;
	readonly #pending = new Map<number | string, Pending>();
	readonly closed: Promise<void>;
	/** The bytes that were received. */
	bytesRead = 0;
	#last = 0;
	#rest: Buffer[] = [];

	private constructor(socket: net.Socket, options: CallerOptions) {
		this.socket = socket;
		this.#options = options;
		socket.on("data", (chunk: Buffer) => this.#feed(chunk));
		socket.on("error", () => {});
		this.closed = new Promise((resolve) => {
			socket.once("close", () => {
				for (const { reject, timer } of this.#pending.values()) {
					clearTimeout(timer);
					reject(new Error("the daemon hung up"));
				}
				this.#pending.clear();
				resolve();
			});
		});
	}

	static async connect(options: CallerOptions): Promise<Caller> {
		const socket = net.connect(options.socket);
		await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
		const caller = new Caller(socket, options);
		await caller.send("hello", { protocol: 1, nonce: "n" }).answer;
		return caller;
	}

	/** Sends a call unchanged; `id` is given if a test needs a malformed one. */
	send(method: string, params: unknown, timeoutMs = 30_000, id: number | string = ++this.#last) {
		const answer = new Promise<unknown>((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#pending.delete(id);
				reject(new Error(`O1: no answer to ${method} within ${timeoutMs} ms`));
			}, timeoutMs);
			this.#pending.set(id, { resolve, reject, timer });
		});
		answer.catch(() => {});
		this.write({ jsonrpc: "2.0", id, method, params });
		return { id, answer };
	}

	write(message: object): void {
		this.socket.write(`${JSON.stringify(message)}\n`);
	}

	/** Calls an operation by its name. A failure before the first wait is silent. */
	ask<Result>(operation: string, input: object, timeoutMs?: number): Promise<Result> {
		return this.begin(operation, input, timeoutMs).answer as Promise<Result>;
	}

	/** Does the same with its id, by which it can be cancelled. */
	begin(operation: string, input: object, timeoutMs?: number) {
		const { cwd, env } = this.#options;
		return this.send(operation, { cwd, sandbox: "off", environment: summaryOf(env), input }, timeoutMs);
	}

	check(file: string, options: { readonly timeout?: number } = {}): Promise<CheckReport> {
		return this.ask("check", { files: [file], timeout: 20_000, ...options }, (options.timeout ?? 20_000) + 5000);
	}

	hover(file: string, timeoutMs?: number): Promise<string> {
		const text = this.ask<{ text: string }>("hover", { file, line: 1, column: 1 }, timeoutMs).then(
			(hover) => hover.text,
		);
		text.catch(() => {});
		return text;
	}

	cancel(id: number | string): void {
		this.write({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } });
	}

	close(): void {
		this.socket.destroy();
	}

	#feed(chunk: Buffer): void {
		this.bytesRead += chunk.length;
		let rest = chunk;
		for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
			const line = Buffer.concat([...this.#rest, rest.subarray(0, end)]);
			this.#rest = [];
			rest = rest.subarray(end + 1);
			this.#received(JSON.parse(line.toString("utf8")) as Message);
		}
		if (rest.length > 0) this.#rest.push(rest);
	}

	#received(message: Message): void {
		if (message.method !== undefined) {
			const result = message.method === "environment" ? this.#options.env : null;
			if (message.id !== undefined) this.write({ jsonrpc: "2.0", id: message.id, result });
			return;
		}
		const pending = message.id === undefined ? undefined : this.#pending.get(message.id);
		if (!pending || message.id === undefined) {
			this.#options.odd(`O1: an answer without a request, or a second one: ${JSON.stringify(message).slice(0, 200)}`);
			return;
		}
		this.#pending.delete(message.id);
		clearTimeout(pending.timer);
		if (message.error) pending.reject(new CallError(message.error));
		else pending.resolve(message.result);
	}
}

/** The code of the error that a promise ends with, or "no error". */
export function codeOf(promise: Promise<unknown>): Promise<string> {
	return promise.then(
		() => "no error",
		(error: Error) => (error instanceof CallError ? error.code : `untyped: ${error.message}`),
	);
}

/** The state of the first file of a report. */
export function stateOf(report: CheckReport): string {
	return report.files[0]?.state ?? "no file";
}

/** How many findings the first file of a report has, or its state if it is not proven. */
export function found(report: CheckReport): number | string {
	const [file] = report.files;
	return file?.state === "fresh" ? file.diagnostics.length : `${file?.state}: ${file?.reason}`;
}
