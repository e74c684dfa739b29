import type { Socket } from "node:net";
import { asLspError } from "../errors.ts";
import type { Environment } from "../lsp/environment.ts";
import { Connection, ResponseError } from "../rpc/connection.ts";
import { LineReader, LineWriter } from "../rpc/ndjson.ts";
import { type Address, proofOf, readCookie } from "./address.ts";
import { Hub } from "./hub.ts";
import { environmentMethod, type HelloParams, type HelloResult, protocolVersion } from "./protocol.ts";
import { dispatch, notified } from "./serve.ts";

// The build runs a few calls through it, so that what V8 compiles for a first call is in the cache (scripts/build.mjs).
export { dispatch };

/** The number that JSON-RPC has for an error of the application; the catalogue's code is in `data`. */
const applicationError = -32000;
const mostConnections = 256;
/** How long a caller that reads nothing may hold up the end. */
const flushMs = 1000;

/** What the engine tells the process that it lives in. */
export interface EngineEvents {
	log(message: string): void;
	/** With LSP_DEBUG: what the servers write to their standard error. */
	stderr: ((id: string, chunk: Buffer) => void) | undefined;
	/** The last running call has ended. */
	quiet(): void;
	/** The last server has gone. */
	empty(): void;
	/** A client asks the daemon to leave. */
	shutdown(): void;
}

/** Everything that a daemon does for its callers. Loaded after the socket is there: it is most of the program. */
export class Engine {
	readonly hub: Hub;
	readonly #address: Address;
	readonly #events: EngineEvents;
	readonly #connections = new Map<Connection, Socket>();
	#calls = 0;

	constructor(address: Address, events: EngineEvents) {
		this.#address = address;
		this.#events = events;
		this.hub = new Hub(events.log, events.stderr, address.directory);
		this.hub.pool.onEmpty = () => events.empty();
	}

	get busy(): boolean {
		return this.#calls > 0;
	}

	/** Speaks with a caller until one of the two sides ends the connection. */
	accept(socket: Socket): void {
		socket.on("error", () => socket.destroy());
		if (this.#connections.size >= mostConnections) return void socket.destroy();
		const connection: Connection = new Connection(new LineReader(socket), new LineWriter(socket), {
			request: (method, params, signal) => this.#answer(connection, method, params, signal),
			notification: (method, params) => notified(this.hub, method, params, environmentOf(connection)),
			closed: () => {
				this.#connections.delete(connection);
				socket.destroy();
			},
		});
		this.#connections.set(connection, socket);
	}

	/** Ends every connection once what was written to it is on its way. */
	async disconnect(): Promise<void> {
		const ended = [...this.#connections.values()].map(
			(socket) => new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.end(resolve))),
		);
		await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, flushMs).unref())]);
	}

	async #answer(connection: Connection, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
		if (method === "hello") return this.#hello((params ?? {}) as HelloParams);
		if (method === "shutdown") {
			setImmediate(() => this.#events.shutdown());
			return {};
		}
		this.#calls++;
		try {
			return await dispatch(this.hub, method, params, environmentOf(connection), signal);
		} catch (thrown) {
			const error = asLspError(thrown);
			throw new ResponseError(applicationError, error.message, error.toJSON());
		} finally {
			// After the answer is written: who waits for quiet ends the connections.
			setImmediate(() => {
				if (--this.#calls === 0) this.#events.quiet();
			});
		}
	}

	#hello({ nonce }: HelloParams): HelloResult {
		return {
			protocol: protocolVersion,
			build: this.#address.build,
			pid: process.pid,
			proof: proofOf(readCookie(this.#address.cookie), String(nonce)),
		};
	}
}

/** Asks the caller for its environment when a server has to be started, and not before. */
function environmentOf(connection: Connection) {
	return () => connection.request<Environment>(environmentMethod, {}, AbortSignal.timeout(2000));
}
