import { type Dirent, lstatSync, readdirSync, type Stats, watch } from "node:fs";

/** Milliseconds by which a file's time may lag behind the clock: the kernel stamps files with its last tick. */
export const tickMs = 50;

/**
 * What is watched of a directory. `code`: all of it. `packages`: `node_modules` or an `@scope` in one, whose entries
 * are packages and are not entered. `fringe`: ignored and without code, so only what newly appears in it counts.
 */
export type FolderKind = "code" | "packages" | "fringe";

/** A directory that is known: its names, to tell created from changed, and its watch. */
export interface Folder {
	readonly path: string;
	readonly name: string;
	readonly parent: Folder | undefined;
	kind: FolderKind;
	/** Names of files (in `packages` also of packages), each with its stamp; 0 where nothing is known of its times. */
	readonly files: Map<string, number>;
	readonly folders: Map<string, Folder>;
	/** Names that have to be looked at and stand in the queue. */
	readonly queued: Set<string>;
	/** What tells this directory from a later one of the same name; empty before it was first read. */
	identity: string;
	unwatch: (() => void) | undefined;
	gone: boolean;
}

export function newFolder(parent: Folder | undefined, path: string, name: string, kind: FolderKind): Folder {
	return {
		path,
		name,
		parent,
		kind,
		files: new Map(),
		folders: new Map(),
		queued: new Set(),
		identity: "",
		unwatch: undefined,
		gone: false,
	};
}

/**
 * A watcher of single directories: what has to be written to put another one behind the tree. Watches the entries of a
 * directory and reports the name of each that something happened to, or undefined if that is not known. Throws, or
 * calls `failed` later, with an errno error. Returns the function that ends it, and keeps no process alive.
 */
export type DirectoryWatcher = (
	path: string,
	happened: (name: string | undefined) => void,
	failed: (error: Error) => void,
) => () => void;

/** One `fs.watch` for a directory; where the platform has a cheap recursive watch, one for the whole tree. */
export const nodeWatcher: DirectoryWatcher = (path, happened, failed) => {
	const options = { persistent: false, recursive: watchesWholeTree };
	const watcher = watch(path, options, (_, name) => happened(name ?? undefined));
	watcher.on("error", failed);
	return () => watcher.close();
};

/** True where one recursive watch at the root does for all directories. Node's own on Linux watches every file. */
export const watchesWholeTree: boolean = process.platform === "darwin" || process.platform === "win32";

export function statOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** Inode numbers are used again at once (ext4), times of birth are not. */
export function identityOf(info: Stats): string {
	return `${info.ino} ${info.birthtimeMs}`;
}

/**
 * A file's stamp: its ctime, which every write and every rename moves and nobody can set back. 0 while it is so young
 * that another write could still get the same time.
 */
export function stampOf(info: Stats): number {
	return info.ctimeMs > Date.now() - tickMs ? 0 : info.ctimeMs;
}

/** The entries of a directory, or the error that came instead. */
export function entriesOf(directory: string): Dirent[] | NodeJS.ErrnoException {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch (error) {
		return error as NodeJS.ErrnoException;
	}
}

/** What could be read, for whom an error is as good as nothing. */
export function listed(entries: Dirent[] | NodeJS.ErrnoException): Dirent[] {
	return Array.isArray(entries) ? entries : [];
}
