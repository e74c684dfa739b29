import type { BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import * as files from "../util/files.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";
import { FileDependencies } from "./file-dependencies.ts";
import { holdsName } from "./markers.ts";

/**
 * What directories hold and what small files say, read again only when they have changed. A directory's times move with
 * every name that comes or goes, so one stat answers for all the markers that somebody looks for in it. One object serves
 * one question: within it nothing is looked at twice.
 */
export class Directories implements files.Disk {
	readonly #names = new Map<string, Promise<ReadonlySet<string>>>();
	readonly #texts = new Map<string, Promise<string | undefined>>();
	readonly #real = new Map<string, Promise<string | undefined>>();
	readonly #objects = new Map<string, Promise<Record<string, unknown> | undefined>>();
	/** What was looked at so far. */
	readonly looked = new FileDependencies();

	/** A path with links followed, or undefined if it does not exist. */
	real(path: string): Promise<string | undefined> {
		return once(this.#real, path, async () => {
			const real = await files.realPathOf(path);
			this.looked.real(path, real);
			return real;
		});
	}

	/** A file's or directory's stats, or undefined if there is nothing; looked at each time. */
	async stats(path: string): Promise<BigIntStats | undefined> {
		const info = await files.statOf(path);
		this.looked.stats(path, info);
		return info;
	}

	/** The names in a directory; none if it cannot be read. */
	names(directory: string): Promise<ReadonlySet<string>> {
		return once(this.#names, directory, () => this.#namesIn(directory));
	}

	/** True if a directory holds one of the names, in which `*` stands for any run of characters. */
	async holdsAny(directory: string, wanted: readonly string[]): Promise<boolean> {
		const names = await this.names(directory);
		return wanted.some((name) => holdsName(names, name));
	}

	/**
	 * The text of a small file, or undefined if there is none. A link may lead anywhere, as it may for the servers that
	 * are chosen by it: what it says is compared, and told to nobody.
	 */
	async text(directory: string, name: string): Promise<string | undefined> {
		if (!(await this.names(directory)).has(name)) return undefined;
		const path = join(directory, name);
		return once(this.#texts, path, () =>
			this.#cached(textCache, path, async (info) => (info.isFile() ? readText(path, anyManifest) : undefined)),
		);
	}

	/** A JSON object out of a file, or undefined if there is none. */
	async json(directory: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
		const [first = name] = name.split("/");
		if (!(await this.names(directory)).has(first)) return undefined;
		const path = join(directory, name);
		return once(this.#objects, path, () =>
			this.#cached(jsonCache, path, async () => {
				const value: unknown = JSON.parse((await readText(path, anyManifest)) ?? "null");
				return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
			}),
		);
	}

	async #namesIn(directory: string): Promise<ReadonlySet<string>> {
		const names = await this.#cached(namesCache, directory, async () => new Set(await files.namesIn(directory)));
		return names ?? nothing;
	}

	async #cached<Value>(
		cache: StatCache<Value>,
		path: string,
		read: (info: BigIntStats) => Promise<Value>,
	): Promise<Value | undefined> {
		try {
			const info = await this.stats(path);
			if (!info) return undefined;
			const known = cache.get(path, info);
			if (known) return known.value;
			const value = await read(info);
			cache.set(path, info, value);
			return value;
		} catch {
			return undefined;
		}
	}
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
	const value = known.get(key) ?? read();
	known.set(key, value);
	return value;
}

const namesCache = new StatCache<ReadonlySet<string>>(500);
const jsonCache = new StatCache<Record<string, unknown> | undefined>(500);
const textCache = new StatCache<string | undefined>(200);
const nothing: ReadonlySet<string> = new Set();

/** A directory and those above it, up to and including `last`. */
export function directoriesUp(from: string, last: string): string[] {
	const found = [from];
	for (let at = from; at !== last && at !== dirname(at); at = dirname(at)) found.push(dirname(at));
	return found;
}
