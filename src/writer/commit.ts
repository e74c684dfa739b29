import { dirname, join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change } from "./change.ts";
import type { FileAttributes, WritingDisk } from "./disk.ts";
import { inParts } from "./in-parts.ts";
import { type Record, type RecordedFile, temporaryPaths, writeRecord } from "./record.ts";
import { removeRecord, rollBack } from "./roll-back.ts";
import { requireUnchanged, type Target, verifyTargets } from "./verify.ts";
import { writeError } from "./write-error.ts";

export interface Commit {
	/** `u7`; its `directory` is empty. */
	readonly name: string;
	readonly directory: string;
	readonly plan: string;
	/** Before the first file is touched; meanwhile the new texts are written next to the files. Never rejects. */
	readonly ready?: Promise<void> | undefined;
	/** When all files are in place; a later failure takes them back. */
	readonly placed?: (() => void) | undefined;
}

/** Rejects with LSP_FILE_CHANGED, LSP_EDIT_REFUSED or LSP_WRITE_FAILED; then every file is as it was. */
export async function commit(change: Change, into: Commit, disk: WritingDisk): Promise<Record> {
	let record: Record | undefined;
	try {
		const targets = await verifyTargets(change, disk);
		record = await begin(change, into, { targets, disk });
		if (record.moves.length > 0 || record.made.length > 0) await into.ready;
		for (const directory of record.made) await disk.makeDirectory(directory);
		for (const { from, to } of record.moves) await disk.rename(from, to);
		await stage(record, change, disk);
		await into.ready;
		const slices = new TimeSlices();
		for (const [index, file] of record.files.entries()) {
			if (slices.isOver) await slices.next();
			await replace(record, file, { index, target: targets[index]!, change, disk });
		}
		for (const directory of record.emptied) await disk.removeDirectory(directory);
		into.placed?.();
		await syncDirectories(record, disk);
		await disk.create(join(into.directory, "committed"), Buffer.alloc(0), { mode: 0o600 });
		await disk.syncDirectory(into.directory);
	} catch (thrown) {
		throw await failed(thrown, record, into, disk);
	}
	await tidy(record, disk).catch(() => {});
	return record;
}

async function begin(
	change: Change,
	{ name, directory, plan }: Commit,
	{ targets, disk }: { readonly targets: readonly Target[]; readonly disk: WritingDisk },
): Promise<Record> {
	const made = await missingDirectories(change, disk);
	const files = change.files.map(({ path, before, after, mode = 0o666 & ~process.umask() }, index) => {
		const { attributes, inPlace = false } = targets[index]!;
		return { path, ...(attributes ?? { mode }), before, after, inPlace };
	});
	const { title, root, moves, emptied, undoes } = change;
	const about = { name, directory, title, root, at: Date.now(), plan, ...(undoes === undefined ? {} : { undoes }) };
	return writeRecord({ ...about, moves, files, emptied, made }, disk);
}

/** Outermost first. */
async function missingDirectories({ moves, files }: Change, disk: WritingDisk): Promise<string[]> {
	const brought = moves.map(({ to }) => to);
	const wanted = [...brought, ...files.filter(({ before }) => !before).map(({ path }) => path)].map(dirname);
	const found = new Set<string>();
	for (const directory of wanted) {
		const chain: string[] = [];
		for (let at = directory; !found.has(at) && !brought.includes(at) && !(await disk.stats(at)); at = dirname(at))
			chain.unshift(at);
		for (const each of chain) found.add(each);
	}
	return [...found];
}

function stage(record: Record, change: Change, disk: WritingDisk): Promise<unknown> {
	const staged = [...record.files.entries()].filter(([, { after, inPlace }]) => after && !inPlace);
	return inParts(staged, async ([index, file]) => {
		const { fresh, old } = temporaryPaths(record, file, index);
		await disk.create(fresh, change.files[index]!.after!, attributesOf(file));
		// Without hard links, only the record has the bytes.
		if (file.before) await disk.link(file.path, old).catch(() => {});
	});
}

function attributesOf({ mode, owner }: RecordedFile): FileAttributes {
	return { mode, ...(owner ? { owner } : {}) };
}

interface Replacing {
	readonly index: number;
	readonly target: Target;
	readonly change: Change;
	readonly disk: WritingDisk;
}

async function replace(record: Record, file: RecordedFile, { index, target, change, disk }: Replacing): Promise<void> {
	const { path, before, after, inPlace } = file;
	const { fresh, old } = temporaryPaths(record, file, index);
	await requireUnchanged(path, target, disk);
	if (inPlace && after) return disk.overwrite(path, change.files[index]!.after!);
	if (!after) return record.emptied.includes(dirname(path)) ? disk.remove(path) : disk.rename(path, old);
	if (before) return disk.rename(fresh, path);
	// Unlike rename(2), link(2) overwrites nothing that has just come.
	const isLinked = await disk.link(fresh, path).then(
		() => true,
		(error: NodeJS.ErrnoException) => {
			if (error.code === "EEXIST") throw error;
			return false;
		},
	);
	await (isLinked ? disk.remove(fresh) : disk.rename(fresh, path));
}

async function syncDirectories({ moves, files }: Record, disk: WritingDisk): Promise<void> {
	const paths = [...moves.flatMap(({ from, to }) => [from, to]), ...files.map(({ path }) => path)];
	await Promise.all([...new Set(paths.map(dirname))].map((directory) => disk.syncDirectory(directory)));
}

export async function tidy(record: Record, disk: WritingDisk): Promise<void> {
	await inParts([...record.files.entries()], ([index, file]) => disk.remove(temporaryPaths(record, file, index).old));
	await disk.rename(join(record.directory, "committed"), join(record.directory, "done"));
}

async function failed(
	thrown: unknown,
	record: Record | undefined,
	{ directory }: Commit,
	disk: WritingDisk,
): Promise<LspError> {
	const error = writeError(thrown);
	if (!record) {
		await removeRecord(directory).catch(() => {});
		return error;
	}
	try {
		const foreign = await rollBack(record, disk);
		if (foreign.length === 0) return error;
		const message = `${error.message} Another program has changed ${foreign.join(", ")} meanwhile; it stays as it is.`;
		return new LspError(error.code, message, error.details, { cause: thrown });
	} catch (second) {
		return new LspError(
			"LSP_WRITE_FAILED",
			`${error.message} Not every file could be restored (${(second as Error).message}); ${directory} has the old ones.`,
			{ suggestion: "The next change, or the next start of the daemon, tries to restore them again." },
			{ cause: thrown },
		);
	}
}
