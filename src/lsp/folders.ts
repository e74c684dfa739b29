import { basename } from "node:path";
import type { ServerCapabilities, WorkspaceFolder } from "vscode-languageserver-protocol";
import { toUri } from "../util/positions.ts";

/** The directories that a server counts as its workspace: its root, and what somebody has added. */
export class Folders {
	readonly #root: string;
	readonly #added = new Set<string>();

	constructor(root: string) {
		this.#root = root;
	}

	/** Absolute paths, the root first. */
	get paths(): string[] {
		return [this.#root, ...this.#added];
	}

	/** As the protocol has them. */
	get list(): WorkspaceFolder[] {
		return this.paths.map(folderOf);
	}

	/** What to tell the server, or undefined if it has the directory already. */
	add(path: string): object | undefined {
		if (this.paths.includes(path)) return undefined;
		this.#added.add(path);
		return { event: { added: [folderOf(path)], removed: [] } };
	}

	/** What to tell the server, or undefined if it does not have it; its root stays. */
	remove(path: string): object | undefined {
		return this.#added.delete(path) ? { event: { added: [], removed: [folderOf(path)] } } : undefined;
	}
}

/** True if a server hears of directories that are added after its start. */
export function takesFolders({ workspace }: ServerCapabilities): boolean {
	const { supported, changeNotifications } = workspace?.workspaceFolders ?? {};
	return supported === true && changeNotifications !== undefined && changeNotifications !== false;
}

function folderOf(path: string): WorkspaceFolder {
	return { uri: toUri(path), name: basename(path) || path };
}
