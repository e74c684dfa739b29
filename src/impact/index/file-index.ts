import { relative } from "node:path";
import { isTestPath } from "../../project/test-paths.ts";
import { statOf } from "../../util/files.ts";
import { LruMap } from "../../util/lru-map.ts";
import { TimeSlices } from "../../util/time-slices.ts";
import { walk } from "../../watch/walk.ts";
import { NameSearches } from "../outline/identifier-filter.ts";
import type { Names } from "../visible-change.ts";
import { FileStore } from "./file-store.ts";
import { ImportTargets } from "./import-targets.ts";
import { isScript, merges, passesOn, star } from "./imports.ts";
import { ReadQueue } from "./read-queue.ts";
import { familyOf, isSource } from "./sources.ts";

const maxTests = 20_000;
/** Files read at a time: a file system behind a network answers several requests in the time of one. */
const readAtOnce = 4;

export interface Importer {
	readonly path: string;
	/** All names reach it without being named there: `export *`, `from m import *`, `#include`, the same Go package. */
	readonly star: boolean;
	/** It passes names of the imported file on to its own importers. */
	readonly passesOn: boolean;
	/** The names stand among its own, so that a new one can collide with or shadow another. */
	readonly merges: boolean;
}

export interface IndexOptions {
	readonly walkTree?: typeof walk;
	/** Of further files only the paths are kept. */
	readonly maxFiles?: number;
}

/** `watched`: every change is notified to the index. Without it the whole tree is read again. */
interface ReadOptions {
	readonly watched?: boolean;
}

interface DependentsOptions extends ReadOptions {
	readonly all?: boolean;
}

/**
 * The source files below one root: their imports, the identifiers in them, and a hash of their meaning. They are read from
 * disk in time slices. The index also finds the users of a name that is gone or new, for which a server has no references.
 */
export class FileIndex {
	readonly root: string;
	readonly #walkTree: typeof walk;
	readonly #queue: ReadQueue;
	readonly #store: FileStore;
	readonly #targets: ImportTargets;
	readonly #searches = new NameSearches();
	/** The test files of all languages, kept from the first request for them. */
	#tests: Set<string> | undefined;
	/** By file: all its dependents, until an import or a file comes or goes. */
	readonly #dependents = new LruMap<readonly string[]>(50);
	/** How often an import or a file came or went. */
	#importChanges = 0;

	constructor(root: string, { walkTree = walk, maxFiles = 20_000 }: IndexOptions = {}) {
		this.root = root;
		this.#walkTree = walkTree;
		this.#targets = new ImportTargets(root);
		this.#store = new FileStore(maxFiles, () => this.#importsChanged());
		this.#queue = new ReadQueue({ readAll: () => this.#readAll(), readSome: (paths) => this.#readSome(paths) });
	}

