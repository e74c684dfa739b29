import { homedir } from "node:os";
import { dirname } from "node:path";
import { type Disk, plainDisk } from "../util/files.ts";
import { isInside } from "../util/paths.ts";

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

/**
 * The workspace of a working directory, the boundary of everything that is asked from there:
 * 1. the nearest directory upward that holds `.git` (a directory, or a file in a worktree);
 * 2. else the nearest one with another project marker;
 * 3. else the working directory itself.
 * Never the home directory or above it, unless that is the working directory.
 */
export async function workspaceOf(cwd: string, disk: Disk = plainDisk): Promise<string> {
	const last = ceilingOf(cwd);
	return (await upward(cwd, last, [".git"], disk)) ?? (await upward(cwd, last, projectMarkers, disk)) ?? cwd;
}

async function upward(
	from: string,
	last: string | undefined,
	markers: readonly string[],
	disk: Disk,
): Promise<string | undefined> {
	for (const directory of ancestors(from, last)) if (await disk.holdsAny(directory, markers)) return directory;
	return undefined;
}

/** The top of the repository that a directory lies in, the home directory and those above it included. */
export function repositoryOf(directory: string, disk: Disk = plainDisk): Promise<string | undefined> {
	return upward(directory, undefined, [".git"], disk);
}

function ceilingOf(from: string): string | undefined {
	const home = homedir();
	return from === home || !isInside(from, home) ? undefined : home;
}

/** `from` and its parents up to and including `last`; the home ceiling itself is left out. */
export function* ancestors(from: string, last: string | undefined): Generator<string> {
	const home = homedir();
	for (let directory = from; ; directory = dirname(directory)) {
		if (directory === home && last === home && from !== home) return;
		yield directory;
		if (directory === last || directory === dirname(directory)) return;
	}
}
