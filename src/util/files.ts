import { type BigIntStats, promises, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isTemporaryName } from "./paths.ts";

// Local files are read synchronously: the thread pool is ten times slower, and a check makes dozens of stats. Remote
// file systems may block. "node:fs/promises" would load at the import, in 2 ms.

/** Follows links. */
export async function statOf(path: string): Promise<BigIntStats | undefined> {
	return isRemote(path) ? promises.stat(path, { bigint: true }).catch(() => undefined) : localStats(path);
}

function localStats(path: string): BigIntStats | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

export interface Disk {
	stats(path: string): Promise<BigIntStats | undefined>;
	real(path: string): Promise<string | undefined>;
	containsAny(directory: string, names: readonly string[]): Promise<boolean>;
}

export const plainDisk: Disk = {
	stats: statOf,
	real: realPathOf,
	async containsAny(directory, names) {
		const found = await Promise.all(names.map((name) => statOf(join(directory, name))));
		return found.some((info) => info !== undefined);
	},
};

/** Size, times in nanoseconds, inode. */
export async function stampOf(path: string): Promise<string | undefined> {
	const info = await statOf(path);
	return info && stampOfStats(info);
}

export function stampOfStats({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
	return `${size}:${mtimeNs}:${ctimeNs}:${ino}`;
}

/** File systems' clocks tick every few milliseconds: a younger file may change within a tick. */
const settledMs = 50;

export function isSettled({ ctimeMs }: BigIntStats): boolean {
	return Date.now() - Number(ctimeMs) > settledMs;
}

/** For a remote file it equals no stamp. */
export function stampNow(path: string): string | undefined {
	if (isRemote(path)) return "unknown";
	const info = localStats(path);
	return info && stampOfStats(info);
}

export async function namesIn(directory: string): Promise<string[] | undefined> {
	return isRemote(directory) ? promises.readdir(directory).catch(() => undefined) : localNames(directory);
}

function localNames(directory: string): string[] | undefined {
	try {
		return readdirSync(directory);
	} catch {
		return undefined;
	}
}

export interface Listing {
	/** Without those of a change that is being written. */
	readonly names: ReadonlySet<string>;
	/** Undefined for a directory that is missing or young. */
	readonly stamp: string | undefined;
}

/** `info` is read before `names`. */
export function listingOf(info: BigIntStats | undefined, names: readonly string[] = []): Listing {
	const stamp = info && isSettled(info) ? stampOfStats(info) : undefined;
	return { names: new Set(names.filter((name) => !isTemporaryName(name))), stamp };
}

/** Undefined for a remote directory. */
export function listingNow(directory: string): Listing | undefined {
	if (isRemote(directory)) return undefined;
	const info = localStats(directory);
	return listingOf(info, info && localNames(directory));
}

export async function realPathOf(path: string): Promise<string | undefined> {
	return isRemote(path) ? promises.realpath(path).catch(() => undefined) : localRealPath(path);
}

export function localRealPath(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}

const remoteTypes = /^(nfs|nfs4|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|beegfs|davfs|autofs|fuse(?!ctl).*)$/;
const mountsAgeMs = 30_000;
let mounts: { readonly at: number; readonly remote: readonly string[] } | undefined;

/** By the kernel's mounts; outside Linux any path may block. */
export function isRemote(path: string): boolean {
	if (process.platform !== "linux") return true;
	if (!mounts || Date.now() - mounts.at > mountsAgeMs) mounts = { at: Date.now(), remote: remoteMounts() };
	return mounts.remote.some((mount) => path === mount || path.startsWith(mount === "/" ? mount : `${mount}/`));
}

/** With local ones below. */
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
