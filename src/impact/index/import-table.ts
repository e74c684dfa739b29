import type { Target } from "./import-targets.ts";
import type { Imports } from "./imports.ts";

const bitsEach = 3;
const bitsMask = (1 << bitsEach) - 1;

export class ImportTable {
	readonly #ids = new Map<string, number>();
	readonly #keys: string[] = [];
	/** By key, with bits in the low end. */
	readonly #importers: number[][] = [];
	readonly #imports = new Map<number, readonly number[]>();
	/** Keys of several words, by the last. */
	readonly #byWord = new Map<string, number[]>();
	/** By last word. */
	readonly #locations = new Map<string, string[]>();
	readonly #isFound = new Map<string, boolean>();
	readonly #hasNames: boolean;

	/** `hasNames`: keys may end with a name in a module, as in Python. */
	constructor(hasNames: boolean) {
		this.#hasNames = hasNames;
	}

	set(file: number, imports: Imports): boolean {
		const next = [...imports].map(([key, bits]) => (this.#idOf(key) << bitsEach) | bits);
		const before = this.#imports.get(file);
		if (before?.length === next.length && before.every((each, index) => each === next[index])) return false;
		this.delete(file);
		this.#imports.set(file, next);
		for (const each of next) this.#importers[each >> bitsEach]?.push((file << bitsEach) | (each & bitsMask));
		return true;
	}

	delete(file: number): void {
		for (const each of this.#imports.get(file) ?? []) {
			const importers = this.#importers[each >> bitsEach] ?? [];
			const at = importers.indexOf((file << bitsEach) | (each & bitsMask));
			const last = importers.pop();
			if (last !== undefined && at < importers.length) importers[at] = last;
		}
		this.#imports.delete(file);
	}

	addLocation(path: string): void {
		this.#isFound.clear();
		const word = wordOf(path);
		const locations = this.#locations.get(word);
		if (locations) locations.push(path);
		else this.#locations.set(word, [path]);
	}

	removeLocation(path: string): void {
		this.#isFound.clear();
		const locations = this.#locations.get(wordOf(path));
		const at = locations?.indexOf(path) ?? -1;
		if (at >= 0) locations?.splice(at, 1);
	}

	importersOf({ keys, words, isLoose }: Target): Map<number, number> {
		const found = new Map<number, number>();
		const seen = new Set<number>();
		const take = (id: number) => {
			if (seen.has(id)) return;
			seen.add(id);
			for (const each of this.#importers[id] ?? []) {
				const file = each >> bitsEach;
				found.set(file, (found.get(file) ?? 0) | (each & bitsMask));
			}
		};
		for (const key of keys) {
			const id = this.#ids.get(key);
			if (id !== undefined) take(id);
		}
		for (const word of words)
			for (const id of this.#byWord.get(word) ?? []) if (isLoose || !this.#isDecided(this.#keys[id] ?? "")) take(id);
		return found;
	}

	#isDecided(key: string): boolean {
		if (this.#meansLocation(key)) return true;
		return this.#hasNames && this.#meansLocation(key.slice(0, key.lastIndexOf("/")));
	}

	#meansLocation(key: string): boolean {
		const known = this.#isFound.get(key);
		if (known !== undefined) return known;
		const isFound = (this.#locations.get(wordOf(key)) ?? []).some((location) => location.endsWith(`/${key}`));
		this.#isFound.set(key, isFound);
		return isFound;
	}

	#idOf(key: string): number {
		const known = this.#ids.get(key);
		if (known !== undefined) return known;
		const id = this.#keys.length;
		// A slice would keep its whole text in memory.
		const own = Buffer.from(key).toString();
		this.#ids.set(own, id);
		this.#keys.push(own);
		this.#importers.push([]);
		if (!own.startsWith("/") && own.includes("/")) {
			const word = wordOf(own);
			const ids = this.#byWord.get(word);
			if (ids) ids.push(id);
			else this.#byWord.set(word, [id]);
		}
		return id;
	}
}

function wordOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
