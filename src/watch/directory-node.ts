import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { relative, sep } from "node:path";
import { isInside } from "../util/paths.ts";

/** File times may lag so much behind the clock. */
export const tickMs = 50;

/**
 * `packages`: `node_modules` or an `@scope` in it; packages are not entered. `ignored`: by git, without code; only new
 * code counts.
 */
export type DirectoryKind = "code" | "packages" | "ignored";

export interface DirectoryNode {
	readonly path: string;
	readonly name: string;
	readonly parent: DirectoryNode | undefined;
	kind: DirectoryKind;
	/** Stamps, 0 if unknown. */
	readonly files: Map<string, number>;
	readonly directories: Map<string, DirectoryNode>;
	readonly pending: Set<string>;
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

export function findDirectory(top: DirectoryNode, path: string): DirectoryNode | undefined {
	if (!isInside(path, top.path)) return undefined;
	let node: DirectoryNode | undefined = top;
	for (const name of relative(top.path, path).split(sep)) if (name) node = node?.directories.get(name);
	return node;
}

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

/** ext4 reuses inode numbers at once. */
export function identityOf(info: Stats): string {
	return `${info.ino} ${info.birthtimeMs}`;
}

/** ctime, which no call sets back; 0 while another write could get the same. */
export function stampOf(info: Stats): number {
	return info.ctimeMs > Date.now() - tickMs ? 0 : info.ctimeMs;
}

export function isFile(entry: Dirent | Stats): boolean {
	return entry.isFile() || entry.isSymbolicLink();
}

export function entriesOf(directory: string): Dirent[] | NodeJS.ErrnoException {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch (error) {
		return error as NodeJS.ErrnoException;
	}
}

export function readableEntries(directory: string): Dirent[] {
	const entries = entriesOf(directory);
	return Array.isArray(entries) ? entries : [];
}
