import { basename, extname } from "node:path";
import { TimeSlices } from "../util/time-slices.ts";
import { type Candidate, Candidates } from "./candidates.ts";
import { inherits, macrosIn } from "./compare.ts";
import type { FileIndex } from "./index/file-index.ts";
import { hasImports, isScript, isSeenByImporters } from "./index/imports.ts";
import { familyOf, isSource } from "./index/sources.ts";
import { isNone, NamesByFile, noNames, union } from "./names-by-file.ts";
import { NameSearches } from "./outline/identifier-filter.ts";
import { type Names, passedOn } from "./visible-change.ts";

/** Texts that are read at once: the first files are told of as soon as these are there. */
const textsAtOnce = 20;

/** What others may see of the change of one file. */
export interface Change {
	readonly path: string;
	/** Those that mean something else now, for whatever reason, or are gone; undefined is any name. */
	readonly changed: Names;
	/** Those of them that are gone: what follows from such a name in other files is told of nowhere else. */
	readonly gone: ReadonlySet<string>;
	/** Those that were not there before. */
	readonly added: ReadonlySet<string>;
	/** True if files see the names that do not import the file. */
	readonly everywhere: boolean;
	/** True if the file came or went: who imports it sees that, whatever it names. */
	readonly isWhole: boolean;
}

interface Affected {
	readonly path: string;
	/** 1: imports the file or sees it through re-exports; 2: through a declaration of one of those; and so on. */
	readonly distance: number;
}

export interface SearchOptions {
	/** What it has read is what is searched: somebody waits for its `read` before. */
	readonly index: FileIndex;
	readonly signal: AbortSignal;
	/** Waited for before what a found file passes on is worked out: the files that were found are asked about first. */
	readonly mayGoOn?: () => Promise<void>;
	/** The text of a file as the server has it; undefined if it cannot be read. */
	readonly textOf: (path: string) => Promise<string | undefined>;
	/** Called with each file at once, the nearest first, and once. */
	readonly found: (affected: Affected) => void;
}

/** Names that a file gives to those that see it. */
interface Given {
	readonly path: string;
	readonly names: Names;
	readonly added: ReadonlySet<string>;
	readonly everywhere: boolean;
	/** The changed file, or the one that was found before, from which this comes. */
	readonly origin: string;
}

/** A file that holds names of which its importers may see something. */
interface Met {
	readonly path: string;
	readonly held: Names;
}

/**
 * Finds the files that may see some changes, by texts alone: those that import a changed file and hold one of its
 * names, and those that see it through what these declare or pass on in turn. In languages whose imports are not read,
 * and for names that are seen everywhere, every file that holds a name counts as one that imports it. Resolves when all
 * are found, or soon after the signal ends.
 */
export async function findAffected(changes: readonly Change[], options: SearchOptions): Promise<void> {
	await new Search(changes, options).run();
}

class Search {
	readonly #changes: readonly Change[];
	readonly #changed: ReadonlySet<string>;
	readonly #gone: readonly string[];
	readonly #options: SearchOptions;
	readonly #slices = new TimeSlices();
	/** By file: the names that those that see it were given, and the ones that were added. */
	readonly #given = new NamesByFile();
	readonly #givenAsAdded = new NamesByFile();
	/** By file: the names whose effect on it has been worked out. */
	readonly #done = new NamesByFile();
	readonly #found = new Set<string>();
	readonly #searches = new NameSearches();

	constructor(changes: readonly Change[], options: SearchOptions) {
		this.#changes = changes;
		this.#changed = new Set(changes.map(({ path }) => path));
		this.#gone = changes.flatMap(({ gone }) => [...gone]);
		this.#options = options;
	}

