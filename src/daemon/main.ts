import { closeSync, existsSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { requireWithCache } from "../util/code-cache.ts";
import { Log } from "../util/log.ts";
import { type Address, addressOf, asRefused, openLog } from "./lifecycle/address.ts";
import { tryLock } from "./lifecycle/lock.ts";
import { startWatchdog } from "./lifecycle/watchdog.ts";
import type { RpcServer } from "./rpc-server.ts";
import { SocketServer } from "./socket-server.ts";

const starterMs = 15_000;
const idleMs = Number(process.env.PI_LSP_DAEMON_IDLE_MS ?? 30 * 60_000);
const watchSocketMs = 5000;
const drainMs = 5000;
/** The starter reads one line: "ready" or an error. */
const readyDescriptor = 3;

async function main(address: Address): Promise<void> {
	const log = new Log(address.log, openLog);
	const life = await tryLock(address.lifeLock);
	if (!life) return report("ready");

	const waiting: Socket[] = [];
	let server: RpcServer | undefined;
	// Node reads nothing without a listener: no byte of an early client is lost.
	const listener = new SocketServer(address, (socket) => (server ? server.accept(socket) : waiting.push(socket)));

	let leaving = false;
	const leave = async (reason: string): Promise<void> => {
		if (leaving) return;
		leaving = true;
		log.write("leaving", { reason });
		setTimeout(() => {
			server?.service.pool.kill();
			process.exit(0);
		}, drainMs + 7000).unref();
		listener.close();
		await life.release();
		await server?.drained(drainMs);
		await server?.disconnect();
		await server?.service.close();
		process.exit(0);
	};

	let idleTimer: NodeJS.Timeout | undefined;
	const restartIdleTimer = (waitMs = idleMs) => {
		clearTimeout(idleTimer);
		idleTimer = setTimeout(() => {
			if (server?.isBusy || (server && server.service.pool.size > 0)) restartIdleTimer();
			else void leave("idle");
		}, waitMs);
	};
	for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void leave(signal));
	process.on("SIGHUP", () => {});
	process.on("uncaughtException", (error) => log.write("uncaught", { error: error.stack ?? error.message }));
	process.on("unhandledRejection", (reason) =>
		log.write("unhandled", { error: reason instanceof Error ? reason.stack : String(reason) }),
	);

	await listener.listen();
	report("ready");
	restartIdleTimer(Math.max(idleMs, starterMs));
	setInterval(() => {
		// A logout may remove the runtime directory.
		if (!listener.ownsSocket() || !life.isOurs()) void leave("the socket is no longer ours");
		// It may be shared with another installed copy, which is still there.
		else if (!existsSync(address.program)) void leave("the program is uninstalled");
	}, watchSocketMs);
	log.write("listening", { socket: address.socket, build: address.build, node: process.version });

	const file = join(dirname(address.program), "rpc-server.cjs");
	const { RpcServer } = requireWithCache<typeof import("./rpc-server.ts")>(file);
	server = new RpcServer(address, {
		log: log.write,
		idle: () => restartIdleTimer(),
		shutdown: () => void leave("asked to"),
	});
	for (const socket of waiting.splice(0)) server.accept(socket);
	setImmediate(() => startWatchdog(address));
}

function report(line: string): void {
	try {
		writeSync(readyDescriptor, `${line}\n`);
		closeSync(readyDescriptor);
	} catch {}
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
