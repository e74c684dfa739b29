import { filesJudgedBy } from "../../diagnostics/schema-users.ts";
import { findAffected } from "../../impact/find-affected.ts";
import { isData } from "../../impact/index/sources.ts";
import { visibleChange } from "../../impact/visible-change.ts";
import { isOurs } from "../../project/root.ts";
import type { Located } from "../../routing/locate.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { anySource, readText, withoutMark } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import type { Service } from "../service.ts";

interface AffectedSearch {
	readonly roots: readonly string[];
	readonly left?: readonly string[];
	/** Finds files that only settings judge by a changed schema. */
	readonly locate?: (path: string) => Promise<Located>;
	readonly signal: AbortSignal;
}

interface Affected {
	/** Nearest first. */
	readonly paths: readonly string[];
	readonly isAll: boolean;
}

export async function affectedByChange(
	service: Service,
	{ files, root: workspace }: Change,
	{ roots, left = [], locate, signal }: AffectedSearch,
): Promise<Affected> {
	const own = new Set([...files.map(({ path }) => path), ...left]);
	const found = new Set<string>();
	const changes = files.map(async ({ path, before, after }) => {
		// No server has judged the text: lost names might mean nothing.
		const change = await visibleChange(path, textOf(before), textOf(after), { hasMeaning: () => true });
		return { path, isWhole: !before || !after, ...change };
	});
	const gone = left.map(async (path) => {
		const change = await visibleChange(path, await readText(path, anySource), undefined);
		return { path, isWhole: true, ...change };
	});
	const seen = (await Promise.all([...changes, ...gone])).filter(({ nothing }) => !nothing);
	if (seen.length === 0) return { paths: [], isAll: true };
	for (const root of new Set(roots.filter((each) => seen.some(({ path }) => path.startsWith(`${each}/`))))) {
		const index = service.indexOf(root);
		const read = index.read({ watched: await service.watches.areCurrent(root) });
		await waitOrAbort(read, signal).catch((error: unknown) => {
			if (!signal.aborted) throw error;
		});
		if (signal.aborted) break;
		const schemas = new Set(seen.map(({ path }) => path).filter(isData));
		const add = (path: string) => {
			if (isData(path)) schemas.add(path);
			if (!own.has(path) && isOurs(path, workspace)) found.add(path);
		};
		const textOf = (path: string) => readText(path, anySource);
		await findAffected(seen, { index, signal, textOf, found: ({ path }) => add(path) });
		if (schemas.size > 0 && !signal.aborted) for (const path of await filesJudgedBy(schemas, index, locate)) add(path);
	}
	return { paths: [...found], isAll: !signal.aborted };
}

export function textOf(bytes: Buffer | undefined): string | undefined {
	return bytes && withoutMark(bytes.toString("utf8"));
}
