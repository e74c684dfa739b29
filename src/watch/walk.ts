import { join } from "node:path";
import { entriesOf, listed } from "./directory-node.ts";
import { Ignores, isForeignName } from "./ignores.ts";

/** Milliseconds of reading after which the event loop gets its turn. */
const sliceMs = 8;

/** Files of one directory are told so many at a time: whoever reads them must not hold up the others either. */
const maxConcurrent = 50;

/** Some files of a tree, all of one directory. */
export interface Walked {
	/** Absolute. */
	readonly files: readonly string[];
	/** How many directories have been entered so far. */
	readonly directories: number;
}

/**
 * Goes through the directories below a root, near ones first and by name, in slices, so that a large tree holds nobody
 * up. What git ignores and what is installed is left out, and so is what a link leads to.
 */
export async function* walk(root: string): AsyncGenerator<Walked> {
	const ignores = new Ignores(root);
	const directories = [root];
	let since = performance.now();
	// What is found on the way is walked through in turn.
	for (const [index, directory] of directories.entries()) {
		const entries = listed(entriesOf(directory)).sort((a, b) => (a.name < b.name ? -1 : 1));
		if (directory !== root && entries.some(({ name }) => name === ".gitignore")) ignores.load(directory);
		const files: string[] = [];
		for (const entry of entries) {
			const path = join(directory, entry.name);
			if (entry.isFile()) files.push(path);
			else if (entry.isDirectory() && !isForeignName(entry.name) && !ignores.ignores(path)) directories.push(path);
		}
		do {
			yield { files: files.splice(0, maxConcurrent), directories: index + 1 };
			if (performance.now() - since < sliceMs) continue;
			await new Promise((resolve) => setImmediate(resolve));
			since = performance.now();
		} while (files.length > 0);
	}
}
