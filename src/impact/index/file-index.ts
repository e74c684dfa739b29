import { relative } from "node:path";
import { isTestPath } from "../../project/test-paths.ts";
import { statOf } from "../../util/files.ts";
import { LruMap } from "../../util/lru-map.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { TimeSlices } from "../../util/time-slices.ts";
import { walk } from "../../watch/walk.ts";
import { NameSearches } from "../outline/identifier-filter.ts";
import { Reading } from "../outline/tree-reader.ts";
import type { Names } from "../visible-change.ts";
import { FileStore } from "./file-store.ts";
import { Targets } from "./import-targets.ts";
import { isScript, merges, passesOn, star } from "./imports.ts";
import { familyOf, isSource } from "./sources.ts";

const maxFiles = 20_000;
const maxTests = 20_000;
/** Characters of a text that is kept for a while. */
const longestKept = 16 * 1024;
/** A file system behind a network answers several questions in the time of one. */
const readAtOnce = 4;
export interface Importer {
	readonly path: string;
	/** All names reach it without being named there: `export *`, `from m import *`, `#include`, the same Go package. */
	readonly star: boolean;
	/** It gives names of the imported file to its own importers. */
	readonly passesOn: boolean;
	/** The names stand among its own, so that a new one can collide with or shadow another. */
	readonly merges: boolean;
}

export interface IndexOptions {
	readonly look?: typeof walk;
	readonly most?: number;
}

export interface DependentsOptions {
	readonly names?: readonly string[] | undefined;
	readonly all?: boolean;
	readonly watched?: boolean;
}

/**
 * The source files below one root: who imports whom, which identifiers each holds, and what each means. Read out of the
 * texts, in slices, so that nobody is held up. It is the net under the compiler's own references: a name that is gone,
 * or that has just come, has no references to ask for.
 */
export class FileIndex {
	readonly root: string;
	readonly #look: typeof walk;
	readonly #reading: Reading;
	readonly #store: FileStore;
	readonly #targets: Targets;
	readonly #searches = new NameSearches();
	/** The files that are there to test others, of all languages; kept once somebody has asked for them. */
	#tests: Set<string> | undefined;
	/** Those that were asked for a name last. */
	readonly #texts = new LruMap<string>(200);
	/** All that depend on a file, until an import or a file comes or goes. */
	readonly #dependents = new LruMap<readonly string[]>(50);
	/** How often an import or a file came or went. */
	#changes = 0;

	/** `look` walks through the tree; of more than `most` files only the paths are kept. */
	constructor(root: string, { look = walk, most = maxFiles }: IndexOptions = {}) {
		this.root = root;
		this.#look = look;
		this.#targets = new Targets(root);
		const listener = {
			importsChanged: () => this.#importsChanged(),
			textChanged: (path: string) => this.#texts.delete(path),
		};
		this.#store = new FileStore(listener, most);
		this.#reading = new Reading({ readAll: () => this.#readAll(), readSome: (paths) => this.#readSome(paths) });
	}

	/** True when nothing is left to read. */
	get isRead(): boolean {
		return this.#reading.isDone;
	}

	/** False if the tree has more files than are read. */
	get isComplete(): boolean {
		return this.#store.isComplete;
	}

