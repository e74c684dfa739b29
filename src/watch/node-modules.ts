import { join } from "node:path";
import type { Change } from "./batch.ts";
import { entriesOf, type Folder, listed, statOf, tickMs } from "./directory-node.ts";

/** Files at the top of `node_modules` that package managers write when they have changed anything below. */
export const installMarks: ReadonlySet<string> = new Set([
	".package-lock.json",
	".yarn-integrity",
	".yarn-state.yml",
	".modules.yaml",
]);

/** Files that are reported of one replaced package, and of all of them together in one sweep. */
const maxInPackage = 500;
const maxInSweep = 5000;

/**
 * The packages of `node_modules` and of its scopes, by name and by the time of their manifest. Their files are not
 * watched. What TypeScript 7.0.2 makes of changes there was measured:
 * - a package that came is looked up again when its `package.json` is `created`; the lock file alone does nothing;
 * - a directory that is `deleted` takes its files along;
 * - of a package that was replaced only `changed` files are read again (`created` is not enough), so they are listed.
 */
export class NodeModules {
	readonly #isCode: (name: string) => boolean;
	#left = maxInSweep;

	constructor(isCode: (name: string) => boolean) {
		this.#isCode = isCode;
	}

	/** Begins a new sweep: the number of files that may be reported is full again. */
	begin(): void {
		this.#left = maxInSweep;
	}

	/** True for a name that is a package's and not a package manager's own. */
	isPackage(folder: Folder, name: string): boolean {
		return folder.kind === "packages" && !name.startsWith(".");
	}

	appeared(folder: Folder, name: string): Change[] {
		folder.files.set(name, 0);
		return this.#both(folder, name, "created");
	}

	disappeared(folder: Folder, name: string): Change[] {
		return this.#both(folder, name, "deleted");
	}

	/** What to report of a known package: nothing, or its files if it was replaced (`surely`, or later than `since`). */
	compared(folder: Folder, name: string, surely: boolean, since: number, caughtUp: boolean): Change[] {
		const path = join(folder.path, name);
		const link = statOf(path);
		const time = Math.max(statOf(join(path, "package.json"))?.ctimeMs ?? 0, link?.isSymbolicLink() ? link.ctimeMs : 0);
		const known = folder.files.get(name);
		folder.files.set(name, time > Date.now() - tickMs ? 0 : time);
		const moved = surely || (known && !caughtUp ? time !== known : time >= since - tickMs);
		if (!moved) return [];
		const kind = caughtUp ? "refreshed" : "changed";
		return this.#filesOf(path).map((file) => ({ path: file, kind }));
	}

	#both(folder: Folder, name: string, kind: "created" | "deleted"): Change[] {
		const path = join(folder.path, name);
		return [
			{ path, kind },
			{ path: join(path, "package.json"), kind },
		];
	}

	#filesOf(directory: string): string[] {
		const most = Math.min(maxInPackage, this.#left);
		const found: string[] = [];
		const wave = [directory];
		for (let path = wave.shift(); path !== undefined && found.length < most; path = wave.shift())
			for (const entry of listed(entriesOf(path))) {
				if (entry.isDirectory()) {
					if (entry.name !== "node_modules") wave.push(join(path, entry.name));
				} else if (this.#isCode(entry.name)) found.push(join(path, entry.name));
			}
		this.#left -= Math.min(found.length, most);
		return [join(directory, "package.json"), ...found.slice(0, most)];
	}
}
