import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { LspError } from "../../contract/errors.ts";
import { identityOf, isAlive, pidOf } from "../../process/process-identity.ts";
import { pause } from "../../util/abort.ts";
import { readOwnFile } from "./own-file.ts";

/**
 * A lock file that is free again when its holder has died.
 *
 * Node 20 has no flock, and a lock with heartbeats would take a stopped process for a dead one. The file therefore names its
 * holder by process id and start time, which together are unique.
 *
 * 1. Take: a complete private file is linked to the lock's name; link(2) fails if the name exists.
 * 2. Wait: while the holder lives.
 * 3. Break: a dead holder's file is removed under the lock `<name>~`, and only if it still names that holder. The `~` file
 *    of a process that dies meanwhile is broken in the same way.
 */
export interface HeldLock {
	release(): Promise<void>;
	/** True while the file names this process. */
	isOurs(): boolean;
}

/** Takes the lock. Undefined if a living process holds it. */
export async function tryLock(path: string): Promise<HeldLock | undefined> {
	const mine = identityOf(process.pid);
	const draft = `${path}.${process.pid}.${randomUUID()}`;
	// Synchronous, since the first use of Node's thread pool takes milliseconds of a start.
	writeFileSync(draft, mine, { mode: 0o600 });
	try {
		for (;;) {
			try {
				linkSync(draft, path);
				return {
					release: async () => {
						if (readOwnFile(path) === mine) rmSync(path, { force: true });
					},
					isOurs: () => readOwnFile(path) === mine,
				};
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
			}
			const holder = readOwnFile(path);
			if (holder === undefined) {
				refuseForeign(path);
				continue;
			}
			if (isAlive(holder)) return undefined;
			const breaking = await tryLock(`${path}~`);
			if (!breaking) return undefined;
			try {
				if (readOwnFile(path) === holder) rmSync(path, { force: true });
			} finally {
				await breaking.release();
			}
		}
	} finally {
		rmSync(draft, { force: true });
	}
}

/** Takes the lock when it is free. Rejects when the signal aborts. */
export async function waitForLock(path: string, signal: AbortSignal): Promise<HeldLock> {
	for (;;) {
		const lock = await tryLock(path);
		if (lock) return lock;
		await pause(25, signal);
	}
}

/** The identity of the living process that holds a lock. */
export function livingIdentity(path: string): string | undefined {
	const holder = readOwnFile(path);
	return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** The id of the living process that holds a lock. */
export function livingHolder(path: string): number | undefined {
	const holder = livingIdentity(path);
	return holder === undefined ? undefined : pidOf(holder);
}

/** Throws if a directory, a link or a device has the lock's name: it would never be released. */
function refuseForeign(path: string): void {
	let isFile: boolean;
	try {
		isFile = lstatSync(path).isFile();
	} catch {
		// Released meanwhile.
		return;
	}
	if (!isFile) throw new LspError("LSP_DAEMON_REFUSED", `${path} cannot be used: it is not a plain file.`, { path });
}