	/** Something happened to a file. */
	changed(path: string): void {
		if (Targets.isManifest(path)) {
			this.#targets.forget();
			this.#importsChanged();
		}
		if (isSource(path) || (this.#tests && this.#isTest(path))) this.#reading.changed(path);
	}

	/** Nobody knows what happened to the files for a while. */
	unwatched(): void {
		this.#reading.unwatched();
	}

	/**
	 * Resolves when all that was told by `changed` so far has been read, and the tree once. Without `watched`, which says
	 * that every change is told, the whole tree is looked at again. Rejects if the tree cannot be walked through.
	 */
	read({ watched = false }: Pick<DependentsOptions, "watched"> = {}): Promise<void> {
		return this.#reading.read(watched);
	}

	/** The files that import `path`, by what has been read. */
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
	 * The files that import `path`, directly or through files that pass it on, nearest first; with `names` only those that
	 * mention one of them. With `all` also those that depend on them in turn, whatever they do with it. `watched` as for
	 * `read`.
	 */
	async dependents(path: string, { names, all = false, watched = false }: DependentsOptions = {}): Promise<string[]> {
		await this.read({ watched });
		const isKept = all && !names && watched;
		const kept = isKept ? this.#dependents.get(path) : undefined;
		if (kept) return [...kept];
		const changes = this.#changes;
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
		if (isKept && changes === this.#changes) this.#dependents.set(path, [...found]);
		if (!names || names.length === 0) return [...found];
		const wanted = new Set(names);
		const holds = async (file: string) => {
			if (!this.mayContain(file, wanted)) return false;
			const text = await this.#textOf(file, watched);
			return (
				text !== undefined && ((isScript(file) && wanted.has("default")) || this.#searches.of(wanted).in(text).size > 0)
			);
		};
		const answers = await Promise.all([...found].map(async (file) => ((await holds(file)) ? file : [])));
		return answers.flat();
	}

	/** The files that are there to test others; `watched` as for `read`. */
	async tests({ watched = false }: Pick<DependentsOptions, "watched"> = {}): Promise<ReadonlySet<string>> {
		const known = this.#tests !== undefined;
		this.#tests ??= new Set();
		await this.read({ watched: watched && known });
		return this.#tests;
	}

	/** False only if a file holds none of the names; what is exported as `default` is called otherwise elsewhere. */
	mayContain(path: string, names: Names): boolean {
		if (names === undefined || (names.has("default") && isScript(path)) || this.#reading.isStale(path)) return true;
		const entry = this.#store.entries.get(path);
		return entry?.filter === undefined || this.#searches.of(names).mayBeIn(entry.filter);
	}

	/** The files of the languages of `like` that may hold one of the names; those that were not read among them. */
	filesWith(names: Names, like: string): string[] {
		const family = familyOf(like);
		const found: string[] = [];
		// No file sees another's default export without importing it.
		const plain = names?.has("default") && isScript(like) ? new Set([...names].filter((n) => n !== "default")) : names;
		if (plain?.size === 0) return found;
		for (const entry of this.#store.entries.values())
			if (entry.family === family && this.mayContain(entry.path, plain)) found.push(entry.path);
		return found;
	}

	/**
	 * A hash of the text of a file that was read last, without comments and white space; undefined where that is not known,
	 * or where it was read at or after `before` (milliseconds since the epoch).
	 */
	meaning(path: string, before = Number.POSITIVE_INFINITY): string | undefined {
		const entry = this.#store.entries.get(path);
		return entry && entry.readAt < before ? entry.meaning : undefined;
	}

	/** The text of a file; where every change is told, the one that was read last. */
	async #textOf(path: string, watched: boolean): Promise<string | undefined> {
		const known = watched ? this.#texts.get(path) : undefined;
		const text = known ?? (await readText(path, anySource));
		if (text !== undefined && text.length <= longestKept) this.#texts.set(path, text);
		return text;
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
		// Nobody has told of packages that have another name now.
		this.#targets.forget();
		this.#importsChanged();
		const seen = new Set<string>();
		const tests = this.#tests && new Set<string>();
		const slices = new TimeSlices();
		for await (const { files } of this.#look(this.root)) {
			if (tests) for (const path of files) if (tests.size < maxTests && this.#isTest(path)) tests.add(path);
			const sources = files.filter(isSource);
			for (let at = 0; at < sources.length; at += readAtOnce) {
				if (slices.isOver) await slices.next();
				const some = sources.slice(at, at + readAtOnce);
				for (const path of some) seen.add(path);
				await Promise.all(some.map((path) => this.#store.read(path, slices)));
			}
		}
		// Somebody may have asked for them since this look began: the next one finds them.
		if (tests) this.#tests = tests;
		for (const path of [...this.#store.entries.keys()]) if (!seen.has(path)) this.#store.forget(path);
	}

	#importsChanged(): void {
		this.#changes++;
		this.#dependents.clear();
	}
}
