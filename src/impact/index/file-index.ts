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
import { familyOf, isData, isSource } from "./sources.ts";

const maxTests = 20_000;
const readAtOnce = 4;

export interface Importer {
	readonly path: string;
	/** `export *`, `from m import *`, `#include`, the same Go package: all names reach it. */
	readonly star: boolean;
	readonly passesOn: boolean;
	/** New names may collide with its own. */
	readonly merges: boolean;
}

export interface IndexOptions {
	readonly walkTree?: typeof walk;
	readonly maxFiles?: number;
}

/** `watched`: changes are notified; else the tree is read again. */
interface ReadOptions {
	readonly watched?: boolean;
}

interface DependentsOptions extends ReadOptions {
	readonly all?: boolean;
}

export class FileIndex {
	readonly root: string;
	readonly #walkTree: typeof walk;
	readonly #queue: ReadQueue;
	readonly #store: FileStore;
	readonly #targets: ImportTargets;
	readonly #searches = new NameSearches();
	#tests: Set<string> | undefined;
	#data: Promise<void> | undefined;
	readonly #dependents = new LruMap<readonly string[]>(50);
	#importChanges = 0;

	constructor(root: string, { walkTree = walk, maxFiles = 20_000 }: IndexOptions = {}) {
		this.root = root;
		this.#walkTree = walkTree;
		this.#targets = new ImportTargets(root);
		this.#store = new FileStore(maxFiles, () => this.#importsChanged());
		this.#queue = new ReadQueue({ readAll: () => this.#readAll(), readSome: (paths) => this.#readSome(paths) });
	}

	changed(path: string): void {
		if (ImportTargets.isManifest(path)) {
			this.#targets.forget();
			this.#importsChanged();
		}
		if (this.#isRead(path) || (this.#tests && this.#isTest(path))) this.#queue.changed(path);
	}

	unwatched(): void {
		this.#queue.unwatched();
	}

	/** Resolves when all changes so far are read. Rejects if the tree cannot be walked. */
	read({ watched = false }: ReadOptions = {}): Promise<void> {
		return this.#queue.read(watched);
	}

	/** Of data: files it judges as a schema, and scripts. */
	async importers(path: string): Promise<Importer[]> {
		if (isData(path)) await this.#readData();
		const target = await this.#targets.of(path);
		const found = this.#store.tablesFor(path).flatMap((table) => [...table.importersOf(target)]);
		return found.flatMap(([id, bits]) => {
			const importer = this.#store.entryOf(id);
			if (!importer || importer.path === path) return [];
			const has = (bit: number) => (bits & bit) !== 0;
			return { path: importer.path, star: has(star), passesOn: has(passesOn), merges: has(merges) };
		});
	}

	async data(): Promise<string[]> {
		await this.#readData();
		return [...this.#store.entries.keys()].filter(isData);
	}

	/** Nearest first, through files that pass names on; with `all` through any. */
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

	async tests({ watched = false }: ReadOptions = {}): Promise<ReadonlySet<string>> {
		const known = this.#tests !== undefined;
		this.#tests ??= new Set();
		await this.read({ watched: watched && known });
		return this.#tests;
	}

	mayContain(path: string, names: Names): boolean {
		if (names === undefined || (names.has("default") && isScript(path)) || this.#queue.isStale(path)) return true;
		const entry = this.#store.entries.get(path);
		return entry?.filter === undefined || this.#searches.of(names).mayBeIn(entry.filter);
	}

	filesWith(names: Names, like: string): string[] {
		const family = familyOf(like);
		const plain = names?.has("default") && isScript(like) ? new Set([...names].filter((n) => n !== "default")) : names;
		if (plain?.size === 0) return [];
		const entries = [...this.#store.entries.values()];
		return entries
			.filter((entry) => entry.family === family && this.mayContain(entry.path, plain))
			.map(({ path }) => path);
	}

	/** Undefined if unknown, or read after `before`, in ms since 1970. */
	meaning(path: string, before = Number.POSITIVE_INFINITY): string | undefined {
		const entry = this.#store.entries.get(path);
		return entry && entry.readAt < before ? entry.meaning : undefined;
	}

	#isRead(path: string): boolean {
		return isSource(path) || (this.#data !== undefined && isData(path));
	}

	#readData(): Promise<void> {
		this.#data ??= this.#queue.read(false).catch((error: unknown) => {
			this.#data = undefined;
			throw error;
		});
		return this.#data;
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
			const sources = files.filter((path) => this.#isRead(path));
			for (let at = 0; at < sources.length; at += readAtOnce) {
				if (slices.isOver) await slices.next();
				const some = sources.slice(at, at + readAtOnce);
				for (const path of some) seen.add(path);
				await Promise.all(some.map((path) => this.#store.read(path, slices)));
			}
		}
		if (tests) this.#tests = tests;
		for (const path of [...this.#store.entries.keys()]) if (!seen.has(path)) this.#store.forget(path);
	}

	#importsChanged(): void {
		this.#importChanges++;
		this.#dependents.clear();
	}
}
