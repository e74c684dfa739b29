import { chmodSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/**
 * Only this user can enter it: modes of files are no access control (docs/facts.md, 4). Returns its identity. Throws
 * `refused`'s error, or the system's.
 */
export function ensurePrivateDirectory(directory: string, refused: (path: string, reason: string) => Error): string {
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
		return identityOf(info);
	} finally {
		closeSync(descriptor);
	}
}

export function isSameDirectory(directory: string, identity: string): boolean {
	const info = lstatSync(directory, { throwIfNoEntry: false });
	return info?.isDirectory() === true && identityOf(info) === identity;
}

function identityOf({ dev, ino }: Stats): string {
	return `${dev}:${ino}`;
}
