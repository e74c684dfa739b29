import { basename, dirname, extname, relative } from "node:path";
import { Directories, directoriesUp } from "../../project/directories.ts";
import { goModulePath } from "../../project/manifests/go-mod.ts";
import { isScript, tailOf, withoutExtension } from "./imports.ts";
import { familyOf } from "./sources.ts";

export interface Target {
	readonly keys: readonly string[];
	readonly words: readonly string[];
	/** Such keys always mean the file. */
	readonly isLoose: boolean;
}

const headers = [".h", ".hh", ".hpp", ".hxx"];
const scriptIndex = /^(?:index|main|mod)$/;

/** Keys end with it: the path of a Python module, a C header, a Go directory. */
export function locationKey(path: string): string | undefined {
	switch (familyOf(path)) {
		case "python": {
			const module = withoutExtension(path).replace(/-stubs(?=\/)/, "");
			return module.endsWith("/__init__") ? dirname(module) : module;
		}
		case "c":
			return path;
		case "go":
			return dirname(path);
		default:
			return undefined;
	}
}

export class ImportTargets {
	readonly #root: string;
	#directories = new Directories();

	constructor(root: string) {
		this.#root = root;
	}

	static isManifest(path: string): boolean {
		return /^(?:package\.json|go\.mod)$/.test(basename(path));
	}

	forget(): void {
		this.#directories = new Directories();
	}

	async of(path: string): Promise<Target> {
		switch (familyOf(path)) {
			case "python": {
				const module = locationKey(path) ?? path;
				const keys = [withoutExtension(path), module, ...endsOf(module)];
				return { keys, words: [basename(module)], isLoose: false };
			}
			case "c":
				return targetOfC(path);
			case "go": {
				const directory = dirname(path);
				const name = await this.#importPathOf(directory);
				if (name !== undefined) return { keys: [directory, name], words: [], isLoose: false };
				return { keys: [directory, ...endsOf(directory)], words: [basename(directory)], isLoose: false };
			}
			case "data":
				return { keys: [path, ...(await this.#keysOfScript(path))], words: [], isLoose: false };
			default:
				return { keys: await this.#keysOfScript(path), words: [], isLoose: false };
		}
	}

	async #keysOfScript(path: string): Promise<string[]> {
		const stem = withoutExtension(path);
		const name = basename(stem);
		const isIndex = isScript(path) && scriptIndex.test(name);
		const keys = [stem, name, ...(isIndex ? [dirname(path), basename(dirname(path))] : [])];
		const found = isScript(path) ? await this.#packageOf(dirname(path)) : undefined;
		if (found && (isIndex || found.manifest.includes(name))) keys.push(found.name);
		return keys;
	}

	async #packageOf(directory: string): Promise<Package | undefined> {
		for (const above of directoriesUp(directory, this.#root)) {
			const manifest = await this.#directories.text(above, "package.json");
			if (manifest === undefined) continue;
			const name = /"name"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
			return name === undefined ? undefined : { name: tailOf(name), manifest };
		}
		return undefined;
	}

	async #importPathOf(directory: string): Promise<string | undefined> {
		for (const above of directoriesUp(directory, "/")) {
			const manifest = await this.#directories.text(above, "go.mod");
			const module = goModulePath(manifest ?? "");
			if (module === undefined) continue;
			const rest = relative(above, directory);
			return rest === "" ? module : `${module}/${rest}`;
		}
		return undefined;
	}
}

interface Package {
	readonly name: string;
	readonly manifest: string;
}

function targetOfC(path: string): Target {
	const keys = [path, ...endsOf(path)];
	const extension = extname(path);
	if (!/^\.(?:c|cc|cpp|cxx|m|mm)$/.test(extension)) return { keys, words: [basename(path)], isLoose: false };
	const stem = path.slice(0, -extension.length);
	const names = headers.map((header) => basename(stem) + header);
	const headersNextTo = headers.map((header) => stem + header);
	return { keys: [...keys, ...headersNextTo, ...names], words: [basename(path), ...names], isLoose: true };
}

function endsOf(path: string): string[] {
	const words = path.split("/").filter(Boolean);
	return words.map((_, index) => words.slice(index).join("/")).reverse();
}
