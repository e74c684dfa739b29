import {
	closeSync,
	constants,
	fstatSync,
	linkSync,
	lstatSync,
	openSync,
	readFileSync,
	rmSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { LspError } from "../../contract/errors.ts";
import { identityOf, isAlive, pidOf } from "../../process/process-identity.ts";
import { pause } from "../../util/abort.ts";

/**
 * A lock file that a dead holder releases.
 *
 * Node 20 has neither flock nor node:sqlite, and a lock of age or heartbeats takes a stopped process (SIGSTOP, a laptop
 * asleep) for a dead one. So the file names its holder by process id *and* start time, which together are never given
 * twice, and only a holder that is gone may be removed.
 *
 * 1. Take: a private file is linked to the lock's name; link(2) fails if the name exists, and the content is whole.
 * 2. Wait: while the holder lives, however long it sleeps.
 * 3. Break: a dead holder's file may be removed only under the lock `<name>~`, after reading it once more. Whoever is
 *    late finds another holder there and removes nothing. A breaker that dies leaves a `~` file, broken in the same way.
 */
export interface HeldLock {
	release(): Promise<void>;
	/** True while the file still names us; somebody may have removed the directory. */
	isOurs(): boolean;
}

/** Takes the lock, or returns undefined at once if a living process holds it. */
export async function tryLock(path: string): Promise<HeldLock | undefined> {
	const mine = identityOf(process.pid);
	const draft = `${path}.${process.pid}.${++drafts}`;
	// Synchronous: a few microseconds in a private directory, where the first use of the thread pool takes 3 ms of a start.
	writeFileSync(draft, mine, { mode: 0o600 });
	try {
		for (;;) {
			try {
				linkSync(draft, path);
				return {
					release: async () => {
						if (holderOf(path) === mine) removeFile(path);
					},
					isOurs: () => holderOf(path) === mine,
				};
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
			}
			const holder = holderOf(path);
			if (holder === undefined) {
				refuseForeign(path);
				continue;
			}
			if (isAlive(holder)) return undefined;
			const breaking = await tryLock(`${path}~`);
			if (!breaking) return undefined;
			try {
				if (holderOf(path) === holder) rmSync(path, { force: true });
			} finally {
				await breaking.release();
			}
		}
	} finally {
		rmSync(draft, { force: true });
	}
}

/** Takes the lock, asking every 25 ms until the signal ends; rejects then with the signal's reason. */
export async function waitForLock(path: string, signal: AbortSignal): Promise<HeldLock> {
	for (;;) {
		const lock = await tryLock(path);
		if (lock) return lock;
		await pause(25, signal);
	}
}

/** The identity of the living process that holds a lock, if any. */
export function livingIdentity(path: string): string | undefined {
	const holder = holderOf(path);
	return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** The same by its process id. */
export function livingHolder(path: string): number | undefined {
	const holder = livingIdentity(path);
	return holder === undefined ? undefined : pidOf(holder);
}

/** Somebody put something else in a lock's place: it will never go away by itself. */
function refuseForeign(path: string): void {
	let isFile: boolean;
	try {
		isFile = lstatSync(path).isFile();
	} catch {
		// Released in this very moment.
		return;
	}
	if (!isFile) throw new LspError("LSP_DAEMON_REFUSED", `${path} cannot be used: it is not a plain file.`, { path });
}

function removeFile(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// The directory went away before us.
	}
}

let drafts = 0;

/** What a lock's file says of its holder; nothing if it is no plain file, and a FIFO is not waited for. */
function holderOf(path: string): string | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		return fstatSync(descriptor).isFile() ? readFileSync(descriptor, "utf8") : undefined;
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
