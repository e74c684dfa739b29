import { dirname, join } from "node:path";
import type { LanguageServer } from "../lsp/server.ts";
import { readText } from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import { isInside } from "../workspace/root.ts";

const keptMs = 2000;

/**
 * True if a file that nobody opened may be asked about as it is: a server that pulls unopened files knows it as a file of
 * a project that is loaded. TypeScript 7 answers "no errors" for the sources of a project that it only knows as a
 * reference of another; so some open file has to have the same nearest tsconfig.json, and that must not be a mere list
 * of other projects.
 */
export async function isInLoadedProject(server: LanguageServer, path: string): Promise<boolean> {
	const project = await projectOf(path, server.root);
	if (project === undefined) return true;
	if (project.isSolution) return false;
	const open = await Promise.all(server.documents.paths().map((each) => projectOf(each, server.root)));
	return open.some((other) => other?.config === project.config);
}

interface Project {
	readonly config: string;
	/** True if it has no files of its own: which of its references holds a file only the compiler knows. */
	readonly isSolution: boolean;
}

const projects = new Recent<{ readonly at: number; readonly project: Promise<Project | undefined> }>(500);

function projectOf(path: string, root: string): Promise<Project | undefined> {
	const directory = dirname(path);
	const key = `${root} ${directory}`;
	const known = projects.get(key);
	if (known && Date.now() - known.at < keptMs) return known.project;
	const project = findProject(directory, root);
	projects.set(key, { at: Date.now(), project });
	return project;
}

async function findProject(from: string, root: string): Promise<Project | undefined> {
	for (let directory = from; isInside(directory, root); directory = dirname(directory)) {
		for (const name of ["tsconfig.json", "jsconfig.json"]) {
			const config = join(directory, name);
			const text = await readText(config);
			if (text !== undefined) return { config, isSolution: /"files"\s*:\s*\[\s*\]/.test(text) };
		}
		if (directory === dirname(directory)) return undefined;
	}
	return undefined;
}
