import { rmSync, statSync } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import { asLspError } from "../errors.ts";
import type { Environment } from "../lsp/environment.ts";
import { Connection, ResponseError } from "../rpc/connection.ts";
import { LineReader, LineWriter } from "../rpc/ndjson.ts";
import { type Address, proofOf, readCookie } from "./address.ts";
import type { Hub } from "./hub.ts";
import { environmentMethod, type HelloParams, type HelloResult, protocolVersion } from "./protocol.ts";
import { dispatch, notified } from "./serve.ts";

/** The number that JSON-RPC has for an error of the application; the catalogue's code is in `data`. */
const applicationError = -32000;

/** The listening socket of a daemon and the calls that are running on it. */
export class DaemonServer {
	readonly #hub: Hub;
	readonly #address: Address;
	readonly #server = net.createServer((socket) => this.#accept(socket));
	readonly #connections = new Set<Connection>();
	#inode: bigint | undefined;
	#calls = 0;
	/** Called when the last running call has ended. */
	onQuiet: (() => void) | undefined;
	/** Called when a client asks the daemon to leave. */
	onShutdown: (() => void) | undefined;

	constructor(hub: Hub, address: Address) {
		this.#hub = hub;
		this.#address = address;
	}

	get busy(): boolean {
		return this.#calls > 0;
	}

	/**
	 * Binds under a private name and renames it into place: Node's close() then unlinks the private name, which is gone,
	 * and not the socket of a successor (reliability.md fact 4).
	 */
	async listen(): Promise<void> {
		const draft = join(this.#address.directory, `.${process.pid}.sock`);
		rmSync(draft, { force: true });
		await new Promise<void>((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(draft, resolve);
		});
		await chmod(draft, 0o600);
		this.#inode = statSync(draft, { bigint: true }).ino;
		await rename(draft, this.#address.socket);
	}

	/** True while the well-known name still leads to this daemon. */
	ownsSocket(): boolean {
		try {
			return statSync(this.#address.socket, { bigint: true }).ino === this.#inode;
		} catch {
			return false;
		}
	}

	/** Takes no new callers; those that are connected are let go when their calls are done. */
	stopListening(): void {
		if (this.ownsSocket()) rmSync(this.#address.socket, { force: true });
		this.#server.close();
	}

	disconnect(): void {
		for (const connection of this.#connections) connection.dispose();
	}

	#accept(socket: net.Socket): void {
		socket.on("error", () => socket.destroy());
		const connection: Connection = new Connection(new LineReader(socket), new LineWriter(socket), {
			request: (method, params, signal) => this.#answer(connection, method, params, signal),
			notification: (method, params) => notified(this.#hub, method, params, environmentOf(connection)),
			closed: () => {
				this.#connections.delete(connection);
				socket.destroy();
			},
		});
		this.#connections.add(connection);
	}

	async #answer(connection: Connection, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
		if (method === "hello") return this.#hello(params as HelloParams);
		if (method === "shutdown") {
			setImmediate(() => this.onShutdown?.());
			return {};
		}
		this.#calls++;
		try {
			return await dispatch(this.#hub, method, params, environmentOf(connection), signal);
		} catch (thrown) {
			const error = asLspError(thrown);
			throw new ResponseError(applicationError, error.message, error.toJSON());
		} finally {
			if (--this.#calls === 0) this.onQuiet?.();
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
