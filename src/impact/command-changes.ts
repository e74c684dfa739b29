import type { Change } from "./find-affected.ts";
import type { FileIndex } from "./index/file-index.ts";

/** `since` is in ms since 1970. Unknown files count as changed. */
export async function commandChanges(
	index: FileIndex,
	watched: boolean,
	paths: readonly string[],
	since: number,
): Promise<Change[]> {
	const before = new Map(paths.map((path) => [path, index.meaning(path, since)]));
	for (const path of paths) index.changed(path);
	await index.read({ watched });
	return paths
		.filter((path) => before.get(path) === undefined || before.get(path) !== index.meaning(path))
		.map((path) => ({
			path,
			changed: undefined,
			gone: new Set(),
			lost: new Set(),
			added: new Set(),
			everywhere: false,
			isWhole: true,
		}));
}
