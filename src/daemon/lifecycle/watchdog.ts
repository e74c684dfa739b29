import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { identityOf } from "../../process/process-identity.ts";
import type { Address } from "./address.ts";

/** The data of the watchdog's thread. */
export interface Watched {
	/** Counts the beats of the event loop. */
	readonly beats: Int32Array;
	readonly beatMs: number;
	/** Milliseconds without a beat after which the log gets the running functions. */
	readonly logMs: number;
	/** Milliseconds without a beat after which the daemon is ended. */
	readonly endMs: number;
	readonly identity: string;
	readonly address: Pick<Address, "log" | "ended">;
}

const beatsEach = 5;

/**
 * Starts a thread that ends the daemon if its event loop is blocked. The thread counts missed beats and not milliseconds, so
 * that a process that was stopped (SIGSTOP) and continued does not count as blocked.
 */
export function startWatchdog(address: Address, env: NodeJS.ProcessEnv = process.env): void {
	const logMs = Number(env.PI_LSP_DAEMON_BLOCKED_MS ?? 5000);
	const endMs = Number(env.PI_LSP_DAEMON_END_MS ?? 30_000);
	const beatMs = logMs / beatsEach;
	const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const { log, ended } = address;
	const watched: Watched = { beats, beatMs, logMs, endMs, identity: identityOf(process.pid), address: { log, ended } };
	const thread = new Worker(join(address.program, "../watchdog.cjs"), {
		workerData: watched,
		resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
	});
	thread.unref();
	// The daemon works without its watchdog.
	thread.on("error", () => {});
	setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
}
