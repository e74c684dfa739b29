import type { BigIntStats } from "node:fs";
import { isSettled, stampOfStats } from "./files.ts";
import { LruMap } from "./lru-map.ts";

export class StatCache<Value> {
	readonly #kept: LruMap<{ readonly stamp: string; readonly value: Value }>;

	constructor(limit: number) {
		this.#kept = new LruMap(limit);
	}

	get(path: string, info: BigIntStats): { readonly value: Value } | undefined {
		const known = this.#kept.get(path);
		return known?.stamp === stampOfStats(info) ? known : undefined;
	}

	/** A young file may change without its stats. */
	set(path: string, info: BigIntStats, value: Value): void {
		if (isSettled(info)) this.#kept.set(path, { stamp: stampOfStats(info), value });
	}
}
