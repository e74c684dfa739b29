import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes sure of a directory that only we can enter: made with 0700, not a link, ours, and tightened if it is ours and
 * wider. The mode of what lies in it is no access control on its own (reliability.md fact 7). Throws what `refused` makes
 * of a directory and a reason, or the system's own error.
 */
export function ensurePrivateDirectory(directory: string, refused: (path: string, reason: string) => Error): void {
	mkdirSync(dirname(directory), { recursive: true });
	try {
		mkdirSync(directory, { mode: 0o700 });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
	let descriptor: number;
	try {
		descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	} catch (error) {
		throw refused(directory, `it is not a plain directory (${(error as NodeJS.ErrnoException).code})`);
	}
	try {
		const info = fstatSync(descriptor);
		if (process.getuid && info.uid !== process.getuid()) throw refused(directory, "another user owns it");
		if (info.mode & 0o077) chmodSync(directory, 0o700);
	} finally {
		closeSync(descriptor);
	}
}
