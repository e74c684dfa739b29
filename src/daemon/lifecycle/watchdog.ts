import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { identityOf } from "../../process/process-identity.ts";
import type { Address } from "./address.ts";

export interface Watched {
	readonly beats: Int32Array;
	readonly beatMs: number;
	readonly logMs: number;
	readonly endMs: number;
	readonly identity: string;
	readonly address: Pick<Address, "log" | "ended">;
}

const beatsEach = 5;

/** A process stopped by SIGSTOP misses no beats. */
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
	thread.on("error", () => {});
	setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
}
