import { randomInt } from "node:crypto";
import type { OfferedFix } from "../../diagnostics/explain/suggestions.ts";
import { LruMap } from "../../util/lru-map.ts";

const maxKept = 300;
/** An old name must not mean another fix after a restart. */
const firstNumbers = 900;

export class OfferedFixes {
	readonly #fixes = new LruMap<OfferedFix>(maxKept);
	readonly #names = new LruMap<string>(maxKept);
	#last = randomInt(firstNumbers);

	/** `f3`, the same for one fix of one text. */
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
