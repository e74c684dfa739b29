import { isInside } from "../util/paths.ts";
import type { Change, ChangeKind } from "./batch.ts";

const maxKept = 5000;

/** The last changes on disk, whoever made them, so that it can be asked what a command did. */
export class ChangeLog {
	/** When each path was last told of, in milliseconds since the epoch, and what had happened; the oldest first. */
	readonly #seen = new Map<string, { readonly at: number; readonly kind: ChangeKind }>();
	/** Something that was told of before this has been forgotten. */
	#forgotAt = 0;

	add({ path, kind }: Change): void {
		this.#seen.delete(path);
		this.#seen.set(path, { at: Date.now(), kind });
		if (this.#seen.size <= maxKept) return;
		const [oldest, { at }] = this.#seen.entries().next().value as [string, { at: number }];
		this.#seen.delete(oldest);
		this.#forgotAt = at;
	}

	/** The paths below a directory that were told of at or after `since` (milliseconds since the epoch). */
	since(directory: string, since: number): string[] {
		return this.changesSince(directory, since).map(({ path }) => path);
	}

	/** The same, each with what happened to it last: `refreshed` for all but what is gone. */
	changesSince(directory: string, since: number): Change[] {
		return [...this.#seen]
			.filter(([path, { at }]) => at >= since && isInside(path, directory))
			.map(([path, { kind }]) => ({ path, kind: kind === "deleted" ? kind : "refreshed" }));
	}

	/** True if nothing that was told of since then has been forgotten. */
	reaches(since: number): boolean {
		return this.#forgotAt < since;
	}
}
