import { Quiet } from "./quiet.ts";

/** What happened to a file. `refreshed`: it was written or came to be, and nobody can say which. */
export type ChangeKind = "created" | "changed" | "deleted" | "refreshed";

export interface Change {
	readonly path: string;
	readonly kind: ChangeKind;
}

/** Two things that happened to one file as one; undefined if together they are nothing. */
export function mergeKinds(first: ChangeKind | undefined, second: ChangeKind): ChangeKind | undefined {
	if (first === undefined || first === second) return second;
	if (second === "deleted") return first === "created" ? undefined : "deleted";
	if (first === "deleted") return "changed";
	return first === "created" ? "created" : "refreshed";
}

/**
 * Collects changes and hands them on together: after 50 ms in which nothing was added, after 500 ms in any case, or
 * when asked to. Several changes of one file are one.
 */
export class Batch {
	readonly #hand: (changes: Change[]) => void;
	#changes = new Map<string, ChangeKind>();
	readonly #quiet = new Quiet(() => this.flush());

	constructor(hand: (changes: Change[]) => void) {
		this.#hand = hand;
	}

	add({ path, kind }: Change): void {
		const merged = mergeKinds(this.#changes.get(path), kind);
		if (merged) this.#changes.set(path, merged);
		else this.#changes.delete(path);
		this.#quiet.happened();
	}

	/** Hands on what there is, now. */
	flush(): void {
		this.#quiet.stop();
		if (this.#changes.size === 0) return;
		const changes = [...this.#changes].map(([path, kind]) => ({ path, kind }));
		this.#changes = new Map();
		this.#hand(changes);
	}

	/** Forgets what there is. */
	close(): void {
		this.#quiet.stop();
		this.#changes.clear();
	}
}
