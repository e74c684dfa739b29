import { totalmem } from "node:os";

const megabyte = 1024 ** 2;

/** In bytes. */
export function machineMemory(): number {
	const constrained = process.constrainedMemory?.() ?? 0;
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export function heapMegabytes(memory = machineMemory()): number {
	return Math.round(Math.min(Math.max(memory / 4 / megabyte, 1024), 4096));
}
