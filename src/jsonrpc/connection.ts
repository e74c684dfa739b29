import {
	CancellationTokenSource,
	createMessageConnection,
	ErrorCodes,
	type MessageConnection,
	type MessageReader,
	type MessageWriter,
	ResponseError,
} from "vscode-jsonrpc/node";
import { abortReason } from "../util/abort.ts";
import { ConnectionClosedError, TooLargeError } from "./errors.ts";

export { ConnectionClosedError, ErrorCodes, ResponseError };

/** `signal` aborts when the peer cancels or disconnects. */
export interface Handlers {
	request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
	notification(method: string, params: unknown): void;
	/** Once, also for unreadable output. */
	closed(reason: Error | undefined): void;
}

/** Faster than an AbortSignal per request. */
export interface Limit {
	readonly ms: number;
	reason(): Error;
	/** Sends no `$/cancelRequest`. */
	readonly quietly?: boolean;
}

export class Connection {
	readonly #rpc: MessageConnection;
	readonly #answering = new Set<AbortController>();
	readonly #pending = new Set<(error: Error) => void>();
	readonly #onClosed: (reason: Error | undefined) => void;
	#closedReason: Error | undefined;
	#closed = false;

	constructor(reader: MessageReader, writer: MessageWriter, handlers: Handlers) {
		this.#rpc = createMessageConnection(reader, writer, silent);
		this.#rpc.onRequest(async (method, params, token) => {
			const controller = new AbortController();
			const end = () => controller.abort();
			token.onCancellationRequested(end);
			// No listener is called if request and cancellation come together.
			if (token.isCancellationRequested) end();
			this.#answering.add(controller);
			try {
				return await handlers.request(method, params, controller.signal);
			} finally {
				this.#answering.delete(controller);
			}
		});
		this.#rpc.onNotification((method, params) => handlers.notification(method, params));
		// `onNotification` does not get `$/progress`.
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
		return new ConnectionClosedError(this.#closedReason);
	}

	/**
	 * Messages keep their order: sends before it returns. Rejects with the signal's or the limit's reason (after
	 * `$/cancelRequest`), ConnectionClosedError or ResponseError.
	 */
	request<Result>(method: string, params: unknown, signal?: AbortSignal, limit?: Limit): Promise<Result> {
		if (this.#closed) return Promise.reject(this.closedError());
		if (signal?.aborted) return Promise.reject(abortReason(signal));
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
			const onAbort = () => cancel(signal ? abortReason(signal) : this.closedError());
			const timer = limit && setTimeout(() => cancel(limit.reason()), limit.ms).unref();
			this.#pending.add(fail);
			signal?.addEventListener("abort", onAbort, { once: true });
			// For undefined, vscode-jsonrpc would send `[null]`.
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

	notify(method: string, params: unknown): void {
		if (this.#closed) return;
		const sent = params === undefined ? this.#rpc.sendNotification(method) : this.#rpc.sendNotification(method, params);
		sent.catch(() => {});
	}

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

function isUnwritten(error: Error): boolean {
	return error instanceof ResponseError && error.code === ErrorCodes.MessageWriteError;
}

const silent = { error() {}, warn() {}, info() {}, log() {} };
