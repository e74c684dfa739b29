import { availableParallelism } from "node:os";
import { machineMemory } from "../process/memory.ts";

/** The share of the machine for the servers of one daemon. When an idle server is stopped: eviction.ts. */
export interface PoolLimits {
	readonly servers: number;
	/** The number of servers that start at once: a start keeps a processor busy. */
	readonly startsAtOnce: number;
	/** Bytes that one server with its child processes may use. */
	readonly serverBytes: number;
	readonly totalBytes: number;
	/** Bytes of all servers at which the largest one is killed, used or not. */
	readonly killBytes: number;
	readonly weighMs: number;
	/** How often `killBytes` is looked at. */
	readonly weighOftenMs: number;
}

const gigabyte = 1024 ** 3;

export function standardLimits(): PoolLimits {
	const memory = machineMemory();
	return {
		servers: 16,
		startsAtOnce: Math.max(2, Math.floor(availableParallelism() / 2)),
		serverBytes: Math.max(2 * gigabyte, memory / 4),
		totalBytes: Math.max(3 * gigabyte, memory / 2),
		killBytes: Math.max(4 * gigabyte, (memory * 5) / 8),
		weighMs: 30_000,
		weighOftenMs: 2000,
	};
}
