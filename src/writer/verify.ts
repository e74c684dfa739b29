import type { BigIntStats } from "node:fs";
import { LspError } from "../contract/errors.ts";
import { originOf } from "../planning/origin.ts";
import type { Change, FileChange, Move } from "./change.ts";
import type { FileAttributes, WritingDisk } from "./disk.ts";
import { inParts } from "./in-parts.ts";

export interface Target {
	/** Undefined for a missing file. */
	readonly stamp?: string;
	readonly attributes?: FileAttributes;
	readonly inPlace?: boolean;
}

/** Rejects with LSP_FILE_CHANGED or LSP_EDIT_REFUSED. */
export async function verifyTargets({ moves, files }: Change, disk: WritingDisk): Promise<Target[]> {
	for (const [index, move] of moves.entries()) await verifyMove(move, moves.slice(0, index), disk);
	return inParts(files, (file) => verifyFile(file, moves, disk));
}

async function verifyMove({ from, to }: Move, earlier: readonly Move[], disk: WritingDisk): Promise<void> {
	const [source, target] = [await disk.stats(originOf(from, earlier)), await disk.stats(to)];
	if (!source) throw changed(from, "is no longer there");
	// As in `roll-back.ts`.
	if (target && (target.ino !== source.ino || target.dev !== source.dev)) throw changed(to, "is there now");
}

async function verifyFile({ path, before }: FileChange, moves: readonly Move[], disk: WritingDisk): Promise<Target> {
	const origin = originOf(path, moves);
	const info = await disk.stats(origin);
	if (!before) {
		if (info) throw changed(path, "is there now");
		return {};
	}
	if (!info) throw changed(path, "is no longer there");
	if (!info.isFile()) throw changed(path, "is no regular file any more");
	const bytes = await disk.read(origin);
	if (!bytes?.equals(before)) throw changed(path, "has other content now");
	const own = process.getuid?.();
	const owner = { uid: Number(info.uid), gid: Number(info.gid) };
	// Only the superuser can give files away.
	const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
	const isForeign = own !== undefined && own !== 0 && (own !== owner.uid || !groups.includes(owner.gid));
	const mode = Number(info.mode & 0o7777n);
	if ((mode & 0o222) === 0) throw new LspError("LSP_EDIT_REFUSED", `${path} is read-only.`, { file_path: path });
	const attributes = { mode, ...(own === undefined ? {} : { owner }) };
	return { stamp: stampOf(info), attributes, inPlace: info.nlink > 1n || isForeign };
}

export async function requireUnchanged(path: string, { stamp }: Target, disk: WritingDisk): Promise<void> {
	const info = await disk.stats(path);
	if ((info && stampOf(info)) !== stamp) throw changed(path, "has just been changed");
}

/** Without the inode's change time, which a move sets. */
function stampOf({ size, mtimeNs, ino }: BigIntStats): string {
	return `${size}:${mtimeNs}:${ino}`;
}

function changed(path: string, what: string): LspError {
	return new LspError("LSP_FILE_CHANGED", `${path} ${what}. Nothing was written.`, { file_path: path });
}
