import { closeSync, writeSync } from "node:fs";
import { Log } from "../util/log.ts";
import { addressOf, openLog } from "./address.ts";
import { Hub } from "./hub.ts";
import { tryLock } from "./lock.ts";
import { DaemonServer } from "./server.ts";

/** The background process: takes the life lock, serves, and leaves when it is idle or its socket is no longer its own. */

const idleMs = Number(process.env.PI_LSP_DAEMON_IDLE_MS ?? 30 * 60_000);
const watchSocketMs = 5000;
const drainMs = 5000;
/** The client that started us reads one line here: "ready", or why not. */
const readyDescriptor = 3;

async function main(): Promise<void> {
	const address = addressOf();
	const log = new Log(address.log, openLog);
	const life = await tryLock(address.lifeLock);
	// Somebody else serves already: the client that started us finds it there.
	if (!life) return report("ready");
	const debug = process.env.LSP_DEBUG === "1" || process.env.LSP_DEBUG === "2";
	const stderr = debug
		? (id: string, chunk: Buffer) => log.write(`${id} stderr: ${chunk.toString("utf8").trimEnd()}`)
		: undefined;
	const hub = new Hub((message) => log.write(message), stderr);
	const server = new DaemonServer(hub, address);

	let leaving: Promise<void> | undefined;
	const leave = (reason: string): Promise<void> => {
		leaving ??= (async () => {
			log.write(`leaving: ${reason}`);
			setTimeout(() => {
				hub.pool.kill();
				process.exit(0);
			}, drainMs + 7000).unref();
			server.stopListening();
			// From here on a successor may start; what runs here is finished first.
			await life.release();
			if (server.busy) await Promise.race([new Promise<void>((resolve) => (server.onQuiet = resolve)), after(drainMs)]);
			server.disconnect();
			await hub.pool.stop();
			process.exit(0);
		})();
		return leaving;
	};

	let idle: NodeJS.Timeout | undefined;
	const armIdle = () => {
		clearTimeout(idle);
		idle = setTimeout(() => {
			if (server.busy || hub.pool.size > 0) armIdle();
			else void leave("idle");
		}, idleMs);
	};
	server.onQuiet = armIdle;
	hub.pool.onEmpty = armIdle;
	server.onShutdown = () => void leave("asked to");
	for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void leave(signal));
	process.on("SIGHUP", () => {});
	process.on("uncaughtException", (error) => log.write(`uncaught: ${error.stack ?? error.message}`));
	process.on("unhandledRejection", (reason) =>
		log.write(`unhandled: ${reason instanceof Error ? reason.stack : reason}`),
	);

	await server.listen();
	armIdle();
	setInterval(() => {
		// The runtime directory may be cleaned up under us (logout), or the lock broken: serve nobody twice.
		if (!server.ownsSocket() || !life.isOurs()) void leave("the socket is no longer ours");
	}, watchSocketMs);
	log.write(`listening on ${address.socket}, build ${address.build}, node ${process.version}`);
	report("ready");
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

main().catch((error: Error) => {
	report(error.message.replaceAll("\n", " "));
	process.exitCode = 1;
});
