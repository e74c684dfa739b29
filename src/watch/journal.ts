import { isInside } from "../util/paths.ts";
import type { Change } from "./batch.ts";

const mostKept = 5000;

/** The last changes on disk, whoever made them, so that it can be asked what a command did. */
export class Journal {
	/** When each path was last told of, in milliseconds since the epoch; the oldest first. */
	readonly #seen = new Map<string, number>();

	add({ path }: Change): void {
		this.#seen.delete(path);
		this.#seen.set(path, Date.now());
		if (this.#seen.size > mostKept) this.#seen.delete(this.#seen.keys().next().value as string);
	}

	/** The paths below a directory that were told of at or after `since` (milliseconds since the epoch). */
	since(directory: string, since: number): string[] {
		return [...this.#seen].filter(([path, at]) => at >= since && isInside(path, directory)).map(([path]) => path);
	}
}
