import { relative, sep } from "node:path";
import { isInside } from "../util/paths.ts";
import type { Folder } from "./directory-node.ts";

/** So many directories that were asked for are found without a search. */
const maxKept = 1000;

/** Finds the known folders of a tree by their paths. Asked 64 times in front of each question, so what was found is kept. */
export class FolderFinder {
	readonly #top: Folder;
	readonly #found = new Map<string, Folder>();

	constructor(top: Folder) {
		this.#top = top;
	}

	find(directory: string): Folder | undefined {
		const known = this.#found.get(directory);
		if (known && !known.gone) return known;
		const folder = this.#search(directory);
		if (!folder) return undefined;
		if (this.#found.size >= maxKept) this.#found.clear();
		this.#found.set(directory, folder);
		return folder;
	}

	#search(directory: string): Folder | undefined {
		const top = this.#top;
		if (!isInside(directory, top.path)) return undefined;
		let folder: Folder | undefined = top;
		for (const name of relative(top.path, directory).split(sep)) if (name) folder = folder?.folders.get(name);
		return folder;
	}
}

/** The known folder that holds a path which a recursive watch reported, and the name in it to look at. */
export function holderOf(top: Folder, path: string): [Folder, string] {
	let folder = top;
	for (const part of path.split(sep)) {
		const next = folder.folders.get(part);
		if (!next) return [folder, part];
		folder = next;
	}
	return [folder.parent ?? top, folder.name];
}
