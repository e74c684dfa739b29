import { dirname } from "node:path";

interface Folder {
	readonly path: string;
	readonly own: string[];
	readonly below: Map<string, Folder>;
	all: number;
}

export interface ChosenFolder {
	/** Relative to the root, `.` for it. */
	readonly path: string;
	/** Absent for all below it. */
	readonly isOwn?: true;
	readonly files: readonly string[];
}

/** Splits the largest folders first, up to `most`; one with over half of all files in any case. Paths are relative. */
export function chooseFolders(files: readonly string[], most: number): ChosenFolder[] {
	const root: Folder = { path: ".", own: [], below: new Map(), all: 0 };
	const known = new Map([[".", root]]);
	for (const file of files) {
		const folder = folderAt(dirname(file), known);
		folder.own.push(file);
		for (let at: Folder | undefined = folder; at; at = at === root ? undefined : known.get(dirname(at.path))) at.all++;
	}
	const whole = new Set([root]);
	const split = new Set<Folder>();
	const kept = new Set<Folder>();
	for (;;) {
		const [largest] = [...whole].filter((each) => each.below.size > 0 && !kept.has(each)).sort((a, b) => b.all - a.all);
		if (!largest) break;
		const isMain = largest.all * 2 > files.length;
		const more = largest.below.size - 1 + (largest.own.length > 0 ? 1 : 0);
		if (!isMain && whole.size + [...split].filter(({ own }) => own.length > 0).length + more > most) {
			kept.add(largest);
			continue;
		}
		whole.delete(largest);
		split.add(largest);
		for (const below of largest.below.values()) whole.add(below);
	}
	const chosen = [
		...[...split]
			.filter(({ own }) => own.length > 0)
			.map(({ path, own }) => ({ path, isOwn: true as const, files: own })),
		...[...whole].filter(({ all }) => all > 0).map((folder) => ({ path: folder.path, files: allIn(folder) })),
	];
	return chosen.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function folderAt(path: string, known: Map<string, Folder>): Folder {
	const found = known.get(path);
	if (found) return found;
	const folder: Folder = { path, own: [], below: new Map(), all: 0 };
	known.set(path, folder);
	folderAt(dirname(path), known).below.set(path, folder);
	return folder;
}

function allIn({ own, below }: Folder): string[] {
	return [...own, ...[...below.values()].flatMap(allIn)];
}
