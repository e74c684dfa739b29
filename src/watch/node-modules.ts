import { join } from "node:path";
import type { Change } from "./batch.ts";
import { type DirectoryNode, readableEntries, statOf, tickMs } from "./directory-node.ts";

/** Files at the top of `node_modules` that package managers write after every change below. */
export const installMarkers: ReadonlySet<string> = new Set([
	".package-lock.json",
	".yarn-integrity",
	".yarn-state.yml",
	".modules.yaml",
]);

/** Files that are reported of one replaced package, and of all replaced packages of one sweep. */
const maxInPackage = 500;
const maxInSweep = 5000;

/** True for the name of a package in its directory, and not of a package manager's own file. */
export function isPackage(directory: DirectoryNode, name: string): boolean {
	return directory.kind === "packages" && !name.startsWith(".");
}

/** How a package is compared with the disk. */
export interface PackageComparison {
	/** True after an event of the package itself: it counts as replaced whatever its times are. */
	readonly isEvent: boolean;
	/** Milliseconds since the epoch: a package that is not known yet counts as replaced if its manifest is not older. */
	readonly since: number;
	/** True if a known package is compared with `since` as well. */
	readonly byTime: boolean;
}

/**
 * The packages of `node_modules` and its scopes, by name and by the time of their manifest; their files are not watched.
 * The changes that are reported are those after which TypeScript 7 looks packages up again (docs/facts.md, 23).
 */
export class NodeModules {
	readonly #isCode: (name: string) => boolean;
	#left = maxInSweep;

	constructor(isCode: (name: string) => boolean) {
		this.#isCode = isCode;
	}

	/** Begins a sweep, with its own limit of reported files. */
	begin(): void {
		this.#left = maxInSweep;
	}

	added(directory: DirectoryNode, name: string): Change[] {
		directory.files.set(name, 0);
		return withManifest(directory, name, "created");
	}

	removed(directory: DirectoryNode, name: string): Change[] {
		return withManifest(directory, name, "deleted");
	}

	/** The files of a package, if it was replaced. */
	compare(directory: DirectoryNode, name: string, { isEvent, since, byTime }: PackageComparison): Change[] {
		const path = join(directory.path, name);
		const link = statOf(path);
		const time = Math.max(statOf(join(path, "package.json"))?.ctimeMs ?? 0, link?.isSymbolicLink() ? link.ctimeMs : 0);
		const known = directory.files.get(name);
		directory.files.set(name, time > Date.now() - tickMs ? 0 : time);
		const isReplaced = isEvent || (known && !byTime ? time !== known : time >= since - tickMs);
		if (!isReplaced) return [];
		const kind = byTime ? "refreshed" : "changed";
		return this.#filesOf(path).map((file) => ({ path: file, kind }));
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

function withManifest(directory: DirectoryNode, name: string, kind: "created" | "deleted"): Change[] {
	const path = join(directory.path, name);
	return [
		{ path, kind },
		{ path: join(path, "package.json"), kind },
	];
}
