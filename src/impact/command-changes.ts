import type { Change } from "./find-affected.ts";
import type { FileIndex } from "./index/file-index.ts";

/** What a command did to files, as far as it matters to a compiler. */
export interface CommandChanges {
	/** The files that mean something else than before, or may: a formatter changes none. */
	readonly changed: readonly string[];
	/** Those of them that other files may see, as `findAffected` takes them. */
	readonly seen: readonly Change[];
}

/**
 * Compares what files meant before a command, which began at `since` (milliseconds since the epoch), with what they mean
 * now. A file that the index had not read before counts as changed.
 */
export async function commandChanges(
	index: FileIndex,
	watched: boolean,
	paths: readonly string[],
	since: number,
): Promise<CommandChanges> {
	const before = new Map(paths.map((path) => [path, index.meaning(path, since)]));
	for (const path of paths) index.changed(path);
	await index.read({ watched });
	const changed: string[] = [];
	const seen: Change[] = [];
	for (const path of paths) {
		const [was, is] = [before.get(path), index.meaning(path)];
		if (was !== undefined && was === is) continue;
		changed.push(path);
		// Which of its names have changed is not known without the old text.
		seen.push({ path, changed: undefined, gone: new Set(), added: new Set(), everywhere: false, isWhole: true });
	}
	return { changed, seen };
}
