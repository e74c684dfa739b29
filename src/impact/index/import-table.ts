import type { Target } from "./import-targets.ts";
import type { Imports } from "./imports.ts";

const bitsEach = 3;
const bitsMask = (1 << bitsEach) - 1;

/** Who imports what in one family of languages. Files and keys are numbers, so that a large tree takes little room. */
export class ImportTable {
	readonly #ids = new Map<string, number>();
	readonly #keys: string[] = [];
	/** By key: the files that import it, each with its bits in the low end. */
	readonly #importers: number[][] = [];
	/** By file: what it imports, each with its bits in the low end. */
	readonly #imports = new Map<number, readonly number[]>();
	/** By last word: the keys of several words. */
	readonly #byWord = new Map<string, number[]>();
	/** By last word: the places that a key may lead to. */
	readonly #places = new Map<string, string[]>();
	/** Whether keys of several words lead to a place, until one comes or goes. */
	readonly #leads = new Map<string, boolean>();
	readonly #hasNames: boolean;

	/** `hasNames`: the last word of a key may be a name out of a module instead of a module, as Python writes it. */
	constructor(hasNames: boolean) {
		this.#hasNames = hasNames;
	}

	/** Sets what a file imports and says whether that is something else than before. */
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

	addPlace(place: string): void {
		this.#leads.clear();
		const word = wordOf(place);
		const places = this.#places.get(word);
		if (places) places.push(place);
		else this.#places.set(word, [place]);
	}

	removePlace(place: string): void {
		this.#leads.clear();
		const places = this.#places.get(wordOf(place));
		const at = places?.indexOf(place) ?? -1;
		if (at >= 0) places?.splice(at, 1);
	}

	/** The files that import a target, each with its bits. */
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

	/** True if a key leads to a file of its own, or can only be a name out of one. */
	#isDecided(key: string): boolean {
		if (this.#leadsSomewhere(key)) return true;
		return this.#hasNames && this.#leadsSomewhere(key.slice(0, key.lastIndexOf("/")));
	}

	#leadsSomewhere(key: string): boolean {
		const known = this.#leads.get(key);
		if (known !== undefined) return known;
		const leads = (this.#places.get(wordOf(key)) ?? []).some((place) => place.endsWith(`/${key}`));
		this.#leads.set(key, leads);
		return leads;
	}

	#idOf(key: string): number {
		const known = this.#ids.get(key);
		if (known !== undefined) return known;
		const id = this.#keys.length;
		// A piece of a text keeps all of the text: this one is written anew.
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
