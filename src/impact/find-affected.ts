import { basename, extname } from "node:path";
import { TimeSlices } from "../util/time-slices.ts";
import { type Candidate, Candidates } from "./candidates.ts";
import { inherits, macrosIn } from "./compare.ts";
import type { FileIndex } from "./index/file-index.ts";
import { hasImports, isScript, isSeenByImporters, passingLists } from "./index/imports.ts";
import { familyOf, isData, isSource } from "./index/sources.ts";
import { isNone, NamesByFile, noNames, union } from "./names-by-file.ts";
import { NameSearches } from "./outline/identifier-filter.ts";
import { type Names, passedOn } from "./visible-change.ts";

const textsAtOnce = 20;

export interface Change {
	readonly path: string;
	readonly changed: Names;
	/** Types inferred from gone names cause no errors. */
	readonly gone: ReadonlySet<string>;
	/** No longer declared, though what others see depends on them. */
	readonly lost: ReadonlySet<string>;
	readonly added: ReadonlySet<string>;
	readonly everywhere: boolean;
	/** All importers see it, as of a file that came or went. */
	readonly isWhole: boolean;
}

interface AffectedFile {
	readonly path: string;
	/** 1: imports the file, also through re-exports; 2: through a declaration of such a file. */
	readonly distance: number;
	/** It has a gone name, and breaks if that means the same. */
	readonly losesName: boolean;
}

export interface SearchOptions {
	readonly index: FileIndex;
	readonly signal: AbortSignal;
	readonly mayGoOn?: () => Promise<void>;
	readonly textOf: (path: string) => Promise<string | undefined>;
	/** Once per file, nearest first. */
	readonly found: (affected: AffectedFile) => void;
}

interface Passed {
	readonly path: string;
	readonly names: Names;
	readonly added: ReadonlySet<string>;
	readonly everywhere: boolean;
	readonly origin: string;
}

interface Holder {
	readonly path: string;
	readonly names: Names;
}

/**
 * Importers with a changed name, then files that see it through their declarations. Without imports to read, a name
 * suffices. Resolves soon after the signal ends.
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
	readonly #passed = new NamesByFile();
	readonly #passedAsAdded = new NamesByFile();
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

	async #importersOfWhole(): Promise<{ readonly path: string; readonly origin: string }[]> {
		const whole = this.#changes.filter(({ isWhole }) => isWhole).map(({ path }) => path);
		const found = whole.map(async (origin) => {
			const importers = await this.#options.index.importers(origin);
			return importers.map(({ path }) => ({ path, origin }));
		});
		return (await Promise.all(found)).flat();
	}

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
		if (isData(path) || (!everywhere && (!isSource(path) || hasImports(path)))) return;
		if (!isNone(names)) for (const file of index.filesWith(names, path)) candidates.add(file, names, origin);
		if (everywhere && added.size > 0)
			for (const file of index.filesWith(added, path)) candidates.add(file, added, origin);
	}

	async #reachByImport(passed: Passed, candidates: Candidates, next: Passed[]): Promise<void> {
		const { path, names, added, origin } = passed;
		let colliding: Promise<ReadonlySet<string>> | undefined;
		for (const importer of await this.#options.index.importers(path)) {
			if (this.#slices.isOver) await this.#slices.next();
			if (this.#isOver) return;
			const isNamed = this.#mayContain(importer.path, names);
			if (isNamed) candidates.add(importer.path, names, origin);
			// A schema's files need none of its names.
			if (isData(path) && isData(importer.path)) candidates.addSurely(importer.path, origin);
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

	async #colliding(path: string, added: ReadonlySet<string>): Promise<ReadonlySet<string>> {
		const found = new Set<string>();
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
				const losesName = distance === 1 && this.#gone.some((name) => held?.has(name));
				this.#options.found({ path, distance, losesName });
			}
		}
		return holders;
	}

	async #passedBy({ path, names }: Holder, text: string, distance: number): Promise<Passed | undefined> {
		if (isData(path)) return undefined;
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
	 * Followed only in a file that extends it, exports it in a list or has it in a macro. Python modules pass on
	 * imports (`kept`).
	 */
	#withoutGone(
		names: Names,
		path: string,
		text: string,
	): { readonly followed: Names; readonly kept: ReadonlySet<string> } {
		const gone = names && this.#gone.filter((name) => names.has(name));
		if (!gone || gone.length === 0) return { followed: names, kept: noNames };
		const wanted = this.#searches.of(new Set(gone));
		const inLists = wanted.in(passingLists(text, path));
		const inMacros = wanted.in(macrosIn(text));
		const isFollowed = (name: string) =>
			!gone.includes(name) || inherits(text, [name]) || inMacros.has(name) || (isScript(path) && inLists.has(name));
		return { followed: new Set([...names].filter(isFollowed)), kept: path.endsWith(".py") ? inLists : noNames };
	}

	#namesIn(text: string, path: string, names: ReadonlySet<Names>): Names {
		const all = [...names].reduce(union, noNames);
		if (all === undefined) return undefined;
		const found = this.#searches.of(all).in(text);
		return isScript(path) && all.has("default") ? found.add("default") : found;
	}
}

async function namesPassedOn(path: string, text: string, names: Names, mayGoOn?: () => Promise<void>): Promise<Names> {
	const passed = await passedOn(path, text, names, mayGoOn);
	if (passed === undefined && isSource(path) && !hasImports(path)) return new Set([basename(path, extname(path))]);
	return passed;
}

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
