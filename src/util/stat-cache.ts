import type { BigIntStats } from "node:fs";
import { isSettled, stampOfStats } from "./files.ts";
import { LruMap } from "./lru-map.ts";

/** What was made of files and directories, kept while they look the same from outside. */
export class StatCache<Value> {
	readonly #kept: LruMap<{ readonly stamp: string; readonly value: Value }>;

	constructor(limit: number) {
		this.#kept = new LruMap(limit);
	}

	/** What is kept of a path that looks like `info` now. */
	get(path: string, info: BigIntStats): { readonly value: Value } | undefined {
		const known = this.#kept.get(path);
		return known?.stamp === stampOfStats(info) ? known : undefined;
	}

	/** Keeps what was made of a path after it looked like `info`; not where another change would look the same. */
	set(path: string, info: BigIntStats, value: Value): void {
		if (isSettled(info)) this.#kept.set(path, { stamp: stampOfStats(info), value });
	}
}
