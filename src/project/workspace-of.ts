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
 * The nearest directory with `.git`, else with another marker, else `cwd`. Below the home directory neither that nor
 * any above it counts.
 */
export async function workspaceOf(cwd: string, disk: Disk = plainDisk): Promise<string> {
	const last = ceilingOf(cwd);
	return (await upward(cwd, last, [".git"], disk)) ?? (await upward(cwd, last, projectMarkers, disk)) ?? cwd;
}

/** Neither the home directory nor one above it. */
export async function projectAround(directory: string, disk: Disk = plainDisk): Promise<string | undefined> {
	const above = [...ancestors(directory, ceilingOf(directory))].filter((each) => !isInside(homedir(), each));
	for (const markers of [[".git"], projectMarkers])
		for (const each of above) if (await disk.containsAny(each, markers)) return each;
	return undefined;
}

async function upward(
	from: string,
	last: string | undefined,
	markers: readonly string[],
	disk: Disk,
): Promise<string | undefined> {
	for (const directory of ancestors(from, last)) if (await disk.containsAny(directory, markers)) return directory;
	return undefined;
}

/** Maybe the home directory, or above it. */
export function repositoryOf(directory: string, disk: Disk = plainDisk): Promise<string | undefined> {
	return upward(directory, undefined, [".git"], disk);
}

function ceilingOf(from: string): string | undefined {
	const home = homedir();
	return from === home || !isInside(from, home) ? undefined : home;
}

/** `last` is included unless it is the home directory. */
export function* ancestors(from: string, last: string | undefined): Generator<string> {
	const home = homedir();
	for (let directory = from; ; directory = dirname(directory)) {
		if (directory === home && last === home && from !== home) return;
		yield directory;
		if (directory === last || directory === dirname(directory)) return;
	}
}
