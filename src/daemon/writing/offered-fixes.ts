import { randomInt } from "node:crypto";
import type { OfferedFix } from "../../diagnostics/explain/suggestions.ts";
import { LruMap } from "../../util/lru-map.ts";

const maxKept = 300;
/** After a restart an old name must not mean another fix. */
const firstNumbers = 900;

/** Fixes offered with errors, by the names under which they are applied. */
export class OfferedFixes {
	readonly #fixes = new LruMap<OfferedFix>(maxKept);
	readonly #names = new LruMap<string>(maxKept);
	#last = randomInt(firstNumbers);

	/** `f3`; the same for the same fix of the same text. */
	offer(fix: OfferedFix): string {
		const key = JSON.stringify([fix.path, fix.hash, fix.server, fix.title, fix.line, fix.column]);
		const name = this.#names.get(key) ?? `f${++this.#last}`;
		this.#names.set(key, name);
		this.#fixes.set(name, fix);
		return name;
	}

	get(name: string): OfferedFix | undefined {
		return this.#fixes.get(name);
	}
}
