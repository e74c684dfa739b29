import { connect, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LspError } from "../contract/errors.ts";
import { statOf } from "../util/files.ts";
import type { Exit } from "./server-process.ts";

const connectMs = 5000;
const flushMs = 1000;

/** Another process started the server; it is never stopped here. */
export class ServerSocket {
	readonly passive = true;
	readonly apart = true;
	readonly pid = undefined;
	readonly exited: Promise<Exit>;
	readonly drained: Promise<void>;
	onStderr: ((chunk: Buffer) => void) | undefined;
	readonly #socket: Socket;
	#exit: Exit | undefined;

	private constructor(socket: Socket) {
		this.#socket = socket;
		socket.on("error", () => socket.destroy());
		this.exited = new Promise((resolve) => {
			socket.once("close", () => {
				this.#exit = { code: null, signal: null };
				resolve(this.#exit);
			});
		});
		this.drained = this.exited.then(() => {});
	}

	/** `host:port` or a socket's absolute path; rejects with LSP_SERVER_UNAVAILABLE. */
	static open(address: string, signal?: AbortSignal): Promise<ServerSocket> {
		const target = targetOf(address);
		if (!target) return Promise.reject(unavailable(address, "that is neither host:port nor a socket's absolute path"));
		return new Promise((resolve, reject) => {
			const socket = connect(target);
			const fail = (why: string) => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", abort);
				socket.destroy();
				reject(unavailable(address, why));
			};
			const abort = () => fail("no caller waits for it any more");
			const timer = setTimeout(() => fail(`no connection within ${connectMs / 1000} s`), connectMs);
			socket.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
			signal?.addEventListener("abort", abort, { once: true });
			socket.once("connect", () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", abort);
				socket.removeAllListeners("error");
				socket.setNoDelay(true);
				resolve(new ServerSocket(socket));
			});
		});
	}

	get stdin(): Writable {
		return this.#socket;
	}
	get stdout(): Readable {
		return this.#socket;
	}
	get exit(): Exit | undefined {
		return this.#exit;
	}

	stderrTail(): string {
		return "";
	}

	async stop(): Promise<Exit> {
		this.#socket.end();
		const timer = setTimeout(() => this.#socket.destroy(), flushMs);
		return this.exited.finally(() => clearTimeout(timer));
	}

	kill(): void {
		this.#socket.destroy();
	}
}

export async function isOwnAddress(address: string): Promise<boolean> {
	const target = targetOf(address);
	if (!target) return false;
	if ("host" in target)
		return target.host === "localhost" || target.host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(target.host);
	const info = await statOf(target.path);
	return info?.isSocket() === true && Number(info.uid) === process.getuid?.();
}

function targetOf(
	address: string,
): { readonly path: string } | { readonly host: string; readonly port: number } | undefined {
	if (isAbsolute(address)) return { path: address };
	const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address);
	const [, six, host = six, port] = match ?? [];
	return host !== undefined && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
}

function unavailable(address: string, why: string): LspError {
	return new LspError("LSP_SERVER_UNAVAILABLE", `No language server answers on ${address} (${why}).`, {
		address,
		suggestion: "Start the server that listens there, or take `connect` out of the configuration.",
	});
}
