import type { Names } from "./visible-change.ts";

/** A file that some names may have reached. */
export interface Candidate {
	readonly path: string;
	/** What came to it, each from one side. */
	readonly names: ReadonlySet<Names>;
	/** True if it is affected whatever its text holds. */
	readonly isSure: boolean;
}

/** The files that are equally far from what changed, each once. */
export class Candidates {
	readonly #all = new Map<string, { path: string; names: Set<Names>; isSure: boolean; origin: string }>();

	/** Names of the changed file `origin` may have reached a file. */
	add(path: string, names: Names, origin: string): void {
		this.#at(path, origin).names.add(names);
	}

	/** The same for a file that need not hold the names. */
	addSurely(path: string, origin: string): void {
		this.#at(path, origin).isSure = true;
	}

	/** Those with the fewest directories between them and what changed first. */
	nearestFirst(): Candidate[] {
		const ranked = [...this.#all.values()].map((candidate) => ({
			candidate,
			steps: stepsBetween(candidate.origin, candidate.path),
		}));
		ranked.sort((a, b) => a.steps - b.steps || (a.candidate.path < b.candidate.path ? -1 : 1));
		return ranked.map(({ candidate }) => candidate);
	}

	#at(path: string, origin: string) {
		const known = this.#all.get(path);
		if (known) return known;
		const candidate = { path, names: new Set<Names>(), isSure: false, origin };
		this.#all.set(path, candidate);
		return candidate;
	}
}

/** How many directories are left and entered on the way from one file to another. */
function stepsBetween(from: string, to: string): number {
	let common = 0;
	for (let at = 0; at < from.length && from[at] === to[at]; at++) if (from[at] === "/") common = at + 1;
	return slashesAfter(from, common) + slashesAfter(to, common);
}

function slashesAfter(path: string, start: number): number {
	let count = 0;
	for (let at = path.indexOf("/", start); at >= 0; at = path.indexOf("/", at + 1)) count++;
	return count;
}
