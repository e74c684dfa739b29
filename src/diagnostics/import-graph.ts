import { basename, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readText, stampOf, statOf } from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import { isTestPath } from "../util/test-paths.ts";
import { walk } from "../watch/walk.ts";
import { Directories } from "../workspace/directories.ts";
import { hasImports, type Imports, importsOf, keysOf } from "./imports.ts";

const mostFiles = 20_000;
/** Of a longer text only who imports whom is kept. */
const mostKept = 16 * 1024;

export interface DependentsOptions {
	readonly names?: readonly string[] | undefined;
	readonly all?: boolean;
	readonly watched?: boolean;
}

/**
 * Who imports whom below one root, read out of the texts. It is the net under the compiler's own references: a name
 * that is gone, or that has just come, has no references to ask for, and neither has a module that is only passed on.
 */
export class ImportGraph {
	readonly root: string;
	readonly #look: typeof walk;
	readonly #files = new Map<string, { readonly stamp: string | undefined; readonly imports: Imports }>();
	readonly #importers = new Map<string, Set<string>>();
	/** The files that are there to test others, of all languages; kept once somebody has asked for them. */
	#tests: Set<string> | undefined;
	/** Those that were asked for a name last. */
	readonly #texts = new Recent<string>(200);
	/** All that depend on a file, until an import comes or goes: to find 240 takes a millisecond. */
	readonly #dependents = new Recent<readonly string[]>(50);
	/** How often an import came or went. */
	#changes = 0;
	#stale: Set<string> | undefined;
	#reading: Promise<void> = Promise.resolve();
	/** A look at the whole tree that has not begun. */
	#nextLook: Promise<void> | undefined;

	/** `look` reads the tree. */
	constructor(root: string, look: typeof walk = walk) {
		this.root = root;
		this.#look = look;
	}

