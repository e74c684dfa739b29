import type { Names } from "./visible-change.ts";

export const noNames: ReadonlySet<string> = new Set<string>([]);

export function isNone(names: Names): boolean {
	return names?.size === 0;
}

/** May return its argument. */
export function union(one: Names, other: Names): Names {
	if (one === undefined || other === undefined) return undefined;
	if (one === other || other.size === 0) return one;
	return one.size === 0 ? other : new Set([...one, ...other]);
}

export class NamesByFile {
	readonly #taken = new Map<string, Names[]>();

	take(path: string, names: Names): Names {
		const before = this.#taken.get(path);
		if (!before) {
			if (!isNone(names)) this.#taken.set(path, [names]);
			return names;
		}
		if (before.includes(undefined)) return noNames;
		const further = names && new Set([...names].filter((name) => !before.some((taken) => taken?.has(name))));
		const fresh = further?.size === names?.size ? names : further;
		if (!isNone(fresh)) before.push(fresh);
		return fresh;
	}
}