	/** Notes that a file has changed. */
	changed(path: string): void {
		if (ImportTargets.isManifest(path)) {
			this.#targets.forget();
			this.#importsChanged();
		}
		if (isSource(path) || (this.#tests && this.#isTest(path))) this.#queue.changed(path);
	}

	/** Notes that any file may have changed. */
	unwatched(): void {
		this.#queue.unwatched();
	}

	/** Resolves when all changes so far have been read, and the tree once. Rejects if the tree cannot be walked. */
	read({ watched = false }: ReadOptions = {}): Promise<void> {
		return this.#queue.read(watched);
	}

	/** The files that import `path`, by the last read. */
	async importers(path: string): Promise<Importer[]> {
		const found = this.#store.tableFor(path)?.importersOf(await this.#targets.of(path));
		return [...(found ?? [])].flatMap(([id, bits]) => {
			const importer = this.#store.entryOf(id);
			if (!importer || importer.path === path) return [];
			const has = (bit: number) => (bits & bit) !== 0;
			return { path: importer.path, star: has(star), passesOn: has(passesOn), merges: has(merges) };
		});
	}

	/**
	 * The files that import `path`, directly or through files that pass it on, nearest first. With `all` also the files that
	 * depend on these in any other way.
	 */
	async dependents(path: string, { all = false, watched = false }: DependentsOptions = {}): Promise<string[]> {
		await this.read({ watched });
		const isKept = all && watched;
		const kept = isKept ? this.#dependents.get(path) : undefined;
		if (kept) return [...kept];
		const changes = this.#importChanges;
		const found = new Set<string>();
		for (let wave = [path]; wave.length > 0; ) {
			const next: string[] = [];
			for (const current of wave)
				for (const importer of await this.importers(current)) {
					if (importer.path === path || found.has(importer.path)) continue;
					found.add(importer.path);
					if (all || importer.passesOn) next.push(importer.path);
				}
			wave = next;
		}
		if (isKept && changes === this.#importChanges) this.#dependents.set(path, [...found]);
		return [...found];
	}

	/** The test files. */
	async tests({ watched = false }: ReadOptions = {}): Promise<ReadonlySet<string>> {
		const known = this.#tests !== undefined;
		this.#tests ??= new Set();
		await this.read({ watched: watched && known });
		return this.#tests;
	}

	/** False only if a file contains none of the names; a default export has other names elsewhere. */
	mayContain(path: string, names: Names): boolean {
		if (names === undefined || (names.has("default") && isScript(path)) || this.#queue.isStale(path)) return true;
		const entry = this.#store.entries.get(path);
		return entry?.filter === undefined || this.#searches.of(names).mayBeIn(entry.filter);
	}

	/** The files of the language family of `like` that may contain one of the names, or were not read. */
	filesWith(names: Names, like: string): string[] {
		const family = familyOf(like);
		// A default export is not seen without an import.
		const plain = names?.has("default") && isScript(like) ? new Set([...names].filter((n) => n !== "default")) : names;
		if (plain?.size === 0) return [];
		const entries = [...this.#store.entries.values()];
		return entries
			.filter((entry) => entry.family === family && this.mayContain(entry.path, plain))
			.map(({ path }) => path);
	}

	/**
	 * The hash of a file's meaning at its last read; undefined where it is not known, or where the file was read at or after
	 * `before`, in milliseconds since the epoch.
	 */
	meaning(path: string, before = Number.POSITIVE_INFINITY): string | undefined {
		const entry = this.#store.entries.get(path);
		return entry && entry.readAt < before ? entry.meaning : undefined;
	}

	#isTest(path: string): boolean {
		return isTestPath(relative(this.root, path));
	}

	async #readSome(paths: readonly string[]): Promise<void> {
		const slices = new TimeSlices();
		for (const path of paths) {
			if (slices.isOver) await slices.next();
			if (this.#tests && this.#isTest(path)) {
				if ((await statOf(path))?.isFile()) this.#tests.add(path);
				else this.#tests.delete(path);
			}
			await this.#store.read(path, slices, true);
		}
	}

	async #readAll(): Promise<void> {
		this.#targets.forget();
		this.#importsChanged();
		const seen = new Set<string>();
		const tests = this.#tests && new Set<string>();
		const slices = new TimeSlices();
		for await (const { files } of this.#walkTree(this.root)) {
			if (tests) for (const path of files) if (tests.size < maxTests && this.#isTest(path)) tests.add(path);
			const sources = files.filter(isSource);
			for (let at = 0; at < sources.length; at += readAtOnce) {
				if (slices.isOver) await slices.next();
				const some = sources.slice(at, at + readAtOnce);
				for (const path of some) seen.add(path);
				await Promise.all(some.map((path) => this.#store.read(path, slices)));
			}
		}
		// Tests that were requested since this read began are found by the next one.
		if (tests) this.#tests = tests;
		for (const path of [...this.#store.entries.keys()]) if (!seen.has(path)) this.#store.forget(path);
	}

	#importsChanged(): void {
		this.#importChanges++;
		this.#dependents.clear();
	}
}
