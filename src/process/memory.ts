import { totalmem } from "node:os";

const megabyte = 1024 ** 2;

/** The memory of the machine, or of the container, in bytes. */
export function machineMemory(): number {
	const constrained = process.constrainedMemory?.() ?? 0;
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** For a Node or Java server. */
export function heapMegabytes(memory = machineMemory()): number {
	return Math.round(Math.min(Math.max(memory / 4 / megabyte, 1024), 4096));
}
