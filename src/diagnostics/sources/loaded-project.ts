import { dirname, join } from "node:path";
import type { LanguageServer } from "../../lsp/server.ts";
import type { Directories } from "../../project/directories.ts";
import { waitOrAbort } from "../../util/abort.ts";
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

export async function isInProject(server: Asked, path: string, signal: AbortSignal): Promise<boolean> {
	return (await configurationOf(server, path, signal)) !== "";
}

export class Configurations {
	readonly #server: LanguageServer;
	readonly #known = new Map<string, string>();
	readonly #asked = new Map<string, Promise<string | undefined>>();
	#revision = 0;

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	async outside(paths: readonly string[], open: string, signal: AbortSignal): Promise<string[]> {
		this.#forgetOld();
		// A server may unload a project without open files.
		const loaded = this.#known.get(open) ?? (await waitOrAbort(this.#ask(open), signal));
		this.#forgetOld();
		const find = (path: string) => (loaded && this.#known.get(path) === loaded ? loaded : this.#ask(path));
		const all = await waitOrAbort(Promise.all(paths.map(find)), signal);
		return paths.filter((_, index) => all[index] === "");
	}

	/** No signal: callers share it. */
	#ask(path: string): Promise<string | undefined> {
		const known = this.#asked.get(path);
		if (known) return known;
		const { revision } = this.#server.snapshot;
		const answer = configurationOf(this.#server, path)
			// tsserver rejects for a file that it does not know.
			.catch(() => "")
			.then((found) => {
				if (this.#asked.get(path) === answer) this.#asked.delete(path);
				if (found && this.#server.snapshot.since(revision)?.length === 0) this.#known.set(path, found);
				return found;
			});
		this.#asked.set(path, answer);
		return answer;
	}

	#forgetOld(): void {
		const { snapshot } = this.#server;
		if (snapshot.since(this.#revision)?.length !== 0) {
			this.#known.clear();
			this.#asked.clear();
		}
		this.#revision = snapshot.revision;
	}
}

type Asked = Pick<LanguageServer, "config" | "request">;

/** Empty for a file that none includes; undefined if the server does not name it. */
async function configurationOf(server: Asked, path: string, signal?: AbortSignal): Promise<string | undefined> {
	if (server.config.strategy === "tsserver") {
		const args = { file: path, needFileNameList: false };
		const { configFileName } = await requestTsserver<{ configFileName?: string }>(server, "projectInfo", args, signal);
		// Loose files have the project /dev/null/inferredProject1*.
		return configFileName?.includes("inferredProject") ? "" : configFileName;
	}
	// TypeScript 7 answers "" for a file that no configuration includes.
	const answer = await server.request<{ configFilePath?: string } | null>(
		"custom/projectInfo",
		{ textDocument: { uri: toUri(path) } },
		signal,
	);
	return answer?.configFilePath;
}

interface Project {
	readonly config: string;
	readonly isSolution: boolean;
}

async function projectOf(path: string, root: string, directories: Directories): Promise<Project | undefined> {
	if (!isInside(path, root)) return undefined;
	const config = await nearestTypescriptConfig(path, root, directories);
	return config && { config: config.path, isSolution: /"files"\s*:\s*\[\s*\]/.test(config.text) };
}
