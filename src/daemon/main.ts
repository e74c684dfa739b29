import { closeSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { requireWithCache } from "../util/code-cache.ts";
import { Log } from "../util/log.ts";
import { type Address, addressOf, asRefused, openLog } from "./lifecycle/address.ts";
import { tryLock } from "./lifecycle/lock.ts";
import { startWatchdog } from "./lifecycle/watchdog.ts";
import type { RpcServer } from "./rpc-server.ts";
import { SocketServer } from "./socket-server.ts";

/** The background process: takes the life lock, serves, and leaves when it is idle or its socket is no longer its own. */

const idleMs = Number(process.env.PI_LSP_DAEMON_IDLE_MS ?? 30 * 60_000);
const watchSocketMs = 5000;
const drainMs = 5000;
/** The client that started us reads one line here: "ready", or why not. */
const readyDescriptor = 3;

async function main(address: Address): Promise<void> {
	const log = new Log(address.log, openLog);
	const life = await tryLock(address.lifeLock);
	// Somebody else serves already: the client that started us finds it there.
	if (!life) return report("ready");

	const waiting: Socket[] = [];
	let server: RpcServer | undefined;
	// Nothing is read from a socket before somebody listens to it: a caller that is early loses no byte.
	const listener = new SocketServer(address, (socket) => (server ? server.accept(socket) : waiting.push(socket)));

	let leaving: Promise<void> | undefined;
	const leave = (reason: string): Promise<void> => {
		leaving ??= (async () => {
			log.write("leaving", { reason });
			setTimeout(() => {
				server?.service.pool.kill();
				process.exit(0);
			}, drainMs + 7000).unref();
			listener.close();
			// From here on a successor may start; what runs here is finished first.
			await life.release();
			if (server?.busy) await Promise.race([new Promise<void>((done) => (onQuiet = done)), after(drainMs)]);
			await server?.disconnect();
			await server?.service.close();
			process.exit(0);
		})();
		return leaving;
	};

	let idle: NodeJS.Timeout | undefined;
	const armIdle = () => {
		clearTimeout(idle);
		idle = setTimeout(() => {
			if (server?.busy || (server && server.service.pool.size > 0)) armIdle();
			else void leave("idle");
		}, idleMs);
	};
	let onQuiet = armIdle;
	for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void leave(signal));
	process.on("SIGHUP", () => {});
	process.on("uncaughtException", (error) => log.write("uncaught", { error: error.stack ?? error.message }));
	process.on("unhandledRejection", (reason) =>
		log.write("unhandled", { error: reason instanceof Error ? reason.stack : String(reason) }),
	);

	await listener.listen();
	report("ready");
	armIdle();
	setInterval(() => {
		// The runtime directory may be cleaned up under us (logout), or the lock broken: serve nobody twice.
		if (!listener.ownsSocket() || !life.isOurs()) void leave("the socket is no longer ours");
	}, watchSocketMs);
	log.write("listening", { socket: address.socket, build: address.build, node: process.version });

	// Only now: the socket is there 20 ms earlier, and the client connects meanwhile.
	const file = join(dirname(address.program), "rpc-server.cjs");
	const { RpcServer } = requireWithCache<typeof import("./rpc-server.ts")>(file);
	server = new RpcServer(address, {
		log: log.write,
		quiet: () => onQuiet(),
		empty: armIdle,
		shutdown: () => void leave("asked to"),
	});
	for (const socket of waiting.splice(0)) server.accept(socket);
	// Between the greeting of the first caller and its first question.
	setImmediate(() => startWatchdog(address));
}

function report(line: string): void {
	try {
		writeSync(readyDescriptor, `${line}\n`);
		closeSync(readyDescriptor);
	} catch {
		// Started by hand: nobody listens there.
	}
}

function after(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function failed(error: unknown): void {
	report((error as Error).message.replaceAll("\n", " "));
	process.exitCode = 1;
}

try {
	const address = addressOf();
	main(address).catch((error: unknown) => failed(asRefused(address.directory, error)));
} catch (error) {
	failed(error);
}
