import { homedir } from "node:os";
import { dirname, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isInside } from "../util/paths.ts";
import { Directories } from "./directories.ts";
import { holds, holdsName, type Level } from "./evidence.ts";

const projectMarkers = [
	"package.json",
	"tsconfig.json",
	"pyproject.toml",
	"go.mod",
	"Cargo.toml",
	"pom.xml",
	".hg",
	".svn",
];

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
 * The workspace of a working directory, the boundary of everything that is asked from there:
 * 1. the nearest directory upward that holds `.git` (a directory, or a file in a worktree);
 * 2. else the nearest one with another project marker;
 * 3. else the working directory itself.
 * Never the home directory or above it, unless that is the working directory.
 */
export async function workspaceOf(cwd: string, directories: Directories = new Directories()): Promise<string> {
	return (await upward(cwd, [".git"], directories)) ?? (await upward(cwd, projectMarkers, directories)) ?? cwd;
}

async function upward(from: string, markers: readonly string[], directories: Directories): Promise<string | undefined> {
	for (const directory of ancestors(from, ceilingOf(from)))
		if (await directories.holdsAny(directory, markers)) return directory;
	return undefined;
}

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

function ceilingOf(from: string): string | undefined {
	const home = homedir();
	return from === home || !isInside(from, home) ? undefined : home;
}

/** `from` and its parents up to and including `last`; the home ceiling itself is left out. */
function* ancestors(from: string, last: string | undefined): Generator<string> {
	const home = homedir();
	for (let directory = from; ; directory = dirname(directory)) {
		if (directory === home && last === home && from !== home) return;
		yield directory;
		if (directory === last || directory === dirname(directory)) return;
	}
}
