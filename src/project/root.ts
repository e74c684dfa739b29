import { dirname, join, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isInside } from "../util/paths.ts";
import { Directories } from "./directories.ts";
import { containsEvidence, containsName, type Level, matchingNames } from "./markers.ts";
import { ancestors } from "./workspace-of.ts";

export { workspaceOf } from "./workspace-of.ts";

/** Their files start no server and are not written. */
const foreignDirectories = new Set([
	"node_modules",
	".git",
	".hg",
	".venv",
	"venv",
	"site-packages",
	"__pycache__",
	".pnpm-store",
	"bower_components",
]);

/**
 * The nearest workspace of projects, else by `rootRule` the nearest or topmost directory with a marker, else the
 * workspace for loose files.
 */
export async function rootOf(
	file: string,
	workspace: string,
	config: ServerConfig,
	directories: Directories = new Directories(),
): Promise<string | undefined> {
	const above = await levelsAbove(file, workspace, directories);
	if (config.workspaceRoot)
		for (const level of above)
			if (await containsEvidence(level, config.workspaceRoot, directories)) return level.directory;
	const found = above.filter(({ names }) => config.rootMarkers.some((marker) => containsName(names, marker)));
	const root = (config.rootRule === "topmost" ? found.at(-1) : found[0])?.directory;
	return root ?? (config.looseFiles ? workspace : undefined);
}

/** Endless, or it blocks its reader. */
export interface IrregularMarker {
	readonly path: string;
	readonly target: string;
}

/** Servers read markers themselves. A link to /dev/null usually means nothing. */
export async function irregularMarker(
	{ rootMarkers, workspaceRoot }: ServerConfig,
	above: readonly Level[],
	directories: Directories,
): Promise<IrregularMarker | undefined> {
	const wanted = [...new Set([...rootMarkers, ...(workspaceRoot?.files ?? [])])];
	for (const { directory, names } of above)
		for (const name of matchingNames(names, wanted)) {
			const path = join(directory, name);
			const info = await directories.stats(path);
			if (!info || info.isFile() || info.isDirectory()) continue;
			const target = (await directories.real(path)) ?? path;
			if (target !== "/dev/null") return { path, target };
		}
	return undefined;
}

export function levelsAbove(file: string, workspace: string, directories: Directories): Promise<Level[]> {
	const above = [...ancestors(dirname(file), workspace)];
	return Promise.all(above.map(async (directory) => ({ directory, names: await directories.names(directory) })));
}

export function isForeign(file: string, workspace: string): boolean {
	return relative(workspace, file)
		.split(sep)
		.slice(0, -1)
		.some((part) => foreignDirectories.has(part));
}

export function isOurs(file: string, workspace: string): boolean {
	return isInside(file, workspace) && !isForeign(file, workspace);
}
