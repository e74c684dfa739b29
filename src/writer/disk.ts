import { type BigIntStats, constants } from "node:fs";
import { link, lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises";

/** Tests let any call fail, or end the process before it. */
export interface WritingDisk {
	/** Undefined if missing. Throws for anything but a regular file. */
	read(path: string): Promise<Buffer | undefined>;
	/** Does not follow links. */
	stats(path: string): Promise<BigIntStats | undefined>;
	/** Writes to the medium. The file must not exist. */
	create(path: string, bytes: Uint8Array, like: FileAttributes): Promise<void>;
	/** Writes to the medium, over an existing file. */
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

export const realDisk: WritingDisk = {
	async read(path) {
		const handle = await open(path, O_RDONLY | careful).catch(missing);
		if (!handle) return undefined;
		try {
			if (!(await handle.stat()).isFile()) throw new Error(`${path} is no regular file`);
			return await handle.readFile();
		} finally {
			await handle.close();
		}
	},
	stats: (path) => lstat(path, { bigint: true }).catch(missing),
	async create(path, bytes, { mode, owner }) {
		const handle = await open(path, "wx", mode);
		try {
			await handle.writeFile(bytes);
			if (owner) await handle.chown(owner.uid, owner.gid);
			// The umask and a change of owner take bits away.
			await handle.chmod(mode);
			await handle.sync();
		} finally {
			await handle.close();
		}
	},
	async overwrite(path, bytes) {
		const handle = await open(path, O_WRONLY | careful);
		try {
			for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
			// Last: on a full disk the old blocks can still take the old text.
			await handle.truncate(bytes.length);
			await handle.sync();
		} finally {
			await handle.close();
		}
	},
	link,
	rename,
	remove: (path) => unlink(path).catch(missing),
	makeDirectory: async (path) => {
		await mkdir(path, { mode: 0o777 });
	},
	removeDirectory: rmdir,
	async syncDirectory(path) {
		// Windows opens no directories.
		const handle = await open(path, O_RDONLY).catch(() => undefined);
		await handle?.sync().catch(() => {});
		await handle?.close();
	},
};

function missing(error: NodeJS.ErrnoException): undefined {
	if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
	throw error;
}
