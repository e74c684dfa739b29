import { availableParallelism } from "node:os";
import { machineMemory } from "../process/memory.ts";

/** The share of the machine that the servers of one daemon may use. */
export interface PoolLimits {
	/** The number of servers that run at once. */
	readonly servers: number;
	/** The number of servers that start at once: a start keeps a processor busy. */
	readonly startsAtOnce: number;
	/** Bytes that one server with its child processes may use. */
	readonly serverBytes: number;
	/** Bytes that all servers together may use. */
	readonly totalBytes: number;
	/** Milliseconds between two checks of the memory. */
	readonly weighMs: number;
}

const gigabyte = 1024 ** 3;

/** The limits for this machine. */
export function standardLimits(): PoolLimits {
	const memory = machineMemory();
	return {
		servers: 16,
		startsAtOnce: Math.max(2, Math.floor(availableParallelism() / 2)),
		serverBytes: Math.max(2 * gigabyte, memory / 4),
		totalBytes: Math.max(3 * gigabyte, memory / 2),
		weighMs: 30_000,
	};
}
