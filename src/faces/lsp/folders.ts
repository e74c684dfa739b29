import { dirname } from "node:path";
import type { InitializeParams, WorkspaceFoldersChangeEvent } from "vscode-languageserver-protocol";
import { realPathOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import { toPath } from "../../util/positions.ts";

export class EditorFolders {
	#paths: string[] = [];

	begin({ workspaceFolders, rootUri, rootPath }: Partial<InitializeParams>): void {
		const folders = Array.isArray(workspaceFolders) ? workspaceFolders.flatMap(({ uri }) => pathOf(uri) ?? []) : [];
		const root = pathOf(rootUri) ?? (typeof rootPath === "string" ? rootPath : undefined);
		this.#paths = folders.length > 0 ? folders : root === undefined ? [] : [root];
	}

	change({ added, removed }: WorkspaceFoldersChangeEvent): void {
		const gone = new Set(removed.map(({ uri }) => pathOf(uri)));
		const more = added.flatMap(({ uri }) => pathOf(uri) ?? []);
		this.#paths = [...new Set([...this.#paths.filter((path) => !gone.has(path)), ...more])];
	}

	get all(): readonly string[] {
		return this.#paths.length > 0 ? this.#paths : [process.cwd()];
	}

	of(path: string): string {
		const around = this.all.filter((folder) => isInside(path, folder));
		const [nearest] = around.sort((one, other) => other.length - one.length);
		return nearest ?? this.#paths[0] ?? dirname(path);
	}

	/** Links may lead to the editor's folder. */
	async naming(): Promise<(path: string) => string> {
		const folders = await Promise.all(this.all.map(async (folder) => [folder, await realPathOf(folder)] as const));
		return (path) => {
			for (const [folder, real] of folders)
				if (real !== undefined && real !== folder && isInside(path, real)) return folder + path.slice(real.length);
			return path;
		};
	}
}

function pathOf(uri: unknown): string | undefined {
	return typeof uri === "string" ? toPath(uri) : undefined;
}
