import { availableParallelism } from "node:os";
import { machineMemory } from "../process/memory.ts";

/** What the servers of one daemon may take of the machine. */
export interface PoolLimits {
	/** How many servers run at once; for one more, the one that was not asked for the longest time goes. */
	readonly servers: number;
	/** How many start at once: a start is all processor, and ten worktrees would all wait for each other. */
	readonly startsAtOnce: number;
	/** Bytes that one server and its children may hold before it is stopped, and all together. */
	readonly serverBytes: number;
	readonly totalBytes: number;
	/** Milliseconds between two looks at what they hold. */
	readonly weighMs: number;
}

const gigabyte = 1024 ** 3;

/** The limits that fit this machine. */
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
