import { availableParallelism } from "node:os";
import { machineMemory } from "../process/memory.ts";

export interface PoolLimits {
	readonly servers: number;
	readonly startsAtOnce: number;
	readonly serverBytes: number;
	readonly totalBytes: number;
	/** All servers' memory; the largest is killed, used or not. */
	readonly killBytes: number;
	readonly weighMs: number;
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
