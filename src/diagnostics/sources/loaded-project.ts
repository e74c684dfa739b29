import { dirname, join } from "node:path";
import type { LanguageServer } from "../../lsp/server.ts";
import type { Directories } from "../../project/directories.ts";
import { isInside } from "../../util/paths.ts";
import { toUri } from "../../util/positions.ts";
import { requestTsserver } from "./tsserver.ts";
import { nearestTypescriptConfig } from "./typescript-config.ts";

/** TypeScript 7 finds no errors in an unloaded project (docs/facts.md, 15). */
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

export async function isInProject(
	server: Pick<LanguageServer, "config" | "request">,
	path: string,
	signal: AbortSignal,
): Promise<boolean> {
	if (server.config.strategy === "tsserver") {
		const args = { file: path, needFileNameList: false };
		const project = await requestTsserver<{ configFileName?: string }>(server, "projectInfo", args, signal);
		// Loose files have the project /dev/null/inferredProject1*.
		return !project.configFileName?.includes("inferredProject");
	}
	// TypeScript 7's own request answers "" for a file that no configuration includes.
	const answer = await server.request<{ configFilePath?: string } | null>(
		"custom/projectInfo",
		{ textDocument: { uri: toUri(path) } },
		signal,
	);
	return answer?.configFilePath !== "";
}

interface Project {
	readonly config: string;
	/** True for a mere list of references. */
	readonly isSolution: boolean;
}

async function projectOf(path: string, root: string, directories: Directories): Promise<Project | undefined> {
	if (!isInside(path, root)) return undefined;
	const config = await nearestTypescriptConfig(path, root, directories);
	return config && { config: config.path, isSolution: /"files"\s*:\s*\[\s*\]/.test(config.text) };
}
