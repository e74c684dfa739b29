import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { identityOf } from "../../process/process-identity.ts";
import type { Address } from "./address.ts";

/** What the thread beside the event loop is given. */
export interface Watched {
	/** The number of beats of the loop so far. */
	readonly beats: Int32Array;
	readonly beatMs: number;
	/** So long without a beat, the log is told where the program stands; so long, the daemon is ended. */
	readonly tellMs: number;
	readonly endMs: number;
	readonly identity: string;
	readonly address: Pick<Address, "log" | "ended">;
}

const beatsEach = 5;

/**
 * Starts a thread that ends the daemon if its event loop stands still: whatever blocks it cannot be interrupted from
 * within. Beats are counted and not milliseconds, so that a daemon that was stopped and goes on is not taken for one that
 * hangs. Starting it takes some 3 ms of the loop.
 */
export function startWatchdog(address: Address, env: NodeJS.ProcessEnv = process.env): void {
	const tellMs = Number(env.PI_LSP_DAEMON_BLOCKED_MS ?? 5000);
	const endMs = Number(env.PI_LSP_DAEMON_END_MS ?? 30_000);
	const beatMs = tellMs / beatsEach;
	const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const { log, ended } = address;
	const watched: Watched = { beats, beatMs, tellMs, endMs, identity: identityOf(process.pid), address: { log, ended } };
	const thread = new Worker(join(address.program, "../watchdog.cjs"), {
		workerData: watched,
		resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
	});
	thread.unref();
	// Without it the daemon serves all the same.
	thread.on("error", () => {});
	setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
}
