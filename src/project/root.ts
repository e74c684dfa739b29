import { dirname, join, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isInside } from "../util/paths.ts";
import { Directories } from "./directories.ts";
import { holds, holdsName, type Level, namesOf } from "./markers.ts";
import { ancestors } from "./workspace-of.ts";

export { workspaceOf } from "./workspace-of.ts";

/** Directories of installed packages and build output: files below them start no server and are not written. */
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
 * The root of a file for one server, inside the workspace: the nearest directory that is the root of a whole workspace of
 * projects; else by `rootRule` the nearest or the topmost directory with one of its markers. The workspace itself for a
 * server that works on loose files; undefined otherwise.
 */
export async function rootOf(
	file: string,
	workspace: string,
	config: ServerConfig,
	directories: Directories = new Directories(),
): Promise<string | undefined> {
	const above = await levelsAbove(file, workspace, directories);
	if (config.workspaceRoot)
		for (const level of above) if (await holds(level, config.workspaceRoot, directories)) return level.directory;
	const found = above.filter(({ names }) => config.rootMarkers.some((marker) => holdsName(names, marker)));
	const root = (config.rootRule === "topmost" ? found.at(-1) : found[0])?.directory;
	return root ?? (config.looseFiles ? workspace : undefined);
}

/** A file by which a server would know its project and which has no end, or holds up whoever reads it. */
export interface IrregularMarker {
	readonly path: string;
	/** Its own path with links followed. */
	readonly target: string;
}

/**
 * The first of a server's markers above a file that is neither a regular file nor a directory: the server reads them by
 * itself, and a link to /dev/zero would fill the memory. Who wants none of a file links it to /dev/null.
 */
export async function irregularMarker(
	{ rootMarkers, workspaceRoot }: ServerConfig,
	above: readonly Level[],
	directories: Directories,
): Promise<IrregularMarker | undefined> {
	const wanted = [...new Set([...rootMarkers, ...(workspaceRoot?.files ?? [])])];
	for (const { directory, names } of above)
		for (const name of namesOf(names, wanted)) {
			const path = join(directory, name);
			const info = await directories.stats(path);
			if (!info || info.isFile() || info.isDirectory()) continue;
			const target = (await directories.real(path)) ?? path;
			if (target !== "/dev/null") return { path, target };
		}
	return undefined;
}

/** The directories of a file from its own up to the workspace. */
export function levelsAbove(file: string, workspace: string, directories: Directories): Promise<Level[]> {
	const above = [...ancestors(dirname(file), workspace)];
	return Promise.all(above.map(async (directory) => ({ directory, names: await directories.names(directory) })));
}

/** True for a file of an installed package, of version control, of a virtual environment: not the person's own code. */
export function isForeign(file: string, workspace: string): boolean {
	return relative(workspace, file)
		.split(sep)
		.slice(0, -1)
		.some((part) => foreignDirectories.has(part));
}

/** True for a file in a workspace that is the person's own code. */
export function isOurs(file: string, workspace: string): boolean {
	return isInside(file, workspace) && !isForeign(file, workspace);
}
