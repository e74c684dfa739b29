import { type BigIntStats, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * The few questions about files that every check asks, some sixty times. On a local file system they are asked
 * synchronously: a stat takes 5 microseconds, and 70 through the thread pool, which made a check of 5 ms take 11. A file
 * system behind a network may hang for ever and must not hold up the daemon's other callers: there the thread pool waits.
 */

/** A file's or directory's stats with links followed, or undefined if there is nothing that can be looked at. */
export async function statOf(path: string): Promise<BigIntStats | undefined> {
	return isRemote(path) ? stat(path, { bigint: true }).catch(() => undefined) : localStats(path);
}

function localStats(path: string): BigIntStats | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** How somebody looks at the disk: as it is, or keeping what was looked at. */
export interface Disk {
	/** See `statOf`. */
	stats(path: string): Promise<BigIntStats | undefined>;
	/** See `realPathOf`. */
	real(path: string): Promise<string | undefined>;
	/** True if a directory holds one of the names. */
	holdsAny(directory: string, names: readonly string[]): Promise<boolean>;
}

export const plainDisk: Disk = {
	stats: statOf,
	real: realPathOf,
	async holdsAny(directory, names) {
		const found = await Promise.all(names.map((name) => statOf(join(directory, name))));
		return found.some((info) => info !== undefined);
	},
};

/** What a file looks like from outside: size, times to the nanosecond, inode. Undefined if it is not there. */
export async function stampOf(path: string): Promise<string | undefined> {
	const info = await statOf(path);
	return info && stampOfStats(info);
}

/** The same of stats that are there already. */
export function stampOfStats({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
	return `${size}:${mtimeNs}:${ctimeNs}:${ino}`;
}

/** A file system's clock may tick every few milliseconds: what is younger could change again within the same tick. */
const settledMs = 50;

/** True if another change would have other times. */
export function isSettled({ ctimeMs }: BigIntStats): boolean {
	return Date.now() - Number(ctimeMs) > settledMs;
}

/**
 * The stamp of something that was looked at before, without a promise, which costs as much as the look itself. On a file
 * system that may hang nothing is looked at so, and the answer is one that no stamp is equal to.
 */
export function stampNow(path: string): string | undefined {
	if (isRemote(path)) return "unknown";
	const info = localStats(path);
	return info && stampOfStats(info);
}

/** The same of `realPathOf`. */
export function realPathNow(path: string): string | undefined {
	return isRemote(path) ? "unknown" : localRealPath(path);
}

/** The names in a directory, or undefined if it cannot be read. */
export async function namesIn(directory: string): Promise<string[] | undefined> {
	if (isRemote(directory)) return readdir(directory).catch(() => undefined);
	try {
		return readdirSync(directory);
	} catch {
		return undefined;
	}
}

/** A path with links followed, or undefined if it does not exist. */
export async function realPathOf(path: string): Promise<string | undefined> {
	return isRemote(path) ? realpath(path).catch(() => undefined) : localRealPath(path);
}

function localRealPath(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}

const remoteTypes = /^(nfs|nfs4|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|beegfs|davfs|autofs|fuse(?!ctl).*)$/;
const mountsAgeMs = 30_000;
let mounts: { readonly at: number; readonly remote: readonly string[] } | undefined;

/**
 * True for a path on a file system that may hang, and everywhere that does not say. Decided by the kernel's table of
 * mounts, which is read without touching any of them.
 */
export function isRemote(path: string): boolean {
	if (process.platform !== "linux") return true;
	if (!mounts || Date.now() - mounts.at > mountsAgeMs) mounts = { at: Date.now(), remote: remoteMounts() };
	return mounts.remote.some((mount) => path === mount || path.startsWith(mount === "/" ? mount : `${mount}/`));
}

/** Mount points of the remote kind. A local file system mounted inside a remote one counts as remote: that is safe. */
function remoteMounts(): string[] {
	try {
		return readFileSync("/proc/self/mounts", "utf8")
			.split("\n")
			.map((line) => line.split(" "))
			.filter(([, , type = ""]) => remoteTypes.test(type))
			.map(([, point = ""]) =>
				point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
			);
	} catch {
		return ["/"];
	}
}
