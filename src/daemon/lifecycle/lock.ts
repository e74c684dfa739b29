import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { LspError } from "../../contract/errors.ts";
import { identityOf, isAlive, pidOf } from "../../process/process-identity.ts";
import { pause } from "../../util/abort.ts";
import { readOwnFile } from "./own-file.ts";

/**
 * A lock is free once its holder, named by process id and start time, has died. Node 20 has no flock, and heartbeats
 * would take a stopped process for dead.
 * 1. Take: link(2) a complete file to the lock's name; it fails if the name exists.
 * 2. Break: under the lock `<name>~`, remove a file that still names a dead holder.
 */
export interface HeldLock {
	release(): Promise<void>;
	isOurs(): boolean;
}

export async function tryLock(path: string): Promise<HeldLock | undefined> {
	const mine = identityOf(process.pid);
	const draft = `${path}.${process.pid}.${randomUUID()}`;
	try {
		writeDraft(draft, mine);
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

export async function waitForLock(path: string, signal: AbortSignal): Promise<HeldLock> {
	for (;;) {
		const lock = await tryLock(path);
		if (lock) return lock;
		await pause(25, signal);
	}
}

export function livingIdentity(path: string): string | undefined {
	const holder = readOwnFile(path);
	return holder !== undefined && isAlive(holder) ? holder : undefined;
}

export function livingHolder(path: string): number | undefined {
	const holder = livingIdentity(path);
	return holder === undefined ? undefined : pidOf(holder);
}

function writeDraft(path: string, text: string): void {
	try {
		// Node's thread pool takes milliseconds to start.
		writeFileSync(path, text, { mode: 0o600 });
	} catch (error) {
		// On a full disk Node's error names no path.
		throw Object.assign(error as NodeJS.ErrnoException, { path });
	}
}

/** Anything but a file would never be released. */
function refuseForeign(path: string): void {
	let isFile: boolean;
	try {
		isFile = lstatSync(path).isFile();
	} catch {
		return;
	}
	if (!isFile) throw new LspError("LSP_DAEMON_REFUSED", `${path} cannot be used: it is not a plain file.`, { path });
}
