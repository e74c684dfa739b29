import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Change, FileChange } from "../../src/writer/change.ts";
import { realDisk, type WritingDisk } from "../../src/writer/disk.ts";

/** A directory with files, and a private one for the records of changes. */
export interface Tree {
	readonly root: string;
	readonly records: string;
	path(name: string): string;
	/** A change from the current content of the files; null deletes. */
	change(texts: Readonly<Record<string, string | null>>, more?: Partial<Change>): Change;
	/** Every name below the root with its kind, mode and content. */
	state(): Readonly<Record<string, string>>;
}

export async function withTree<T>(
	files: Readonly<Record<string, string>>,
	body: (tree: Tree) => Promise<T>,
	base = "/tmp",
): Promise<T> {
	const directory = realpathSync(mkdtempSync(join(base, "pl-writer-")));
	const root = join(directory, "tree");
	const path = (name: string) => join(root, name);
	mkdirSync(root);
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(path(name)), { recursive: true });
		writeFileSync(path(name), text);
	}
	try {
		return await body({
			root,
			records: join(directory, "records"),
			path,
			change: (texts, more = {}) => ({
				title: "test",
				root,
				moves: [],
				emptied: [],
				files: Object.entries(texts).map(([name, text]) => fileChange(path(name), text)),
				...more,
			}),
			state: () => stateOf(root),
		});
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function fileChange(path: string, text: string | null): FileChange {
	let before: Buffer | undefined;
	try {
		before = readFileSync(path);
	} catch {
		// It is created.
	}
	return { path, before, after: text === null ? undefined : Buffer.from(text) };
}

function stateOf(root: string): Record<string, string> {
	const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
	return Object.fromEntries(
		names.map((name) => {
			const info = lstatSync(join(root, name));
			const mode = (info.mode & 0o7777).toString(8);
			if (info.isSymbolicLink()) return [name, `link to ${readlinkSync(join(root, name))}`];
			return [name, info.isDirectory() ? `directory ${mode}` : `${mode} ${readFileSync(join(root, name), "utf8")}`];
		}),
	);
}

/** The calls of a change to a disk, in order; `before` is called before each call that changes something. */
export function watchedDisk(before: (call: string, count: number) => void): WritingDisk {
	let count = 0;
	const entries = Object.entries(realDisk).map(([name, method]) => [
		name,
		async (...args: unknown[]) => {
			if (name !== "read" && name !== "stats") before(`${name} ${String(args[0])}`, ++count);
			return (method as (...given: unknown[]) => Promise<unknown>).apply(realDisk, args);
		},
	]);
	return Object.fromEntries(entries) as WritingDisk;
}
