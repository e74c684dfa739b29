import type { BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import * as files from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import { holdsName } from "./evidence.ts";

/**
 * What directories hold and what small files say, read again only when they have changed. A directory's times move with
 * every name that comes or goes, so one stat answers for all the markers that somebody looks for in it. One object serves
 * one question: within it nothing is looked at twice.
 */
export class Directories {
	readonly #names = new Map<string, Promise<ReadonlySet<string>>>();
	readonly #texts = new Map<string, Promise<string | undefined>>();
	readonly #real = new Map<string, Promise<string | undefined>>();
	readonly #objects = new Map<string, Promise<Record<string, unknown> | undefined>>();

	/** A path with links followed, or undefined if it does not exist. */
	real(path: string): Promise<string | undefined> {
		return once(this.#real, path, () => files.realPathOf(path));
	}

	/** The names in a directory; none if it cannot be read. */
	names(directory: string): Promise<ReadonlySet<string>> {
		return once(this.#names, directory, () => namesIn(directory));
	}

	/** True if a directory holds one of the names, in which `*` stands for any run of characters. */
	async holdsAny(directory: string, wanted: readonly string[]): Promise<boolean> {
		const names = await this.names(directory);
		return wanted.some((name) => holdsName(names, name));
	}

	/** The text of a small file, or undefined if there is none. */
	async text(directory: string, name: string): Promise<string | undefined> {
		if (!(await this.names(directory)).has(name)) return undefined;
		const path = join(directory, name);
		return once(this.#texts, path, () =>
			cached(textCache, path, async (info) =>
				info.isFile() && info.size <= maxTextBytes ? files.readText(path) : undefined,
			),
		);
	}

	/** A JSON object out of a file, or undefined if there is none. */
	async json(directory: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
		const [first = name] = name.split("/");
		if (!(await this.names(directory)).has(first)) return undefined;
		const path = join(directory, name);
		return once(this.#objects, path, () =>
			cached(jsonCache, path, async () => {
				const value: unknown = JSON.parse((await files.readText(path)) ?? "null");
				return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
			}),
		);
	}
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
	const value = known.get(key) ?? read();
	known.set(key, value);
	return value;
}

interface Cached<Value> {
	readonly stamp: string;
	readonly value: Value;
}

const namesCache = new Recent<Cached<ReadonlySet<string>>>(500);
const jsonCache = new Recent<Cached<Record<string, unknown> | undefined>>(500);
const textCache = new Recent<Cached<string | undefined>>(200);
/** What a project says about its tools stands in files that people write. */
const maxTextBytes = 1024 * 1024;
const nothing: ReadonlySet<string> = new Set();

/** A file system's clock may tick every few milliseconds: what is younger could change again within the same tick. */
const settledMs = 50;

function namesIn(directory: string): Promise<ReadonlySet<string>> {
	return cached(namesCache, directory, async () => new Set(await files.namesIn(directory))).then(
		(names) => names ?? nothing,
	);
}

async function cached<Value>(
	cache: Recent<Cached<Value>>,
	path: string,
	read: (info: BigIntStats) => Promise<Value>,
): Promise<Value | undefined> {
	try {
		const info = await files.statOf(path);
		if (!info) return undefined;
		const stamp = `${info.mtimeNs}:${info.ctimeNs}:${info.ino}:${info.size}`;
		const known = cache.get(path);
		if (known?.stamp === stamp) return known.value;
		const value = await read(info);
		if (Date.now() - Number(info.ctimeMs) > settledMs) cache.set(path, { stamp, value });
		return value;
	} catch {
		return undefined;
	}
}

/** A directory and those above it, up to and including `last`. */
export function directoriesUp(from: string, last: string): string[] {
	const found = [from];
	for (let at = from; at !== last && at !== dirname(at); at = dirname(at)) found.push(dirname(at));
	return found;
}
