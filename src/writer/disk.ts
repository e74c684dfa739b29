import fs, { type BigIntStats, constants } from "node:fs";
import { promisify } from "node:util";
import { isRemote } from "../util/files.ts";

/** Tests let any call fail, or end the process before it. */
export interface WritingDisk {
	/** Undefined if missing. Throws for anything but a regular file. */
	read(path: string): Promise<Buffer | undefined>;
	/** Does not follow links. */
	stats(path: string): Promise<BigIntStats | undefined>;
	/** To the medium. The file must not exist. */
	create(path: string, bytes: Uint8Array, like: FileAttributes): Promise<void>;
	/** To the medium, over an existing file. */
	overwrite(path: string, bytes: Uint8Array): Promise<void>;
	link(from: string, to: string): Promise<void>;
	rename(from: string, to: string): Promise<void>;
	remove(path: string): Promise<void>;
	makeDirectory(path: string): Promise<void>;
	removeDirectory(path: string): Promise<void>;
	syncDirectory(path: string): Promise<void>;
}

export interface FileAttributes {
	readonly mode: number;
	/** Undefined for the user's own. */
	readonly owner?: { readonly uid: number; readonly gid: number };
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
// Windows has neither.
const careful = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** These wait for the medium (fsync), free blocks (unlink), or are of remote files. */
const pooled = {
	open: promisify(fs.open),
	close: promisify(fs.close),
	fstat: promisify(fs.fstat),
	lstat: promisify(fs.lstat),
	readFile: promisify(fs.readFile),
	writeFile: promisify(fs.writeFile),
	ftruncate: promisify(fs.ftruncate),
	fchown: promisify(fs.fchown),
	fchmod: promisify(fs.fchmod),
	fsync: promisify(fs.fsync),
	link: promisify(fs.link),
	rename: promisify(fs.rename),
	unlink: promisify(fs.unlink),
	mkdir: promisify(fs.mkdir),
	rmdir: promisify(fs.rmdir),
};

/** The thread pool takes ten times as long to make 20 files. */
const immediate: Pick<typeof pooled, "open" | "close" | "writeFile" | "link" | "rename"> = {
	open: async (...call) => fs.openSync(...call),
	close: async (...call) => fs.closeSync(...call),
	writeFile: async (...call) => fs.writeFileSync(...call),
	link: async (...call) => fs.linkSync(...call),
	rename: async (...call) => fs.renameSync(...call),
};

function callsFor(path: string): typeof immediate {
	return isRemote(path) ? pooled : immediate;
}

export const realDisk: WritingDisk = {
	read: async (path) => (isRemote(path) ? readPooled(path) : readAtOnce(path)),
	async stats(path) {
		try {
			return isRemote(path) ? await pooled.lstat(path, { bigint: true }) : fs.lstatSync(path, { bigint: true });
		} catch (error) {
			return missing(error as NodeJS.ErrnoException);
		}
	},
	create: (path, bytes, like) =>
		opened(path, { flags: "wx", mode: like.mode }, async (descriptor) => {
			await callsFor(path).writeFile(descriptor, bytes);
			await makeLike(descriptor, like);
			await pooled.fsync(descriptor);
		}),
	overwrite: (path, bytes) =>
		opened(path, { flags: O_WRONLY | careful }, async (descriptor) => {
			await callsFor(path).writeFile(descriptor, bytes);
			// Last: on a full disk the old blocks can still take the old text.
			await pooled.ftruncate(descriptor, bytes.length);
			await pooled.fsync(descriptor);
		}),
	link: (from, to) => callsFor(to).link(from, to),
	rename: (from, to) => callsFor(to).rename(from, to),
	remove: (path) => pooled.unlink(path).catch(missing),
	async makeDirectory(path) {
		await pooled.mkdir(path, 0o777);
	},
	removeDirectory: pooled.rmdir,
	syncDirectory: (path) => opened(path, { flags: O_RDONLY }, pooled.fsync).catch(() => {}),
};

async function opened(
	path: string,
	{ flags, mode }: { readonly flags: string | number; readonly mode?: number },
	work: (descriptor: number) => Promise<void>,
): Promise<void> {
	const { open, close } = callsFor(path);
	const descriptor = await open(path, flags, mode);
	try {
		await work(descriptor);
	} catch (error) {
		// Node names no path in the errors of a descriptor.
		throw Object.assign(error as NodeJS.ErrnoException, { path });
	} finally {
		await close(descriptor);
	}
}

/** The umask and a change of owner take bits away. */
async function makeLike(descriptor: number, { mode, owner }: FileAttributes): Promise<void> {
	const made = fs.fstatSync(descriptor);
	const isOwn = !owner || (owner.uid === made.uid && owner.gid === made.gid);
	if (!isOwn) await pooled.fchown(descriptor, owner.uid, owner.gid);
	if (!isOwn || (made.mode & 0o7777) !== mode) await pooled.fchmod(descriptor, mode);
}

const reading = O_RDONLY | careful;

function readAtOnce(path: string): Buffer | undefined {
	let descriptor: number;
	try {
		descriptor = fs.openSync(path, reading);
	} catch (error) {
		return missing(error as NodeJS.ErrnoException);
	}
	try {
		if (!fs.fstatSync(descriptor).isFile()) throw irregular(path);
		return fs.readFileSync(descriptor);
	} finally {
		fs.closeSync(descriptor);
	}
}

async function readPooled(path: string): Promise<Buffer | undefined> {
	const descriptor = await pooled.open(path, reading).catch(missing);
	if (descriptor === undefined) return undefined;
	try {
		if (!(await pooled.fstat(descriptor)).isFile()) throw irregular(path);
		return await pooled.readFile(descriptor);
	} finally {
		await pooled.close(descriptor);
	}
}

function irregular(path: string): Error {
	return new Error(`${path} is no regular file`);
}

function missing(error: NodeJS.ErrnoException): undefined {
	if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
	throw error;
}
