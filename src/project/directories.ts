import type { BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import * as files from "../util/files.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";
import { FileDependencies } from "./file-dependencies.ts";

export class Directories implements files.Disk {
	readonly #listings = new Map<string, Promise<files.Listing>>();
	readonly #texts = new Map<string, Promise<string | undefined>>();
	readonly #real = new Map<string, Promise<string | undefined>>();
	readonly #objects = new Map<string, Promise<Record<string, unknown> | undefined>>();
	readonly dependencies = new FileDependencies();

	real(path: string): Promise<string | undefined> {
		return once(this.#real, path, async () => {
			const real = await files.realPathOf(path);
			this.dependencies.real(path, real);
			return real;
		});
	}

	async stats(path: string): Promise<BigIntStats | undefined> {
		const info = await files.statOf(path);
		this.dependencies.stats(path, info);
		return info;
	}

	async names(directory: string): Promise<ReadonlySet<string>> {
		const listing = await this.#listing(directory);
		this.dependencies.names(directory, listing);
		return listing.names;
	}

	async containsAny(directory: string, wanted: readonly string[]): Promise<boolean> {
		return this.dependencies.contains(directory, await this.#listing(directory), wanted);
	}

	async asked(ask: () => Promise<boolean>): Promise<boolean> {
		const answer = await ask();
		this.dependencies.answer(ask, answer);
		return answer;
	}

	/** The text is never shown: a link may lead anywhere. */
	async text(directory: string, name: string): Promise<string | undefined> {
		if (!(await this.containsAny(directory, [name]))) return undefined;
		const path = join(directory, name);
		return once(this.#texts, path, () =>
			this.#cached(known.texts, path, async (info) => (info.isFile() ? readText(path, anyManifest) : undefined)),
		);
	}

	async json(directory: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
		const [first = name] = name.split("/");
		if (!(await this.containsAny(directory, [first]))) return undefined;
		const path = join(directory, name);
		return once(this.#objects, path, () =>
			this.#cached(known.objects, path, async () => {
				const value: unknown = JSON.parse((await readText(path, anyManifest)) ?? "null");
				return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
			}),
		);
	}

	#listing(directory: string): Promise<files.Listing> {
		return once(this.#listings, directory, async () => {
			const info = await files.statOf(directory);
			const same = info && known.listings.get(directory, info);
			if (same) return same.value;
			const listing = files.listingOf(info, info && (await files.namesIn(directory)));
			if (info) known.listings.set(directory, info, listing);
			return listing;
		});
	}

	async #cached<Value>(
		cache: StatCache<Value>,
		path: string,
		read: (info: BigIntStats) => Promise<Value>,
	): Promise<Value | undefined> {
		try {
			const info = await this.stats(path);
			if (!info) return undefined;
			const same = cache.get(path, info);
			if (same) return same.value;
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

const known = {
	listings: new StatCache<files.Listing>(500),
	objects: new StatCache<Record<string, unknown> | undefined>(500),
	texts: new StatCache<string | undefined>(200),
};

export function directoriesUp(from: string, last: string): string[] {
	const found = [from];
	for (let at = from; at !== last && at !== dirname(at); at = dirname(at)) found.push(dirname(at));
	return found;
}
