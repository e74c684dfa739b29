import { totalmem } from "node:os";

const megabyte = 1024 ** 2;

/** Bytes of memory that this process may count on: the machine's, or what its container is allowed. */
export function machineMemory(): number {
	const constrained = process.constrainedMemory?.() ?? 0;
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** The heap that a Node or Java server may have: a quarter of the memory, at least 1 GB and at most 4. */
export function heapMegabytes(memory = machineMemory()): number {
	return Math.round(Math.min(Math.max(memory / 4 / megabyte, 1024), 4096));
}
