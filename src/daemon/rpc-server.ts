import type { Socket } from "node:net";
import { asLspError, LspError } from "../contract/errors.ts";
import {
	environmentMethod,
	type HelloParams,
	type HelloResult,
	heldBackMethod,
	protocolVersion,
} from "../contract/protocol.ts";
import { unloadIfLarge } from "../impact/outline/syntax.ts";
import { Connection, ResponseError } from "../jsonrpc/connection.ts";
import { maxLineBytes } from "../jsonrpc/lines.ts";
import { LineReader, LineWriter } from "../jsonrpc/ndjson.ts";
import type { Environment } from "../process/environment.ts";
import { sweepOrphans } from "../process/orphans.ts";
import { timeoutInSteps } from "../util/abort.ts";
import type { WriteEvent } from "../util/log.ts";
import { type Address, proofOf, readCookie } from "./lifecycle/address.ts";
import { GarbageCollection } from "./lifecycle/garbage-collection.ts";
import { type CallSource, dispatch, notified } from "./serve.ts";
import { Service } from "./service.ts";

// scripts/build.mjs bundles this export.
export { dispatch };

/** The catalogue's code is in `data`. */
const applicationError = -32000;
const maxConnections = 256;
const silentMs = 30_000;
const sweepMs = 2000;
const callerMs = 2000;
const flushMs = 1000;

export interface RpcServerEvents {
	readonly log: WriteEvent;
	idle(): void;
	shutdown(): void;
}

export class RpcServer {
	readonly service: Service;
	readonly #address: Address;
	readonly #events: RpcServerEvents;
	readonly #connections = new Map<Connection, Socket>();
	/** Have sent nothing; oldest first. */
	readonly #silent = new Map<Socket, NodeJS.Timeout>();
	readonly #idleCollection = new GarbageCollection(unloadIfLarge);
	#calls = 0;
	#onDrained = () => {};

	constructor(address: Address, events: RpcServerEvents) {
		this.#address = address;
		this.#events = events;
		this.service = new Service(events.log, address.directory);
		this.service.pool.onEmpty = () => events.idle();
		// Late: it reads every process's environment.
		setTimeout(() => {
			const orphans = sweepOrphans();
			if (orphans > 0) events.log("ended orphans", { processes: orphans });
		}, sweepMs).unref();
	}

	get isBusy(): boolean {
		return this.#calls > 0;
	}

	accept(socket: Socket): void {
		socket.on("error", () => socket.destroy());
		if (this.#connections.size >= maxConnections && !this.#disconnectSilent()) return void socket.destroy();
		const env = () => connection.request<Environment>(environmentMethod, {}, timeoutInSteps(callerMs));
		const heldBack = () => connection.request<string[]>(heldBackMethod, {}, timeoutInSteps(callerMs));
		const writer = new LineWriter(socket);
		writer.tooLarge = (id, bytes) => {
			const message = `The answer has ${Math.round(bytes / 2 ** 20)} MB, and no more than ${maxLineBytes / 2 ** 20} are sent.`;
			const error = new LspError("LSP_ANSWER_TOO_LARGE", message);
			return { jsonrpc: "2.0", id, error: { code: applicationError, message, data: error.toJSON() } };
		};
		const reader = new LineReader(socket, (refusal) => {
			this.#received(socket);
			writer.write(refusal).catch(() => {});
		});
		const connection: Connection = new Connection(reader, writer, {
			request: (method, params, signal) => {
				this.#received(socket);
				return this.#answer(method, params, { env, heldBack, signal });
			},
			notification: (method, params) => {
				this.#received(socket);
				notified(this.service, method, params, env);
			},
			closed: () => {
				this.#connections.delete(connection);
				this.#received(socket);
				socket.destroy();
				if (this.#calls === 0) this.#idleCollection.begins();
			},
		});
		this.#connections.set(connection, socket);
		this.#silent.set(socket, setTimeout(() => socket.destroy(), silentMs).unref());
	}

	#received(socket: Socket): void {
		clearTimeout(this.#silent.get(socket));
		this.#silent.delete(socket);
	}

	#disconnectSilent(): boolean {
		const [oldest] = this.#silent.keys();
		if (!oldest) return false;
		oldest.destroy();
		this.#received(oldest);
		return true;
	}

	async drained(ms: number): Promise<void> {
		if (!this.isBusy) return;
		await new Promise<void>((resolve) => {
			this.#onDrained = resolve;
			setTimeout(resolve, ms).unref();
		});
	}

	async disconnect(): Promise<void> {
		const ended = [...this.#connections.values()].map(
			(socket) => new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.end(resolve))),
		);
		await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, flushMs).unref())]);
	}

	async #answer(method: string, params: unknown, source: CallSource): Promise<unknown> {
		if (method === "hello") return this.#hello((params ?? {}) as HelloParams);
		if (method === "shutdown") {
			setImmediate(() => this.#events.shutdown());
			return {};
		}
		this.#calls++;
		this.#idleCollection.ends();
		try {
			return await dispatch(this.service, method, params, source);
		} catch (thrown) {
			const error = asLspError(thrown);
			throw new ResponseError(applicationError, error.message, error.toJSON());
		} finally {
			// The answer goes first: `drained` comes before connections end.
			setImmediate(() => {
				if (--this.#calls > 0) return;
				this.#idleCollection.begins();
				this.#events.idle();
				this.#onDrained();
			});
		}
	}

	#hello({ nonce, debug = 0 }: HelloParams): HelloResult {
		const { pool } = this.service;
		if (debug > pool.debug) pool.debug = debug;
		return {
			protocol: protocolVersion,
			build: this.#address.build,
			pid: process.pid,
			proof: proofOf(readCookie(this.#address.cookie), String(nonce)),
		};
	}
}
