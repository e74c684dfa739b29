import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync } from "node:fs";
import net from "node:net";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { LspError, reviveError } from "../../contract/errors.ts";
import { environmentMethod, type HelloResult, protocolVersion, said } from "../../contract/protocol.ts";
import { TooLargeError } from "../../jsonrpc/byte-stream.ts";
import { Connection, ConnectionClosedError, type Handlers, ResponseError } from "../../jsonrpc/connection.ts";
import { LineReader, LineWriter } from "../../jsonrpc/ndjson.ts";
import { childEnvironment } from "../../process/environment.ts";
import { deadline, pause, waitOrAbort } from "../../util/abort.ts";
import { type Address, addressOf, asRefused, openLog, proofOf, readCookie } from "./address.ts";
import { blockedError } from "./ended.ts";
import { livingHolder, waitForLock } from "./lock.ts";

const helloMs = 1000;
/** So often a daemon that somebody waits for is greeted again, and so long it may take to answer: longer than its watchdog. */
const [greetMs, silentMs] = [10_000, 45_000];
const startMs = 15_000;

/** A connection to the daemon. Between calls it does not keep the process alive. */
export class DaemonClient {
	readonly #socket: net.Socket;
	readonly #connection: Connection;
	readonly #address: Address;
	#pid: number | undefined;
	#calls = 0;
	#greeting = false;
	#failure: LspError | undefined;

	private constructor(socket: net.Socket, address: Address) {
		this.#socket = socket;
		this.#address = address;
		const handlers: Handlers = {
			request: async (method) => {
				if (method === environmentMethod) return childEnvironment(process.env);
				throw new ResponseError(-32601, `unknown method ${method}`);
			},
			notification: () => {},
			closed: () => socket.destroy(),
		};
		const [reader, writer] = [new LineReader(socket), new LineWriter(socket)];
		this.#connection = new Connection(reader, writer, handlers, { answersOvertake: true });
		socket.unref();
	}

	/** Connects to a daemon that is there and proves itself; undefined if there is none. */
	static async find(address: Address): Promise<{ client: DaemonClient; hello: HelloResult } | undefined> {
		const socket = await dial(address.socket);
		if (!socket) return undefined;
		const client = new DaemonClient(socket, address);
		const nonce = randomUUID();
		const limit = deadline(helloMs, () => unresponsive(address));
		try {
			const cookie = readCookie(address.cookie);
			const hello = await client.call<HelloResult>("hello", { protocol: protocolVersion, nonce }, limit.signal);
			client.#pid = hello.pid;
			if (hello.proof === proofOf(cookie, nonce)) return { client, hello };
			throw new LspError("LSP_DAEMON_REFUSED", `Whoever listens on ${address.socket} is not our daemon.`);
		} catch (error) {
			client.close();
			// It left between our connect and our hello.
			if (error instanceof LspError && error.code === "LSP_CONNECTION_LOST") return undefined;
			throw error;
		} finally {
			limit.end();
		}
	}

	get closed(): boolean {
		return this.#connection.closed;
	}

