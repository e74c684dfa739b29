import { basename } from "node:path";
import type { ServerCapabilities, WorkspaceFolder } from "vscode-languageserver-protocol";
import { toUri } from "../util/positions.ts";

export class Folders {
	readonly #root: string;
	readonly #added = new Set<string>();

	constructor(root: string) {
		this.#root = root;
	}

	get paths(): string[] {
		return [this.#root, ...this.#added];
	}

	get list(): WorkspaceFolder[] {
		return this.paths.map(folderOf);
	}

	/** Parameters of `workspace/didChangeWorkspaceFolders`. */
	add(path: string): object | undefined {
		if (this.paths.includes(path)) return undefined;
		this.#added.add(path);
		return { event: { added: [folderOf(path)], removed: [] } };
	}

	remove(path: string): object | undefined {
		return this.#added.delete(path) ? { event: { added: [], removed: [folderOf(path)] } } : undefined;
	}
}

export function takesFolders({ workspace }: ServerCapabilities): boolean {
	const { supported, changeNotifications } = workspace?.workspaceFolders ?? {};
	return supported === true && changeNotifications !== undefined && changeNotifications !== false;
}

function folderOf(path: string): WorkspaceFolder {
	return { uri: toUri(path), name: basename(path) || path };
}
