import type { BigIntStats } from "node:fs";
import { isSettled, stampOfStats } from "../util/files.ts";

/** What the disk says now; the same things are asked for again and again. */
export interface DiskNow {
	/** See `stampOf`. */
	stamp(path: string): string | undefined;
	/** A path with links followed. */
	real(path: string): string | undefined;
}

/** All that somebody has looked at on disk to find something out: while it stays the same, so does what was found. */
export class FileDependencies {
	readonly #stamps = new Map<string, string | undefined>();
	readonly #real = new Map<string, string | undefined>();
	#certain = true;

	/** The stats of a file or a directory were looked at, and perhaps what it holds; undefined for nothing there. */
	stats(path: string, info: BigIntStats | undefined): void {
		const stamp = info && stampOfStats(info);
		if (this.#stamps.has(path) && this.#stamps.get(path) !== stamp) this.#certain = false;
		if (info && !isSettled(info)) this.#certain = false;
		this.#stamps.set(path, stamp);
	}

	/** A path's links were followed. */
	real(path: string, real: string | undefined): void {
		this.#real.set(path, real);
	}

	/** Something was looked at that is not among these: nobody can tell whether it stays the same. */
	beyond(): void {
		this.#certain = false;
	}

	/** False if it may have changed since, or while it was looked at. */
	isSame(now: DiskNow): boolean {
		if (!this.#certain) return false;
		for (const [path, real] of this.#real) if (now.real(path) !== real) return false;
		for (const [path, stamp] of this.#stamps) if (now.stamp(path) !== stamp) return false;
		return true;
	}
}