	/**
	 * Calls a method; rejects with the error of the catalogue that the daemon gave, LSP_CONNECTION_LOST, LSP_DAEMON_BLOCKED,
	 * or LSP_DAEMON_UNRESPONSIVE when the daemon answers nothing at all for 45 s. The process stays alive for the answer,
	 * unless the call is one in the background.
	 */
	async call<Result>(
		method: string,
		params: unknown,
		signal?: AbortSignal,
		{ background = false }: { readonly background?: boolean } = {},
	): Promise<Result> {
		const weight = background ? 0 : 1;
		this.#calls += weight;
		if (this.#calls > 0) this.#socket.ref();
		const greeting = setInterval(() => void this.#greet(), greetMs);
		greeting.unref();
		try {
			return await this.#connection.request<Result>(method, withCaller(params), signal);
		} catch (error) {
			if (error instanceof ResponseError && TooLargeError.is(error))
				throw new LspError("LSP_INVALID_INPUT", `${method}: the call is too large: ${error.message}.`);
			if (error instanceof ResponseError) throw reviveError(error.data, error.message);
			if (error instanceof ConnectionClosedError) throw this.#lost(error);
			throw error;
		} finally {
			clearInterval(greeting);
			this.#calls -= weight;
			if (this.#calls === 0) this.#socket.unref();
		}
	}

	/** A daemon that is stopped or blocked is not waited for without end. */
	async #greet(): Promise<void> {
		if (this.#greeting) return;
		this.#greeting = true;
		const limit = deadline(silentMs, () => unresponsive(this.#address));
		try {
			await this.#connection.request("hello", {}, limit.signal);
		} catch (error) {
			if (!(error instanceof LspError) || this.closed) return;
			this.#failure = error;
			this.close();
		} finally {
			this.#greeting = false;
			limit.end();
		}
	}

	#lost(cause: Error): LspError {
		const { ended, log } = this.#address;
		const blocked = this.#pid === undefined ? undefined : blockedError(ended, this.#pid, log);
		const message = "The daemon went away in the middle of the call.";
		return this.#failure ?? blocked ?? new LspError("LSP_CONNECTION_LOST", message, {}, { cause });
	}

	notify(method: string, params: unknown): void {
		this.#connection.notify(method, withCaller(params));
	}

	close(): void {
		this.#connection.dispose();
		this.#socket.destroy();
	}
}

/**
 * Finds the daemon of this build, or starts it:
 * 1. connect and shake hands;
 * 2. else take the start lock, so that of many callers one starts it, and try again;
 * 3. a daemon that lives but does not answer (it starts, it drains, it is stopped) is waited for, never doubled;
 * 4. else spawn one, once, and wait for its word.
 */
export async function connectDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonClient> {
	const address = addressOf(env);
	const found = await DaemonClient.find(address);
	if (found) return found.client;
	const limit = deadline(startMs, () => unresponsive(address));
	try {
		// One that cannot be used would keep everybody from the daemon that is started.
		readCookie(address.cookie);
		const lock = await waitForLock(address.startLock, limit.signal);
		try {
			for (let spawned = false; ; ) {
				const client = (await DaemonClient.find(address))?.client;
				if (client) return client;
				if (livingHolder(address.lifeLock) === undefined) {
					if (spawned) throw startFailed(address, "it ended right after its start");
					spawned = true;
					await spawnDaemon(address, env, limit.signal);
				} else await pause(25, limit.signal);
			}
		} finally {
			await lock.release();
		}
	} catch (error) {
		throw asRefused(address.directory, error);
	} finally {
		limit.end();
	}
}

/** The daemon of this build if it is running; nothing is started. */
export async function findDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonClient | undefined> {
	return (await DaemonClient.find(addressOf(env)))?.client;
}

/** What the caller's environment says about it, with every call that names a directory. */
function withCaller(params: unknown): unknown {
	if (typeof params !== "object" || params === null || !("cwd" in params)) return params;
	return { ...params, ...said(process.env) };
}

function dial(path: string): Promise<net.Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = net.connect(path);
		socket.once("connect", () => resolve(socket));
		socket.once("error", (error: NodeJS.ErrnoException) => {
			// ECONNRESET: it was killed while we stood in its queue (seen with 20 callers at once).
			if (["ENOENT", "ECONNREFUSED", "ECONNRESET"].includes(error.code ?? "")) resolve(undefined);
			else reject(new LspError("LSP_DAEMON_REFUSED", `${path}: ${error.message}.`, { path }, { cause: error }));
		});
	});
}

/**
 * glibc keeps what was freed once it has seen a large block freed: after a few texts of 5 MB the daemon held 40 MB of nothing.
 * With a threshold of its own every large block is a mapping, which goes when it is freed. Other C libraries do not read it.
 */
const allocator = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "2" };

async function spawnDaemon(address: Address, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
	const log = openLogIfPossible(address);
	const child = spawn(nodeProgram(), [address.program], {
		detached: true,
		cwd: "/",
		// Its own environment is as small as a server's: what a server may see is asked of each caller.
		env: { ...childEnvironment(env), ...ownVariables(env), ...allocator },
		stdio: ["ignore", log, log, "pipe"],
	});
	if (log !== "ignore") closeSync(log);
	const ready = child.stdio[3] as Readable;
	const word = new Promise<string>((resolve, reject) => {
		let text = "";
		ready.on("data", (chunk: Buffer) => {
			text += chunk.toString("utf8");
		});
		ready.once("close", () => resolve(text.trim()));
		child.once("error", (error) => reject(startFailed(address, error.message)));
	});
	try {
		const said = await waitOrAbort(word, signal).catch((error: Error) => {
			// One that hangs at its start would be found by nobody.
			if (child.pid) process.kill(-child.pid, "SIGKILL");
			throw error;
		});
		if (said !== "ready") throw startFailed(address, said || "it ended without a word");
	} finally {
		child.unref();
		ready.destroy();
	}
}

/** A home that cannot be written to costs the log, and nothing else; a log that is not ours is refused. */
function openLogIfPossible(address: Address): number | "ignore" {
	try {
		return openLog(address.log);
	} catch (error) {
		if (error instanceof LspError) throw error;
		return "ignore";
	}
}

/** pi also ships as one compiled program: its own executable is then no Node. */
export function nodeProgram(): string {
	return process.versions.bun || !/^node(\.exe)?$/.test(basename(process.execPath)) ? "node" : process.execPath;
}

function ownVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(env).filter(([name]) =>
			/^(PI_LSP_DAEMON_IDLE_MS|PI_LSP_DAEMON_BLOCKED_MS|PI_LSP_DAEMON_END_MS|PI_LSP_DISABLE_WATCHERS|LSP_DEBUG)$/.test(
				name,
			),
		),
	);
}

/** The error for a daemon that lives and does not answer. */
export function unresponsive(address: Address, suggestion?: string): LspError {
	const pid = livingHolder(address.lifeLock);
	return new LspError("LSP_DAEMON_UNRESPONSIVE", `The daemon${pid ? ` (pid ${pid})` : ""} does not answer.`, {
		...(pid ? { pid } : {}),
		...(suggestion === undefined ? {} : { suggestion }),
	});
}

function startFailed(address: Address, reason: string): LspError {
	return new LspError("LSP_DAEMON_START_FAILED", `The daemon did not start: ${reason}.`, {
		log: address.log,
		suggestion: `The log says why: ${address.log}. {{--no-daemon}} works without a daemon.`,
	});
}