	async run(): Promise<void> {
		const importers = await this.#importersOfWhole();
		let wave = this.#changes.map(({ path, changed, added, everywhere }): Given => {
			return { path, names: changed, added, everywhere, origin: path };
		});
		for (let distance = 1; wave.length > 0 && !this.#isOver; distance++) {
			const reached = await this.#reached(wave);
			if (distance === 1) for (const { path, origin } of importers) reached.addSurely(path, origin);
			const met = await this.#meet(reached.nearestFirst(), distance);
			wave = [];
			// To find out what they pass on takes the longest: those who are affected for sure are told of before.
			for (const each of met) {
				if (this.#slices.isOver) await this.#slices.next();
				await this.#options.mayGoOn?.();
				const text = await this.#options.textOf(each.path);
				if (this.#isOver) return;
				const given = text === undefined ? undefined : await this.#givenBy(each, text, distance);
				if (given) wave.push(given);
			}
			await this.#slices.next();
		}
	}

	get #isOver(): boolean {
		return this.#options.signal.aborted;
	}

	/** The direct importers of files that came or went. */
	async #importersOfWhole(): Promise<{ readonly path: string; readonly origin: string }[]> {
		const whole = this.#changes.filter(({ isWhole }) => isWhole).map(({ path }) => path);
		const found = whole.map(async (origin) => {
			const importers = await this.#options.index.importers(origin);
			return importers.map(({ path }) => ({ path, origin }));
		});
		return (await Promise.all(found)).flat();
	}

	/** The files that names may reach, directly and through re-exports. */
	async #reached(wave: readonly Given[]): Promise<Candidates> {
		const candidates = new Candidates();
		for (let round = wave; round.length > 0 && !this.#isOver; ) {
			const next: Given[] = [];
			for (const given of round) {
				const names = this.#given.take(given.path, given.names);
				const added = this.#givenAsAdded.take(given.path, given.added) ?? noNames;
				if (isNone(names) && added.size === 0) continue;
				this.#reachedByName({ ...given, names, added }, candidates);
				await this.#reachedByImport({ ...given, names, added }, candidates, next);
			}
			round = joined(next);
		}
		return candidates;
	}

	#reachedByName({ path, names, added, everywhere, origin }: Given, candidates: Candidates): void {
		const { index } = this.#options;
		if (!everywhere && (!isSource(path) || hasImports(path))) return;
		if (!isNone(names)) for (const file of index.filesWith(names, path)) candidates.add(file, names, origin);
		if (everywhere && added.size > 0)
			for (const file of index.filesWith(added, path)) candidates.add(file, added, origin);
	}

	/** Adds the importers of a file to the candidates, and those that hand the names on to `next`. */
	async #reachedByImport(given: Given, candidates: Candidates, next: Given[]): Promise<void> {
		const { path, names, added, origin } = given;
		let colliding: Promise<ReadonlySet<string>> | undefined;
		for (const importer of await this.#options.index.importers(path)) {
			if (this.#slices.isOver) await this.#slices.next();
			if (this.#isOver) return;
			const isNamed = this.#mayHold(importer.path, names);
			if (isNamed) candidates.add(importer.path, names, origin);
			const isAdded = importer.merges && added.size > 0;
			if (isAdded && this.#mayHold(importer.path, added)) candidates.add(importer.path, added, origin);
			else if (isAdded && importer.passesOn) {
				colliding ??= this.#colliding(path, added);
				if ((await colliding).has(importer.path)) candidates.addSurely(importer.path, origin);
			}
			if (!importer.passesOn || !(importer.star || isNamed)) continue;
			next.push({ path: importer.path, names, added: isAdded ? added : noNames, everywhere: false, origin });
		}
	}

	/** The files that pass all names of another file on that may declare one of the added names too. */
	async #colliding(path: string, added: ReadonlySet<string>): Promise<ReadonlySet<string>> {
		const found = new Set<string>();
		// A header is text of who includes it, and so is found by its names.
		if (familyOf(path) === "c") return found;
		const { index } = this.#options;
		for (const other of index.filesWith(added, path)) {
			if (other === path) continue;
			for (const importer of await index.importers(other))
				if (importer.merges && importer.passesOn) found.add(importer.path);
			if (this.#slices.isOver) await this.#slices.next();
			if (this.#isOver) break;
		}
		return found;
	}

	#mayHold(path: string, names: Names): boolean {
		return !isNone(names) && this.#options.index.mayContain(path, names);
	}

	/** Tells of the candidates whose texts hold a name that is new to them, and returns these. */
	async #meet(candidates: readonly Candidate[], distance: number): Promise<Met[]> {
		const met: Met[] = [];
		for (let at = 0; at < candidates.length && !this.#isOver; at += textsAtOnce) {
			const some = candidates.slice(at, at + textsAtOnce);
			const texts = await Promise.all(some.map(({ path }) => this.#options.textOf(path)));
			for (const [index, { path, names, isSure }] of some.entries()) {
				const text = texts[index];
				if (text === undefined) continue;
				if (this.#slices.isOver) await this.#slices.next();
				const held = this.#done.take(path, this.#heldOf(names, path, text));
				if (isNone(held) && !isSure) continue;
				met.push({ path, held });
				if (this.#changed.has(path) || this.#found.has(path) || this.#isOver) continue;
				this.#found.add(path);
				this.#options.found({ path, distance });
			}
		}
		return met;
	}

	/** What a file's own importers see of the names that it holds. */
	async #givenBy({ path, held }: Met, text: string, distance: number): Promise<Given | undefined> {
		const { followed, kept } = this.#withoutGone(distance === 1 ? held : noNames, path, text) ?? {
			followed: held,
			kept: noNames,
		};
		const passed = union(
			isNone(followed) ? followed : await givenOn(path, text, followed, this.#options.mayGoOn),
			kept,
		);
		if (isNone(passed)) return undefined;
		const everywhere = isScript(path) && !isSeenByImporters(path, [text]);
		return { path, names: passed, added: noNames, everywhere, origin: path };
	}

	/**
	 * Some names that a file holds, without those that are gone: what is inferred from such a name is told of nowhere else,
	 * unless the file inherits from it, has it in a macro or exports it under another name. A Python module gives on what it imports (`kept`).
	 * Undefined where none of them is gone.
	 */
	#withoutGone(
		names: Names,
		path: string,
		text: string,
	): { readonly followed: Names; readonly kept: ReadonlySet<string> } | undefined {
		const gone = names && this.#gone.filter((name) => names.has(name));
		if (!gone || gone.length === 0) return undefined;
		const given = isScript(path)
			? /\bexport\s*(?:type\s*)?\{[^}]*\}/g
			: /^[ \t]*from\b[^\n]*\bimport\s*(?:\([^)]*\)|.*)/gm;
		const lists = this.#searches.of(new Set(gone)).in((text.match(given) ?? []).join("\n"));
		const inMacros = this.#searches.of(new Set(gone)).in(macrosIn(text));
		const isFollowed = (name: string) =>
			!gone.includes(name) || inherits(text, [name]) || inMacros.has(name) || (isScript(path) && lists.has(name));
		return { followed: new Set([...names].filter(isFollowed)), kept: path.endsWith(".py") ? lists : noNames };
	}

	/** Those names that a text holds; a default export is called otherwise in it. */
	#heldOf(names: ReadonlySet<Names>, path: string, text: string): Names {
		const all = [...names].reduce(union, noNames);
		if (all === undefined) return undefined;
		const held = this.#searches.of(all).in(text);
		return isScript(path) && all.has("default") ? held.add("default") : held;
	}
}

/** The names by which others see what a file makes of some names that it holds. */
async function givenOn(path: string, text: string, names: Names, mayGoOn?: () => Promise<void>): Promise<Names> {
	const passed = await passedOn(path, text, names, mayGoOn);
	// Where nothing is known of a language, any name would mean every file; what matters is mostly called like its file.
	if (passed === undefined && isSource(path) && !hasImports(path)) return new Set([basename(path, extname(path))]);
	return passed;
}

/** What one file gives of what came to it from several. */
function joined(given: readonly Given[]): Given[] {
	const byPath = new Map<string, Given>();
	for (const each of given) {
		const known = byPath.get(each.path);
		const names = union(known?.names ?? noNames, each.names);
		const added = union(known?.added ?? noNames, each.added) ?? noNames;
		byPath.set(each.path, known ? { ...known, names, added } : each);
	}
	return [...byPath.values()];
}
