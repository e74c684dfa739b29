import { isInside } from "../util/paths.ts";
import type { Change, ChangeKind } from "./batch.ts";

const maxEntries = 5000;

export class ChangeLog {
	/** Oldest first; `at` in ms since 1970. */
	readonly #changes = new Map<string, { readonly at: number; readonly kind: ChangeKind }>();
	#droppedAt = 0;

	add({ path, kind }: Change): void {
		this.#changes.delete(path);
		this.#changes.set(path, { at: Date.now(), kind });
		if (this.#changes.size <= maxEntries) return;
		const [oldest, { at }] = this.#changes.entries().next().value as [string, { at: number }];
		this.#changes.delete(oldest);
		this.#droppedAt = at;
	}

	/** `since` is in ms since 1970. All but deletions become `refreshed`. */
	since(directory: string, since: number): Change[] {
		return [...this.#changes]
			.filter(([path, { at }]) => at >= since && isInside(path, directory))
			.map(([path, { kind }]) => ({ path, kind: kind === "deleted" ? kind : "refreshed" }));
	}

	isCompleteSince(since: number): boolean {
		return this.#droppedAt < since;
	}
}
