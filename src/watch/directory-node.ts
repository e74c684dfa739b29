import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { relative, sep } from "node:path";
import { isInside } from "../util/paths.ts";

/** Milliseconds by which a file's time may lag behind the clock: the kernel stamps files with its last tick. */
export const tickMs = 50;

/**
 * What is watched of a directory. `code`: all of it. `packages`: `node_modules` or an `@scope` in it, whose packages are
 * not entered. `ignored`: ignored by git and without code, so only what newly appears in it counts.
 */
export type DirectoryKind = "code" | "packages" | "ignored";

/** A known directory of a watched tree. */
export interface DirectoryNode {
	readonly path: string;
	readonly name: string;
	readonly parent: DirectoryNode | undefined;
	kind: DirectoryKind;
	/** Names of files (in `packages` also of packages), each with its stamp; 0 where its times are not known. */
	readonly files: Map<string, number>;
	readonly directories: Map<string, DirectoryNode>;
	/** Names with an event that is not processed yet. */
	readonly pending: Set<string>;
	/** Differs from that of a later directory with the same name; empty before the first reading. */
	identity: string;
	unwatch: (() => void) | undefined;
	gone: boolean;
}

export function newDirectory(
	parent: DirectoryNode | undefined,
	path: string,
	name: string,
	kind: DirectoryKind,
): DirectoryNode {
	return {
		path,
		name,
		parent,
		kind,
		files: new Map(),
		directories: new Map(),
		pending: new Set(),
		identity: "",
		unwatch: undefined,
		gone: false,
	};
}

/** The known directory with a path. */
export function findDirectory(top: DirectoryNode, path: string): DirectoryNode | undefined {
	if (!isInside(path, top.path)) return undefined;
	let node: DirectoryNode | undefined = top;
	for (const name of relative(top.path, path).split(sep)) if (name) node = node?.directories.get(name);
	return node;
}

/** The deepest known directory on a relative path, and the name in it that the path goes on with. */
export function deepestKnown(top: DirectoryNode, path: string): [DirectoryNode, string] {
	let node = top;
	for (const part of path.split(sep)) {
		const next = node.directories.get(part);
		if (!next) return [node, part];
		node = next;
	}
	return [node.parent ?? top, node.name];
}

export function countFiles(directory: DirectoryNode): number {
	return [...directory.directories.values()].reduce((sum, below) => sum + countFiles(below), directory.files.size);
}

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
 * A file's ctime, which every write and rename moves and no call sets back. 0 while another write could still get the
 * same time.
 */
export function stampOf(info: Stats): number {
	return info.ctimeMs > Date.now() - tickMs ? 0 : info.ctimeMs;
}

export function isFile(entry: Dirent | Stats): boolean {
	return entry.isFile() || entry.isSymbolicLink();
}

/** The entries of a directory, or the error that came instead. */
export function entriesOf(directory: string): Dirent[] | NodeJS.ErrnoException {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch (error) {
		return error as NodeJS.ErrnoException;
	}
}

/** The entries of a directory; none where it cannot be read. */
export function readableEntries(directory: string): Dirent[] {
	const entries = entriesOf(directory);
	return Array.isArray(entries) ? entries : [];
}
