import { dirname, join } from "node:path";
import type { LanguageServer } from "../../lsp/server.ts";
import { type Directories, directoriesUp } from "../../project/directories.ts";
import { isInside } from "../../util/paths.ts";

/**
 * True if a server that pulls unopened files has loaded the project of one. TypeScript 7 reports no errors for files of a
 * project that it only knows by reference (docs/facts.md, 15). So an open document must have the same nearest
 * tsconfig.json, and that file must have files of its own.
 */
export async function isInLoadedProject(
	server: LanguageServer,
	path: string,
	directories: Directories,
): Promise<boolean> {
	const project = await projectOf(path, server.root, directories);
	if (project === undefined) return true;
	if (project.isSolution) return false;
	for (const directory of new Set(server.documents.paths().map(dirname)))
		if ((await projectOf(join(directory, "file"), server.root, directories))?.config === project.config) return true;
	return false;
}

interface Project {
	readonly config: string;
	/** True for a mere list of references: only the compiler knows which of them contains a file. */
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
