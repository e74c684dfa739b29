import { dirname, join } from "node:path";
import { attempt } from "../util/attempt.ts";
import { hashOf } from "../util/hash.ts";
import { temporaryNames } from "../util/paths.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change, FileChange, Move } from "./change.ts";
import type { WritingDisk } from "./disk.ts";
import { inParts } from "./in-parts.ts";

/**
 * The writer, the next start and `undo` take a change back by it. It is complete on the medium before the first file is
 * touched.
 * - `contents`: the bytes of all files before and after.
 * - `journal.json`: what is done, in order; without a whole one nothing has been done.
 * - `committed`: without it, the change is taken back. `done`: nothing is left next to the files.
 */
export interface Record {
	/** `u7`. */
	readonly name: string;
	readonly directory: string;
	readonly title: string;
	readonly root: string;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly plan: string;
	readonly moves: readonly Move[];
	readonly files: readonly RecordedFile[];
	readonly emptied: readonly string[];
	readonly undoes?: string;
	/** Outermost first. */
	readonly made: readonly string[];
}

export interface RecordedFile {
	readonly path: string;
	readonly mode: number;
	readonly owner?: { readonly uid: number; readonly gid: number };
	readonly before?: Stored;
	readonly after?: Stored;
	/** For a file with several names or another owner, which a new file would lose. */
	readonly inPlace: boolean;
}

interface Stored {
	readonly offset: number;
	readonly length: number;
	readonly hash: string;
}

type Draft = Omit<Record, "files"> & {
	readonly files: readonly (Omit<RecordedFile, "before" | "after"> & Pick<FileChange, "before" | "after">)[];
};

const privateFile = { mode: 0o600 };
const hashLength = 64;

export function hashOfBytes(bytes: Uint8Array): string {
	return hashOf(bytes, hashLength);
}

export async function writeRecord(draft: Draft, disk: WritingDisk): Promise<Record> {
	const parts: Buffer[] = [];
	let offset = 0;
	const store = (bytes: Buffer | undefined): Stored | undefined => {
		if (!bytes) return undefined;
		const stored = { offset, length: bytes.length, hash: hashOfBytes(bytes) };
		parts.push(bytes);
		offset += bytes.length;
		return stored;
	};
	const files: RecordedFile[] = [];
	const slices = new TimeSlices();
	for (const { before, after, ...rest } of draft.files) {
		if (slices.isOver) await slices.next();
		const [old, next] = [store(before), store(after)];
		files.push({ ...rest, ...(old ? { before: old } : {}), ...(next ? { after: next } : {}) });
	}
	const record = { ...draft, files };
	const { directory: _, ...journal } = record;
	const both = [
		["contents", Buffer.concat(parts)],
		["journal.json", Buffer.from(JSON.stringify(journal))],
	] as const;
	await inParts(both, ([name, bytes]) => disk.create(join(draft.directory, name), bytes, privateFile));
	// The directory's own name stands in the one above.
	await inParts([draft.directory, dirname(draft.directory)], (directory) => disk.syncDirectory(directory));
	return record;
}

/** Undefined without a complete journal. */
export async function readRecord(directory: string, disk: WritingDisk): Promise<Record | undefined> {
	const bytes = await disk.read(join(directory, "journal.json"));
	if (!bytes) return undefined;
	return attempt(() => ({ ...(JSON.parse(bytes.toString("utf8")) as Omit<Record, "directory">), directory }));
}

/** The result throws without whole contents: a journal may reach the disk first. */
export async function readContents({ directory }: Record, disk: WritingDisk): Promise<(stored: Stored) => Buffer> {
	const bytes = await disk.read(join(directory, "contents"));
	return ({ offset, length }) => {
		if (!bytes || bytes.length < offset + length) throw new Error(`${directory} has no whole contents`);
		return bytes.subarray(offset, offset + length);
	};
}

export async function changeOf(record: Record, disk: WritingDisk): Promise<Change> {
	const bytesOf = await readContents(record, disk);
	const { title, root, moves, emptied } = record;
	const files = record.files.map(({ path, mode, before, after }) => ({
		path,
		mode,
		before: before && bytesOf(before),
		after: after && bytesOf(after),
	}));
	return { title, root, moves, emptied, files };
}

/** `fresh` is next to a file until it takes the name, `old` until the change is complete. */
export function temporaryPaths({ name }: Pick<Record, "name">, { path }: Pick<RecordedFile, "path">, index: number) {
	const { fresh, old } = temporaryNames(name, index);
	return { fresh: join(dirname(path), fresh), old: join(dirname(path), old) };
}
