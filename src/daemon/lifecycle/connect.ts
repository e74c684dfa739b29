import { randomUUID } from "node:crypto";
import { closeSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { LspError, reviveError } from "../../contract/errors.ts";
import {
	debugLevelFrom,
	environmentMethod,
	type HelloParams,
	type HelloResult,
	heldBackMethod,
	paramsFromEnvironment,
	protocolVersion,
} from "../../contract/protocol.ts";
import { ConnectionClosedError, TooLargeError } from "../../jsonrpc/errors.ts";
import { LineClient, RefusedRequest } from "../../jsonrpc/line-client.ts";
import { childEnvironment, daemonEnvironment, heldBackNames, summaryOf } from "../../process/environment.ts";
import { deadline, pause, waitOrAbort } from "../../util/abort.ts";
import { type Address, addressOf, asRefused, openLog, proofOf, readCookie } from "./address.ts";
import { blockedError } from "./ended.ts";
import { livingHolder, waitForLock } from "./lock.ts";

const helloMs = 1000;
/** While fifty processes start, a daemon needs seconds to answer. */
const patientMs = 10_000;
const heartbeatMs = 10_000;
/** The watchdog ends a blocked daemon earlier. */
const silentMs = 45_000;
const startMs = 15_000;

/** Only calls keep the process alive (docs/facts.md, 12). */
export class DaemonClient {
	readonly #socket: Socket;
	readonly #connection: LineClient;
	readonly #address: Address;
	#pid: number | undefined;
	#calls = 0;
	#isChecking = false;
	#failure: LspError | undefined;

	private constructor(socket: Socket, address: Address) {
		this.#socket = socket;
		this.#address = address;
		this.#connection = new LineClient(socket);
		socket.unref();
	}

	/** Undefined without a daemon. Rejects with LSP_DAEMON_REFUSED, or LSP_DAEMON_UNRESPONSIVE after `answerMs`. */
	static async find(
		address: Address,
		answerMs = helloMs,
	): Promise<{ client: DaemonClient; hello: HelloResult } | undefined> {
		const socket = await dial(address.socket);
		if (!socket) return undefined;
		const client = new DaemonClient(socket, address);
		const nonce = randomUUID();
		const debug = debugLevelFrom(process.env);
		const params: HelloParams = { protocol: protocolVersion, nonce, ...(debug > 0 ? { debug } : {}) };
		const limit = deadline(answerMs, () => unresponsive(address));
		try {
			const cookie = readCookie(address.cookie);
			const hello = await client.call<HelloResult>("hello", params, limit.signal);
			if (hello.proof === proofOf(cookie, nonce)) {
				client.#pid = hello.pid;
				// A squatter on the socket learns nothing before its proof.
				client.#connection.answer = answer;
				return { client, hello };
			}
			throw new LspError("LSP_DAEMON_REFUSED", `Whoever listens on ${address.socket} is not our daemon.`);
		} catch (error) {
			client.close();
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
	 * Rejects with the daemon's error, LSP_CONNECTION_LOST, LSP_DAEMON_BLOCKED or LSP_DAEMON_UNRESPONSIVE. Background
	 * calls do not keep the process alive.
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
		const heartbeat = setInterval(() => void this.#checkAlive(), heartbeatMs).unref();
		try {
			return await this.#connection.request<Result>(method, withCaller(params), signal);
		} catch (error) {
			if (error instanceof TooLargeError)
				throw new LspError("LSP_INVALID_INPUT", `${method}: the call is too large: ${error.message}.`);
			if (error instanceof RefusedRequest) throw reviveError(error.data, error.message);
			if (error instanceof ConnectionClosedError) throw this.#lost(error);
			throw error;
		} finally {
			clearInterval(heartbeat);
			this.#calls -= weight;
			if (this.#calls === 0) this.#socket.unref();
		}
	}

	async #checkAlive(): Promise<void> {
		if (this.#isChecking) return;
		this.#isChecking = true;
		const limit = deadline(silentMs, () => unresponsive(this.#address));
		try {
			await this.#connection.request("hello", {}, limit.signal);
		} catch (error) {
			if (!(error instanceof LspError) || this.closed) return;
			this.#failure = error;
			this.close();
		} finally {
			this.#isChecking = false;
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
	}
}

/**
 * 1. Connect and say hello.
 * 2. Else take the start lock and connect again.
 * 3. Wait while a daemon holds the life lock: it starts, drains or is stopped.
 * 4. Else spawn one, once, and wait until it is ready.
 */
export async function connectDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonClient> {
	const address = addressOf(env);
	const found = await DaemonClient.find(address, patientMs);
	if (found) return found.client;
	const limit = deadline(startMs, () => unresponsive(address));
	try {
		readCookie(address.cookie);
		const lock = await waitForLock(address.startLock, limit.signal);
		try {
			for (let spawned = false; ; ) {
				const client = (await DaemonClient.find(address, patientMs))?.client;
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

export async function findDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonClient | undefined> {
	return (await DaemonClient.find(addressOf(env)))?.client;
}

function withCaller(params: unknown): unknown {
	if (typeof params !== "object" || params === null || !("cwd" in params)) return params;
	const own = { ...paramsFromEnvironment(process.env), environment: summaryOf(process.env) };
	return { ...params, ...own, ...("trust" in params && params.trust === false ? { trust: false } : {}) };
}

function dial(path: string): Promise<Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = connect(path);
		socket.once("connect", () => resolve(socket));
		socket.once("error", (error: NodeJS.ErrnoException) => {
			// ECONNRESET: killed before it accepted.
			if (["ENOENT", "ECONNREFUSED", "ECONNRESET"].includes(error.code ?? "")) resolve(undefined);
			else reject(new LspError("LSP_DAEMON_REFUSED", `${path}: ${error.message}.`, { path }, { cause: error }));
		});
	});
}

/** So glibc returns freed blocks (docs/facts.md, 28). The kernel limits mappings. */
const allocator = { MALLOC_MMAP_THRESHOLD_: "8192", MALLOC_MMAP_MAX_: "16384", MALLOC_ARENA_MAX: "2" };

async function spawnDaemon(address: Address, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
	const { spawn } = await import("node:child_process");
	const log = openLogIfPossible(address);
	const child = spawn(nodeProgram(), [address.program], {
		detached: true,
		cwd: "/",
		env: { ...daemonEnvironment(env), ...ownVariables(env), ...allocator },
		stdio: ["ignore", log, log, "pipe"],
	});
	if (log !== "ignore") closeSync(log);
	const ready = child.stdio[3] as Readable;
	const report = new Promise<string>((resolve, reject) => {
		let text = "";
		ready.on("data", (chunk: Buffer) => {
			text += chunk.toString("utf8");
		});
		ready.once("close", () => resolve(text.trim()));
		child.once("error", (error) => reject(startFailed(address, error.message)));
	});
	try {
		const reported = await waitOrAbort(report, signal).catch((error: Error) => {
			// A daemon that hangs at its start has no socket yet.
			if (child.pid) process.kill(-child.pid, "SIGKILL");
			throw error;
		});
		if (reported !== "ready") throw startFailed(address, reported || "it ended without a word");
	} finally {
		child.unref();
		ready.destroy();
	}
}

function openLogIfPossible(address: Address): number | "ignore" {
	try {
		return openLog(address.log);
	} catch (error) {
		if (error instanceof LspError) throw error;
		return "ignore";
	}
}

/** A compiled pi is no Node. */
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

function answer(method: string): unknown {
	if (method === environmentMethod) return childEnvironment(process.env);
	return method === heldBackMethod ? heldBackNames(process.env) : undefined;
}

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
