import { dirname, join, relative, sep } from "node:path";
import { type DirectoryKind, type DirectoryNode, findDirectory } from "./directory-node.ts";
import { containsCode, Ignores, isForeignName } from "./ignores.ts";
import { isPackage } from "./node-modules.ts";

export class Selection {
	readonly ignores: Ignores;
	readonly #isDeep: boolean;
	readonly #isCode: (name: string) => boolean;

	constructor(root: string, isDeep: boolean, isCode: (name: string) => boolean) {
		this.ignores = new Ignores(root);
		this.#isDeep = isDeep;
		this.#isCode = isCode;
	}

	/** Undefined for an unwatched directory. New ones are watched even if git ignores them. */
	kindOf(parent: DirectoryNode, name: string, isNew: boolean): DirectoryKind | undefined {
		if (parent.kind === "packages")
			return name.startsWith("@") && parent.name === "node_modules" ? "packages" : undefined;
		if (name === "node_modules") return "packages";
		if (!this.#isDeep || isForeignName(name)) return undefined;
		const path = join(parent.path, name);
		if (isNew || !this.ignores.ignores(path) || containsCode(path, this.#isCode)) return "code";
		return "ignored";
	}

	wants(top: DirectoryNode, path: string, isDirectory: boolean): boolean {
		const parent = findDirectory(top, dirname(path));
		if (parent === undefined) return !relative(top.path, path).split(sep).some(isForeignName);
		if (parent.kind === "ignored") return false;
		const name = path.slice(path.lastIndexOf(sep) + 1);
		if (!isDirectory) return !isPackage(parent, name);
		const known = parent.directories.get(name);
		return known ? known.kind !== "ignored" : this.kindOf(parent, name, true) !== undefined;
	}
}
