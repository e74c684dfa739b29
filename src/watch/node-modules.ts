import type { Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { localRealPath } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import type { Change, ChangeKind } from "./batch.ts";
import { type DirectoryNode, readableEntries, statOf, tickMs } from "./directory-node.ts";

export const installMarkers: ReadonlySet<string> = new Set([
	".package-lock.json",
	".yarn-integrity",
	".yarn-state.yml",
	".modules.yaml",
]);

const maxInPackage = 500;
const maxInSweep = 5000;

export function isPackage(directory: DirectoryNode, name: string): boolean {
	return directory.kind === "packages" && !name.startsWith(".");
}

export interface PackageComparison {
	readonly isEvent: boolean;
	/** In ms since 1970; an unknown package with an older manifest is not new. */
	readonly since: number;
	readonly byTime: boolean;
}

/** By manifests' times; reports what TypeScript 7 needs (docs/facts.md, 23). */
export class NodeModules {
	readonly #root: string;
	readonly #isCode: (name: string) => boolean;
	/** To files and directories of the tree. */
	readonly #links = new Map<string, string>();
	#left = maxInSweep;

	constructor(root: string, isCode: (name: string) => boolean) {
		this.#root = root;
		this.#isCode = isCode;
	}

	begin(): void {
		this.#left = maxInSweep;
	}

	/** TypeScript 7 looks for a missing file by a path through links (docs/facts.md, 42); other links are read through. */
	linkedPaths(path: string, kind: ChangeKind): string[] {
		return [...this.#links].flatMap(([link, target]) =>
			isInside(path, target) && (kind === "created" || !isInstalled(link)) ? [join(link, relative(target, path))] : [],
		);
	}

	added(directory: DirectoryNode, name: string): Change[] {
		directory.files.set(name, 0);
		const path = join(directory.path, name);
		this.follow(path, statOf(path));
		return withManifest(directory, name, "created");
	}

	removed(directory: DirectoryNode, name: string): Change[] {
		return withManifest(directory, name, "deleted");
	}

	compare(directory: DirectoryNode, name: string, { isEvent, since, byTime }: PackageComparison): Change[] {
		const path = join(directory.path, name);
		const link = statOf(path);
		this.follow(path, link);
		const time = Math.max(statOf(join(path, "package.json"))?.ctimeMs ?? 0, link?.isSymbolicLink() ? link.ctimeMs : 0);
		const known = directory.files.get(name);
		directory.files.set(name, time > Date.now() - tickMs ? 0 : time);
		const isReplaced = isEvent || (known && !byTime ? time !== known : time >= since - tickMs);
		if (!isReplaced) return [];
		const kind = byTime ? "refreshed" : "changed";
		return this.#filesOf(path).map((file) => ({ path: file, kind }));
	}

	unlinked(path: string): void {
		this.#links.delete(path);
	}

	follow(path: string, info: Stats | undefined): void {
		const target = info?.isSymbolicLink() ? localRealPath(path) : undefined;
		const isOfTree = target !== undefined && isInside(target, this.#root) && !isInstalled(target);
		if (isOfTree && !isInside(path, target)) this.#links.set(path, target);
		else this.#links.delete(path);
	}

	#filesOf(directory: string): string[] {
		const max = Math.min(maxInPackage, this.#left);
		const found: string[] = [];
		const wave = [directory];
		for (let path = wave.shift(); path !== undefined && found.length < max; path = wave.shift())
			for (const entry of readableEntries(path)) {
				if (entry.isDirectory()) {
					if (entry.name !== "node_modules") wave.push(join(path, entry.name));
				} else if (this.#isCode(entry.name)) found.push(join(path, entry.name));
			}
		this.#left -= Math.min(found.length, max);
		return [join(directory, "package.json"), ...found.slice(0, max)];
	}
}

function isInstalled(path: string): boolean {
	return path.split(sep).includes("node_modules");
}

function withManifest(directory: DirectoryNode, name: string, kind: "created" | "deleted"): Change[] {
	const path = join(directory.path, name);
	return [
		{ path, kind },
		{ path: join(path, "package.json"), kind },
	];
}
