import { dirname, join } from "node:path";
import type { LanguageServer } from "../../lsp/server.ts";
import { type Directories, directoriesUp } from "../../project/directories.ts";
import { isInside } from "../../util/paths.ts";

/**
 * True if a file that nobody opened may be asked about as it is: a server that pulls unopened files knows it as a file of
 * a project that is loaded. TypeScript 7 answers "no errors" for the sources of a project that it only knows as a
 * reference of another; so some open file has to have the same nearest tsconfig.json, and that must not be a mere list
 * of other projects.
 */
export async function isInLoadedProject(
	server: LanguageServer,
	path: string,
	directories: Directories,
): Promise<boolean> {
	const project = await projectOf(path, server.root, directories);
	if (project === undefined) return true;
	if (project.isSolution) return false;
	// Files of one directory are of one project: an edit asks this for each file around it, and 64 documents are open.
	for (const directory of new Set(server.documents.paths().map(dirname)))
		if ((await projectOf(join(directory, "file"), server.root, directories))?.config === project.config) return true;
	return false;
}

interface Project {
	readonly config: string;
	/** True if it has no files of its own: which of its references holds a file only the compiler knows. */
	readonly isSolution: boolean;
}

async function projectOf(path: string, root: string, directories: Directories): Promise<Project | undefined> {
	if (!isInside(path, root)) return undefined;
	for (const directory of directoriesUp(dirname(path), root))
		for (const name of ["tsconfig.json", "jsconfig.json"]) {
			const text = await directories.text(directory, name);
			if (text !== undefined) return { config: join(directory, name), isSolution: /"files"\s*:\s*\[\s*\]/.test(text) };
		}
	return undefined;
}
