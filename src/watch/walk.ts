import { join } from "node:path";
import { TimeSlices } from "../util/time-slices.ts";
import { readableEntries } from "./directory-node.ts";
import { Ignores, isForeignName } from "./ignores.ts";

const maxAtOnce = 50;

export interface WalkedFiles {
	/** Absolute. */
	readonly files: readonly string[];
	readonly directories: number;
}

export interface WalkOptions {
	readonly withoutIgnored?: boolean;
}

/** Without ignored directories, installed packages and links. */
export async function* walk(root: string, { withoutIgnored = false }: WalkOptions = {}): AsyncGenerator<WalkedFiles> {
	const ignores = new Ignores(root);
	const directories = [root];
	const slices = new TimeSlices();
	for (const [index, directory] of directories.entries()) {
		const entries = readableEntries(directory).sort((a, b) => (a.name < b.name ? -1 : 1));
		if (directory !== root && entries.some(({ name }) => name === ".gitignore")) ignores.load(directory);
		const files: string[] = [];
		for (const entry of entries) {
			const path = join(directory, entry.name);
			if (entry.isFile()) {
				// In a worktree `.git` is a file.
				if (!withoutIgnored || (entry.name !== ".git" && !ignores.ignoresFile(path))) files.push(path);
			} else if (entry.isDirectory() && !isForeignName(entry.name) && !ignores.ignores(path)) directories.push(path);
		}
		do {
			yield { files: files.splice(0, maxAtOnce), directories: index + 1 };
			if (slices.isOver) await slices.next();
		} while (files.length > 0);
	}
}
