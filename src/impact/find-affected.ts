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

/** Texts that are read at a time: their files are reported before more are read. */
const textsAtOnce = 20;

/** What other files may see of the change of one file. */
export interface Change {
	readonly path: string;
	/** Names that differ or are gone; undefined is any name. */
	readonly changed: Names;
	/** Names of `changed` that are gone: their users fail, but types inferred from them are unknown and cause no errors. */
	readonly gone: ReadonlySet<string>;
	readonly added: ReadonlySet<string>;
	/** True if files see the names without an import. */
	readonly everywhere: boolean;
	/** True if the file came or went: its importers see that, whatever they name. */
	readonly isWhole: boolean;
}

interface AffectedFile {
	readonly path: string;
	/** 1: imports the file, or sees it through re-exports; 2: through a declaration of such a file; and so on. */
	readonly distance: number;
}

export interface SearchOptions {
	/** The index, which has been read. */
	readonly index: FileIndex;
	readonly signal: AbortSignal;
	/** Awaited before the search goes on behind a file that was found. */
	readonly mayGoOn?: () => Promise<void>;
	/** The text of a file as the server has it; undefined if it cannot be read. */
	readonly textOf: (path: string) => Promise<string | undefined>;
	/** Called with each file once, as soon as it is found, nearest first. */
	readonly found: (affected: AffectedFile) => void;
}

/** Names that a file passes on to the files that see it. */
interface Passed {
	readonly path: string;
	readonly names: Names;
	readonly added: ReadonlySet<string>;
	readonly everywhere: boolean;
	/** The changed file, or the affected one from which these names come. */
	readonly origin: string;
}

/** A file with names that its importers may see. */
interface Holder {
	readonly path: string;
	readonly names: Names;
}

