import type { BigIntStats } from "node:fs";
import { isSettled, stampOfStats } from "../util/files.ts";

export interface DiskNow {
	/** As `stampOf` does. */
	stamp(path: string): string | undefined;
	real(path: string): string | undefined;
}

/** While what it was read from is unchanged, a result is valid. */
export class FileDependencies {
	readonly #stamps = new Map<string, string | undefined>();
	readonly #real = new Map<string, string | undefined>();
	#certain = true;

	stats(path: string, info: BigIntStats | undefined): void {
		const stamp = info && stampOfStats(info);
		if (this.#stamps.has(path) && this.#stamps.get(path) !== stamp) this.#certain = false;
		if (info && !isSettled(info)) this.#certain = false;
		this.#stamps.set(path, stamp);
	}

	real(path: string, real: string | undefined): void {
		this.#real.set(path, real);
	}

	addUnknown(): void {
		this.#certain = false;
	}

	isSame(now: DiskNow): boolean {
		if (!this.#certain) return false;
		for (const [path, real] of this.#real) if (now.real(path) !== real) return false;
		for (const [path, stamp] of this.#stamps) if (now.stamp(path) !== stamp) return false;
		return true;
	}
}
