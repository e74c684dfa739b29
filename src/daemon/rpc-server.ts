import type { Socket } from "node:net";
import { asLspError, LspError } from "../contract/errors.ts";
import { environmentMethod, type HelloParams, type HelloResult, protocolVersion } from "../contract/protocol.ts";
import { Connection, ResponseError } from "../jsonrpc/connection.ts";
import { LineReader, LineWriter, maxLineBytes } from "../jsonrpc/ndjson.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import type { Environment } from "../process/environment.ts";
import { sweepOrphans } from "../process/orphans.ts";
import type { WriteEvent } from "../util/log.ts";
import { type Address, proofOf, readCookie } from "./lifecycle/address.ts";
import { IdleCollection } from "./lifecycle/idle-collection.ts";
import { dispatch, notified } from "./serve.ts";
import { Service } from "./service.ts";

// The build runs a few calls through it, so that what V8 compiles for a first call is in the cache (scripts/build.mjs).
export { dispatch };

/** The number that JSON-RPC has for an error of the application; the catalogue's code is in `data`. */
const applicationError = -32000;
const maxConnections = 256;
/** How long a caller may stay connected without one whole message. */
const silentMs = 30_000;
const sweepMs = 2000;
/** How long a caller that reads nothing may hold up the end. */
const flushMs = 1000;

/** What the RPC server tells the process that it lives in. */
export interface RpcServerEvents {
	readonly log: WriteEvent;
	/** The last running call has ended. */
	quiet(): void;
	/** The last server has gone. */
	empty(): void;
	/** A client asks the daemon to leave. */
	shutdown(): void;
}

/** Everything that a daemon does for its callers. Loaded after the socket is there: it is most of the program. */
export class RpcServer {
	readonly service: Service;
	readonly #address: Address;
	readonly #events: RpcServerEvents;
	readonly #connections = new Map<Connection, Socket>();
	/** Callers that have said nothing so far, the oldest first, with the clocks that end them. */
	readonly #silent = new Map<Socket, NodeJS.Timeout>();
	readonly #idleCollection = new IdleCollection();
	#calls = 0;

	constructor(address: Address, events: RpcServerEvents) {
		this.#address = address;
		this.#events = events;
		this.service = new Service(events.log, address.directory);
		this.service.pool.onEmpty = () => events.empty();
		// Not in front of the first answers: it reads the environment of every process.
		setTimeout(() => {
			const orphans = sweepOrphans();
			if (orphans > 0) events.log("ended orphans", { processes: orphans });
		}, sweepMs).unref();
	}

	get busy(): boolean {
		return this.#calls > 0;
	}

	/** Speaks with a caller until one of the two sides ends the connection. */
	accept(socket: Socket): void {
		socket.on("error", () => socket.destroy());
		if (this.#connections.size >= maxConnections && !this.#makeRoom()) return void socket.destroy();
		// Asked when a server has to be started, and to compare; one function for each caller, by which it is known.
		const env = () => connection.request<Environment>(environmentMethod, {}, AbortSignal.timeout(2000));
		const writer = new LineWriter(socket);
		writer.tooLarge = (id, bytes) => {
			const words = `The answer has ${Math.round(bytes / 2 ** 20)} MB, and no more than ${maxLineBytes / 2 ** 20} are sent.`;
			const error = new LspError("LSP_ANSWER_TOO_LARGE", words);
			return { jsonrpc: "2.0", id, error: { code: applicationError, message: words, data: error.toJSON() } };
		};
		const reader = new LineReader(socket, (answer) => {
			this.#spoke(socket);
			writer.write(answer).catch(() => {});
		});
		const connection: Connection = new Connection(reader, writer, {
			request: (method, params, signal) => {
				this.#spoke(socket);
				return this.#answer(method, params, env, signal);
			},
			notification: (method, params) => {
				this.#spoke(socket);
				notified(this.service, method, params, env);
			},
			closed: () => {
				this.#connections.delete(connection);
				this.#spoke(socket);
				socket.destroy();
				if (this.#calls === 0) this.#idleCollection.begins();
			},
		});
		this.#connections.set(connection, socket);
		this.#silent.set(socket, setTimeout(() => socket.destroy(), silentMs).unref());
	}

	#spoke(socket: Socket): void {
		clearTimeout(this.#silent.get(socket));
		this.#silent.delete(socket);
	}

	/** When all places are taken, the caller that has been silent for the longest time goes. */
	#makeRoom(): boolean {
		const [oldest] = this.#silent.keys();
		if (!oldest) return false;
		oldest.destroy();
		this.#spoke(oldest);
		return true;
	}

	/** Ends every connection once what was written to it is on its way. */
	async disconnect(): Promise<void> {
		const ended = [...this.#connections.values()].map(
			(socket) => new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.end(resolve))),
		);
		await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, flushMs).unref())]);
	}

	async #answer(method: string, params: unknown, env: EnvironmentSource, signal: AbortSignal): Promise<unknown> {
		if (method === "hello") return this.#hello((params ?? {}) as HelloParams);
		if (method === "shutdown") {
			setImmediate(() => this.#events.shutdown());
			return {};
		}
		this.#calls++;
		this.#idleCollection.ends();
		try {
			return await dispatch(this.service, method, params, env, signal);
		} catch (thrown) {
			const error = asLspError(thrown);
			throw new ResponseError(applicationError, error.message, error.toJSON());
		} finally {
			// After the answer is written: who waits for quiet ends the connections.
			setImmediate(() => {
				if (--this.#calls > 0) return;
				this.#idleCollection.begins();
				this.#events.quiet();
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
