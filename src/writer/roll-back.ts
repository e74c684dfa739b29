import { rm } from "node:fs/promises";
import { TimeSlices } from "../util/time-slices.ts";
import type { WritingDisk } from "./disk.ts";
import { hashOfBytes, type Record, type RecordedFile, readContents, temporaryPaths } from "./record.ts";

type BytesOf = Awaited<ReturnType<typeof readContents>>;

/**
 * Repeatable: goes by what is on disk. Resolves with files that another program changed meanwhile, which stay. Rejects
 * if something could not be restored; then the record stays.
 */
export async function rollBack(record: Record, disk: WritingDisk): Promise<readonly string[]> {
	const foreign: string[] = [];
	for (const directory of record.emptied.toReversed())
		if (!(await disk.stats(directory))) await disk.makeDirectory(directory);
	const bytesOf = await readContents(record, disk);
	// Before the last move, no file has been touched.
	const files = (await isMoved(record, disk)) ? [...record.files.entries()] : [];
	const slices = new TimeSlices();
	for (const [index, file] of files.reverse()) {
		if (slices.isOver) await slices.next();
		if (!(await restore(record, file, { index, bytesOf, disk }))) foreign.push(file.path);
	}
	for (const { from, to } of record.moves.toReversed()) {
		const [there, back] = [await disk.stats(to), await disk.stats(from)];
		// A case-insensitive file system finds one file by both names.
		if (there && (!back || back.ino === there.ino)) await disk.rename(to, from);
	}
	for (const directory of record.made.toReversed()) await disk.removeDirectory(directory).catch(() => {});
	await removeRecord(record.directory);
	return foreign;
}

async function isMoved({ moves }: Record, disk: WritingDisk): Promise<boolean> {
	const last = moves.at(-1);
	if (!last) return true;
	const [there, back] = [await disk.stats(last.to), await disk.stats(last.from)];
	return there !== undefined && (!back || back.ino === there.ino);
}

interface Restoring {
	readonly index: number;
	readonly bytesOf: BytesOf;
	readonly disk: WritingDisk;
}

/** One written in place is restored even if it is neither the old nor the new file. */
async function restore(record: Record, file: RecordedFile, { index, bytesOf, disk }: Restoring): Promise<boolean> {
	const { path, before, after, inPlace } = file;
	const { fresh, old } = temporaryPaths(record, file, index);
	const now = await disk.read(path);
	const hash = now && hashOfBytes(now);
	let isOurs = true;
	if (hash !== before?.hash) {
		if (inPlace && before) await disk.overwrite(path, bytesOf(before));
		else if (hash !== after?.hash) isOurs = false;
		else if (!before) await disk.remove(path);
		// The old file itself needs no room on a full disk, and keeps what no copy has.
		else if (await disk.stats(old)) await disk.rename(old, path);
		else {
			await disk.remove(fresh);
			await disk.create(fresh, bytesOf(before), file);
			await disk.rename(fresh, path);
		}
	}
	await disk.remove(fresh);
	// rename(2) between two names of one file leaves both.
	await disk.remove(old);
	return isOurs;
}

export async function removeRecord(directory: string): Promise<void> {
	await rm(directory, { recursive: true, force: true });
}
