import { homedir } from "node:os";
import { relative } from "node:path";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { projectAround } from "./workspace-of.ts";

/** Where a project is, and what its caller may name. */
export interface Place {
	readonly root: string;
	readonly workspace: string;
}

/** Where people and tools put a person's own programs, relative to the home directory. */
const personal = /^(?:bin|go\/bin|\.[^/]+(?:\/.*)?)$/;
const ofSystem = /^\/(?:usr|bin|sbin|opt|nix|snap|Library|Applications)(?:\/|$)/;

/**
 * The directory whose programs belong to the repository. That is the workspace, unless it is the home directory or above
 * it: who starts there has their own programs below. Undefined for a project there that nothing marks.
 */
export async function repositoryAt({ root, workspace }: Place): Promise<string | undefined> {
	return isInside(homedir(), workspace) ? projectAround(root) : workspace;
}

/** The entries of PATH that do not lead into the repository. */
export async function ownEntries(entries: readonly string[], place: Place): Promise<string[]> {
	const repository = await repositoryAt(place);
	const reals = await Promise.all(entries.map(async (entry) => (await realPathOf(entry)) ?? entry));
	const isOwn = (path: string) => {
		if (repository !== undefined) return !isInside(path, repository);
		// Nothing says where the tree of the project ends.
		if (!isInside(path, place.workspace)) return true;
		return isInside(path, homedir()) ? personal.test(relative(homedir(), path)) : ofSystem.test(path);
	};
	return entries.filter((entry, index) => isOwn(entry) && isOwn(reals[index] ?? entry));
}
