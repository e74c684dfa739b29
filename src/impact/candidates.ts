import type { Names } from "./visible-change.ts";

export interface Candidate {
	readonly path: string;
	readonly names: ReadonlySet<Names>;
	/** Affected whatever its text contains. */
	readonly isSure: boolean;
}

export class Candidates {
	readonly #all = new Map<string, { path: string; names: Set<Names>; isSure: boolean; origin: string }>();

	add(path: string, names: Names, origin: string): void {
		this.#at(path, origin).names.add(names);
	}

	addSurely(path: string, origin: string): void {
		this.#at(path, origin).isSure = true;
	}

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
