import { homedir } from "node:os";
import { relative } from "node:path";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { projectAround } from "./workspace-of.ts";

export interface ProjectRoot {
	readonly root: string;
	readonly workspace: string;
}

/** A person's own, relative to the home directory. */
const personal = /^(?:bin|go\/bin|\.[^/]+(?:\/.*)?)$/;
const ofSystem = /^\/(?:usr|bin|sbin|opt|nix|snap|Library|Applications)(?:\/|$)/;

/**
 * The workspace, or, where that is or contains the home directory, the project around the root; undefined if nothing
 * marks one.
 */
export async function repositoryAt({ root, workspace }: ProjectRoot): Promise<string | undefined> {
	return isInside(homedir(), workspace) ? projectAround(root) : workspace;
}

export async function ownEntries(entries: readonly string[], place: ProjectRoot): Promise<string[]> {
	const repository = await repositoryAt(place);
	const reals = await Promise.all(entries.map(async (entry) => (await realPathOf(entry)) ?? entry));
	const isOwn = (path: string) => {
		if (repository !== undefined) return !isInside(path, repository);
		if (!isInside(path, place.workspace)) return true;
		return isInside(path, homedir()) ? personal.test(relative(homedir(), path)) : ofSystem.test(path);
	};
	return entries.filter((entry, index) => isOwn(entry) && isOwn(reals[index] ?? entry));
}