	/** Something happened to a file. */
	changed(path: string): void {
		// It says what its package is called.
		if (basename(path) === "package.json") this.#importsChanged();
		if (hasImports(path) || (this.#tests && this.#isTest(path))) this.#stale?.add(path);
	}

	/** Nobody knows what happened to the files for a while. */
	unwatched(): void {
		this.#stale = undefined;
	}

	/** The files that are there to test others; `watched` as for `dependents`. */
	async tests({ watched = false }: Pick<DependentsOptions, "watched"> = {}): Promise<ReadonlySet<string>> {
		const known = this.#tests !== undefined;
		this.#tests ??= new Set();
		await this.#read(watched && known);
		return this.#tests;
	}

	/**
	 * The files that import `path`, directly or through files that pass it on, nearest first; with `names` only those that
	 * mention one of them. With `all` also those that depend on them in turn, whatever they do with it. `watched` says
	 * that every change is told to `changed`; otherwise the whole tree is looked at.
	 */
	async dependents(path: string, { names, all = false, watched = false }: DependentsOptions = {}): Promise<string[]> {
		const mentioned = names && mentionOf(names);
		await this.#read(watched);
		const isKept = all && !names && watched;
		const kept = isKept ? this.#dependents.get(path) : undefined;
		if (kept) return [...kept];
		const imports = this.#changes;
		const directories = new Directories();
		const found = new Set<string>();
		for (let wave = [path]; wave.length > 0; ) {
			const next: string[] = [];
			for (const current of wave) {
				const keys = await keysOf(current, this.root, directories);
				for (const importer of keys.flatMap((key) => [...(this.#importers.get(key) ?? [])])) {
					if (importer === path || found.has(importer)) continue;
					found.add(importer);
					const passedOn = this.#files.get(importer)?.imports.passedOn;
					if (all || keys.some((key) => passedOn?.has(key))) next.push(importer);
				}
			}
			wave = next;
		}
		if (isKept && imports === this.#changes) this.#dependents.set(path, [...found]);
		if (!mentioned) return [...found];
		const texts = await Promise.all([...found].map(async (file) => [file, await this.#textOf(file, watched)] as const));
		return texts.flatMap(([file, text]) => (text !== undefined && mentioned.test(text) ? file : []));
	}

	/** The text of a file; where every change is told, the one that was read last. */
	async #textOf(path: string, watched: boolean): Promise<string | undefined> {
		const known = watched ? this.#texts.get(path) : undefined;
		const text = known ?? (await readText(path));
		if (text !== undefined && text.length <= mostKept) this.#texts.set(path, text);
		return text;
	}

	/**
	 * One after the other: two readers would tell each other's changes from the disk's. Who comes before a look at the
	 * whole tree has begun shares it: after a restart of the server everybody comes at once.
	 */
	#read(watched: boolean): Promise<void> {
		if (this.#nextLook) return this.#nextLook;
		const isTold = watched && this.#stale !== undefined;
		const read = () => {
			if (isTold && this.#stale) return this.#readStale();
			this.#nextLook = undefined;
			return this.#readAll();
		};
		this.#reading = this.#reading
			.catch(() => {})
			.then(read)
			.catch((error: unknown) => {
				// What it has not come to is not known.
				this.unwatched();
				throw error;
			});
		if (!isTold) this.#nextLook = this.#reading;
		return this.#reading;
	}

	#isTest(path: string): boolean {
		return isTestPath(relative(this.root, path));
	}

	async #readStale(): Promise<void> {
		const stale = [...(this.#stale ?? [])];
		this.#stale = new Set();
		for (const path of stale) {
			if (this.#tests && this.#isTest(path)) {
				if ((await statOf(path))?.isFile()) this.#tests.add(path);
				else this.#tests.delete(path);
			}
			if (!hasImports(path)) continue;
			// Two writes within one tick of the clock look the same, and an event is believed.
			await this.#readFile(path, true);
		}
	}

	async #readAll(): Promise<void> {
		// Nobody has told of packages that have another name now.
		this.#importsChanged();
		this.#stale = new Set();
		const seen = new Set<string>();
		const tests = this.#tests && new Set<string>();
		for await (const { files } of this.#look(this.root)) {
			if (tests) for (const path of files) if (tests.size < mostFiles && this.#isTest(path)) tests.add(path);
			for (const path of files.filter(hasImports)) {
				if (seen.size === mostFiles) break;
				seen.add(path);
				await this.#readFile(path);
			}
		}
		// Somebody may have asked for them since this look began: the next one finds them.
		if (tests) this.#tests = tests;
		for (const path of this.#files.keys()) if (!seen.has(path)) this.#forget(path);
	}

	async #readFile(path: string, hasChanged = false): Promise<void> {
		const stamp = await stampOf(path);
		const known = this.#files.get(path);
		if (known && known.stamp === stamp && !hasChanged) return;
		const text = stamp === undefined ? undefined : await readText(path);
		const imports = text === undefined ? undefined : importsOf(text, path);
		if (known && imports && isDeepStrictEqual(known.imports, imports)) {
			this.#texts.delete(path);
			this.#files.set(path, { stamp, imports });
			return;
		}
		this.#forget(path);
		if (!imports) return;
		this.#importsChanged();
		this.#files.set(path, { stamp, imports });
		for (const key of imports.keys) {
			const importers = this.#importers.get(key) ?? new Set();
			this.#importers.set(key, importers.add(path));
		}
	}

	#forget(path: string): void {
		this.#texts.delete(path);
		if (this.#files.has(path)) this.#importsChanged();
		for (const key of this.#files.get(path)?.imports.keys ?? []) {
			const importers = this.#importers.get(key);
			importers?.delete(path);
			if (importers?.size === 0) this.#importers.delete(key);
		}
		this.#files.delete(path);
	}

	#importsChanged(): void {
		this.#changes++;
		this.#dependents.clear();
	}
}

/** A pattern for any of some names; undefined where an importer may call it otherwise. */
export function mentionOf(names: readonly string[]): RegExp | undefined {
	if (names.length === 0 || !names.every((name) => /^[\w$]+$/.test(name) && name !== "default")) return undefined;
	return new RegExp(`(?<![\\w$])(?:${names.map((name) => name.replaceAll("$", "\\$")).join("|")})(?![\\w$])`);
}
