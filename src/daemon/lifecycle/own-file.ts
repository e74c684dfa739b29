import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const maxBytes = 1000;

/** Does not wait for a FIFO. */
export function readOwnFile(path: string): string | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		if (!fstatSync(descriptor).isFile()) return undefined;
		const bytes = Buffer.alloc(maxBytes);
		return bytes.toString("utf8", 0, readSync(descriptor, bytes));
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
