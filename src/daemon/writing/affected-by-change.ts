import { findAffected } from "../../impact/find-affected.ts";
import { visibleChange } from "../../impact/visible-change.ts";
import { isOurs } from "../../project/root.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { anySource, readText, withoutMark } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import type { Service } from "../service.ts";

interface AffectedSearch {
	/** Only files below these roots are found. */
	readonly roots: readonly string[];
	/** Files that move away. */
	readonly left?: readonly string[];
	readonly signal: AbortSignal;
}

/** Finds other files, nearest first, in the tree as it is. */
export async function affectedByChange(
	service: Service,
	{ files, root: workspace }: Change,
	{ roots, left = [], signal }: AffectedSearch,
): Promise<string[]> {
	const own = new Set([...files.map(({ path }) => path), ...left]);
	const found = new Set<string>();
	const changes = files.map(async ({ path, before, after }) => {
		const change = await visibleChange(path, textOf(before), textOf(after));
		return { path, isWhole: !before || !after, ...change };
	});
	const gone = left.map(async (path) => {
		const change = await visibleChange(path, await readText(path, anySource), undefined);
		return { path, isWhole: true, ...change };
	});
	const seen = (await Promise.all([...changes, ...gone])).filter(({ nothing }) => !nothing);
	if (seen.length === 0) return [];
	for (const root of new Set(roots.filter((each) => seen.some(({ path }) => path.startsWith(`${each}/`))))) {
		const index = service.indexOf(root);
		// A newly started server's tree is not read yet.
		await waitOrAbort(index.read({ watched: await service.watches.areCurrent(root) }), signal);
		await findAffected(seen, {
			index,
			signal,
			textOf: (path) => readText(path, anySource),
			found: ({ path }) => {
				if (!own.has(path) && isOurs(path, workspace)) found.add(path);
			},
		});
	}
	return [...found];
}

export function textOf(bytes: Buffer | undefined): string | undefined {
	return bytes && withoutMark(bytes.toString("utf8"));
}
