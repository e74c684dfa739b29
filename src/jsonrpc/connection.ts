import {
	CancellationTokenSource,
	createMessageConnection,
	ErrorCodes,
	type MessageConnection,
	type MessageReader,
	type MessageWriter,
	ResponseError,
} from "vscode-jsonrpc/node";
import { reasonOf } from "../util/abort.ts";
import { TooLargeError } from "./byte-stream.ts";

export { ResponseError };

/** What a peer asks of us. `signal` ends when the peer cancels or goes away. */
export interface Handlers {
	request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
	notification(method: string, params: unknown): void;
	/** Once, when the other side is gone or cannot be understood any more. */
	closed(reason: Error | undefined): void;
}

/** How long a request may take. A signal of its own for each would cost as much as all the rest of sending it. */
export interface Limit {
	readonly ms: number;
	/** What it rejects with then. */
	reason(): Error;
	/** True if the peer is not to be told that nobody waits for it any more. */
	readonly quietly?: boolean;
}

export interface ConnectionOptions {
	/**
	 * True where an answer may overtake what the peer sent before it. It is then taken as it comes; in order, each message
	 * waits for a turn of the event loop.
	 */
	readonly answersOvertake?: boolean;
}

/** JSON-RPC 2.0 with AbortSignals over any pair of reader and writer; the engine is vscode-jsonrpc. */
export class Connection {
	readonly #rpc: MessageConnection;
	/** Of what the peer asks and is not answered yet. */
	readonly #answering = new Set<AbortController>();
	readonly #pending = new Set<(error: Error) => void>();
	readonly #onClosed: (reason: Error | undefined) => void;
	#closedReason: Error | undefined;
	#closed = false;

	constructor(
		reader: MessageReader,
		writer: MessageWriter,
		handlers: Handlers,
		{ answersOvertake = false }: ConnectionOptions = {},
	) {
		// With a limit of any height the engine queues no answers.
		const options = answersOvertake ? { maxParallelism: Number.MAX_SAFE_INTEGER } : undefined;
		this.#rpc = createMessageConnection(reader, writer, silent, options);
		this.#rpc.onRequest(async (method, params, token) => {
			const controller = new AbortController();
			const end = () => controller.abort();
			token.onCancellationRequested(end);
			// Cancelled in the very packet that asked: the engine then calls nobody.
			if (token.isCancellationRequested) end();
			this.#answering.add(controller);
			try {
				return await handlers.request(method, params, controller.signal);
			} finally {
				this.#answering.delete(controller);
			}
		});
		this.#rpc.onNotification((method, params) => handlers.notification(method, params));
		// The engine keeps this one for itself: a handler for all methods never sees it.
		this.#rpc.onUnhandledProgress((params) => handlers.notification("$/progress", params));
		this.#onClosed = (reason) => handlers.closed(reason);
		this.#rpc.onError(([error]) => this.#close(error));
		this.#rpc.onClose(() => this.#close());
		this.#rpc.listen();
	}

	get closed(): boolean {
		return this.#closed;
	}

	closedError(): Error {
		return new ConnectionClosedError("the connection was closed", { cause: this.#closedReason });
	}

	/**
	 * Sends a request; the bytes are on their way before this returns, so that calls keep their order.
	 * Rejects at once when the signal ends or the time is over, or the connection closes. The peer is sent `$/cancelRequest`,
	 * unless `limit` says not to.
	 */
	request<Result>(method: string, params: unknown, signal?: AbortSignal, limit?: Limit): Promise<Result> {
		if (this.#closed) return Promise.reject(this.closedError());
		if (signal?.aborted) return Promise.reject(reasonOf(signal));
		const source = signal || limit ? new CancellationTokenSource() : undefined;
		return new Promise<Result>((resolve, reject) => {
			const settle = () => {
				clearTimeout(timer);
				this.#pending.delete(fail);
				signal?.removeEventListener("abort", onAbort);
			};
			const fail = (error: Error) => {
				settle();
				reject(error);
			};
			const cancel = (error: Error) => {
				if (!limit?.quietly) source?.cancel();
				fail(error);
			};
			const onAbort = () => cancel(signal ? reasonOf(signal) : this.closedError());
			const timer = limit && setTimeout(() => cancel(limit.reason()), limit.ms).unref();
			this.#pending.add(fail);
			signal?.addEventListener("abort", onAbort, { once: true });
			// Given as undefined, the engine would send `[null]`: `shutdown` has no parameters.
			const given = params === undefined ? [] : [params];
			const sent = this.#rpc.sendRequest<Result>(method, ...given, ...(source ? [source.token] : []));
			sent.then(
				(result) => {
					settle();
					resolve(result);
				},
				(error: Error) => fail(isUnwritten(error) && !TooLargeError.is(error) ? this.closedError() : error),
			);
		});
	}

	/** Sends a notification; a closed connection is no error here, since `closed` has been called. */
	notify(method: string, params: unknown): void {
		if (this.#closed) return;
		const sent = params === undefined ? this.#rpc.sendNotification(method) : this.#rpc.sendNotification(method, params);
		sent.catch(() => {});
	}

	/** Ends the connection from our side; what is still asked is rejected. */
	dispose(): void {
		this.#close();
		this.#rpc.end();
		this.#rpc.dispose();
	}

	#close(reason?: Error): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#closedReason = reason;
		for (const controller of this.#answering) controller.abort();
		for (const reject of [...this.#pending]) reject(this.closedError());
		this.#onClosed(reason);
	}
}

/** The pipe of a peer that has just gone is shut a moment before its end is heard of. */
function isUnwritten(error: Error): boolean {
	return error instanceof ResponseError && error.code === ErrorCodes.MessageWriteError;
}

export class ConnectionClosedError extends Error {
	override readonly name = "ConnectionClosedError";
}

const silent = { error() {}, warn() {}, info() {}, log() {} };