/**
 * Finds the files that may see changes, by texts alone: importers of a changed file that contain one of its names, and the
 * files that see it through their declarations or re-exports. Where a language's imports are not read, and for names that
 * are seen everywhere, each file that contains a name counts as an importer. Resolves soon after the signal ends.
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
	/** By file: the names that it passes on. */
	readonly #passed = new NamesByFile();
	readonly #passedAsAdded = new NamesByFile();
	/** By file: the names that it contains and whose effect on it is known. */
	readonly #held = new NamesByFile();
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
		let wave = this.#changes.map(({ path, changed, added, everywhere }): Passed => {
			return { path, names: changed, added, everywhere, origin: path };
		});
		for (let distance = 1; wave.length > 0 && !this.#isOver; distance++) {
			const reached = await this.#reached(wave);
			if (distance === 1) for (const { path, origin } of importers) reached.addSurely(path, origin);
			const holders = await this.#report(reached.nearestFirst(), distance);
			wave = [];
			// What the files pass on takes the longest to find out: they are all reported before.
			for (const holder of holders) {
				if (this.#slices.isOver) await this.#slices.next();
				await this.#options.mayGoOn?.();
				const text = await this.#options.textOf(holder.path);
				if (this.#isOver) return;
				const passed = text === undefined ? undefined : await this.#passedBy(holder, text, distance);
				if (passed) wave.push(passed);
			}
			await this.#slices.next();
		}
	}

	get #isOver(): boolean {
		return this.#options.signal.aborted;
	}

	/** The importers of files that came or went. */
	async #importersOfWhole(): Promise<{ readonly path: string; readonly origin: string }[]> {
		const whole = this.#changes.filter(({ isWhole }) => isWhole).map(({ path }) => path);
		const found = whole.map(async (origin) => {
			const importers = await this.#options.index.importers(origin);
			return importers.map(({ path }) => ({ path, origin }));
		});
		return (await Promise.all(found)).flat();
	}

	/** The files that names may reach, directly and through re-exports. */
	async #reached(wave: readonly Passed[]): Promise<Candidates> {
		const candidates = new Candidates();
		for (let round = wave; round.length > 0 && !this.#isOver; ) {
			const next: Passed[] = [];
			for (const passed of round) {
				const names = this.#passed.take(passed.path, passed.names);
				const added = this.#passedAsAdded.take(passed.path, passed.added) ?? noNames;
				if (isNone(names) && added.size === 0) continue;
				this.#reachByName({ ...passed, names, added }, candidates);
				await this.#reachByImport({ ...passed, names, added }, candidates, next);
			}
			round = joinedByPath(next);
		}
		return candidates;
	}

	#reachByName({ path, names, added, everywhere, origin }: Passed, candidates: Candidates): void {
		const { index } = this.#options;
		if (!everywhere && (!isSource(path) || hasImports(path))) return;
		if (!isNone(names)) for (const file of index.filesWith(names, path)) candidates.add(file, names, origin);
		if (everywhere && added.size > 0)
			for (const file of index.filesWith(added, path)) candidates.add(file, added, origin);
	}

	/** Adds the importers of a file to the candidates, and those that pass the names on to `next`. */
	async #reachByImport(passed: Passed, candidates: Candidates, next: Passed[]): Promise<void> {
		const { path, names, added, origin } = passed;
		let colliding: Promise<ReadonlySet<string>> | undefined;
		for (const importer of await this.#options.index.importers(path)) {
			if (this.#slices.isOver) await this.#slices.next();
			if (this.#isOver) return;
			const isNamed = this.#mayContain(importer.path, names);
			if (isNamed) candidates.add(importer.path, names, origin);
			const isAdded = importer.merges && added.size > 0;
			if (isAdded && this.#mayContain(importer.path, added)) candidates.add(importer.path, added, origin);
			else if (isAdded && importer.passesOn) {
				colliding ??= this.#colliding(path, added);
				if ((await colliding).has(importer.path)) candidates.addSurely(importer.path, origin);
			}
			if (!importer.passesOn || !(importer.star || isNamed)) continue;
			next.push({ path: importer.path, names, added: isAdded ? added : noNames, everywhere: false, origin });
		}
	}

	/** The files that also re-export all names of another file which may declare one of the added names. */
	async #colliding(path: string, added: ReadonlySet<string>): Promise<ReadonlySet<string>> {
		const found = new Set<string>();
		// A header is a part of the files that include it, which contain the name.
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

	#mayContain(path: string, names: Names): boolean {
		return !isNone(names) && this.#options.index.mayContain(path, names);
	}

	/** Reports the candidates whose texts contain a name that is new to them, and returns these. */
	async #report(candidates: readonly Candidate[], distance: number): Promise<Holder[]> {
		const holders: Holder[] = [];
		for (let at = 0; at < candidates.length && !this.#isOver; at += textsAtOnce) {
			const some = candidates.slice(at, at + textsAtOnce);
			const texts = await Promise.all(some.map(({ path }) => this.#options.textOf(path)));
			for (const [index, { path, names, isSure }] of some.entries()) {
				const text = texts[index];
				if (text === undefined) continue;
				if (this.#slices.isOver) await this.#slices.next();
				const held = this.#held.take(path, this.#namesIn(text, path, names));
				if (isNone(held) && !isSure) continue;
				holders.push({ path, names: held });
				if (this.#changed.has(path) || this.#found.has(path) || this.#isOver) continue;
				this.#found.add(path);
				this.#options.found({ path, distance });
			}
		}
		return holders;
	}

	/** The names by which the importers of a file see that the names in it have changed. */
	async #passedBy({ path, names }: Holder, text: string, distance: number): Promise<Passed | undefined> {
		const { followed, kept } =
			distance === 1 ? this.#withoutGone(names, path, text) : { followed: names, kept: noNames };
		const passed = union(
			isNone(followed) ? followed : await namesPassedOn(path, text, followed, this.#options.mayGoOn),
			kept,
		);
		if (isNone(passed)) return undefined;
		const everywhere = isScript(path) && !isSeenByImporters(path, [text]);
		return { path, names: passed, added: noNames, everywhere, origin: path };
	}

	/**
	 * The names in a file that are followed: a name that is gone only if the file inherits from it, has it in a macro or
	 * exports it in a list. A Python module passes on what it imports (`kept`).
	 */
	#withoutGone(
		names: Names,
		path: string,
		text: string,
	): { readonly followed: Names; readonly kept: ReadonlySet<string> } {
		const gone = names && this.#gone.filter((name) => names.has(name));
		if (!gone || gone.length === 0) return { followed: names, kept: noNames };
		const lists = isScript(path)
			? /\bexport\s*(?:type\s*)?\{[^}]*\}/g
			: /^[ \t]*from\b[^\n]*\bimport\s*(?:\([^)]*\)|.*)/gm;
		const wanted = this.#searches.of(new Set(gone));
		const inLists = wanted.in((text.match(lists) ?? []).join("\n"));
		const inMacros = wanted.in(macrosIn(text));
		const isFollowed = (name: string) =>
			!gone.includes(name) || inherits(text, [name]) || inMacros.has(name) || (isScript(path) && inLists.has(name));
		return { followed: new Set([...names].filter(isFollowed)), kept: path.endsWith(".py") ? inLists : noNames };
	}

	/** The names that a text contains; a default export has another name in it. */
	#namesIn(text: string, path: string, names: ReadonlySet<Names>): Names {
		const all = [...names].reduce(union, noNames);
		if (all === undefined) return undefined;
		const found = this.#searches.of(all).in(text);
		return isScript(path) && all.has("default") ? found.add("default") : found;
	}
}

/** `passedOn`, with the name of the file where its language is not read: any name would mean every file. */
async function namesPassedOn(path: string, text: string, names: Names, mayGoOn?: () => Promise<void>): Promise<Names> {
	const passed = await passedOn(path, text, names, mayGoOn);
	if (passed === undefined && isSource(path) && !hasImports(path)) return new Set([basename(path, extname(path))]);
	return passed;
}

/** The names that each file passes on, in one object. */
function joinedByPath(passed: readonly Passed[]): Passed[] {
	const byPath = new Map<string, Passed>();
	for (const each of passed) {
		const known = byPath.get(each.path);
		const names = union(known?.names ?? noNames, each.names);
		const added = union(known?.added ?? noNames, each.added) ?? noNames;
		byPath.set(each.path, known ? { ...known, names, added } : each);
	}
	return [...byPath.values()];
}
