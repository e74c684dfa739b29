/** What happened to a file. `refreshed`: it was written or came to be, and nobody can say which. */
export type ChangeKind = "created" | "changed" | "deleted" | "refreshed";

export interface Change {
	readonly path: string;
	readonly kind: ChangeKind;
}

/** Milliseconds without a change after which a batch is handed on, and the most that one waits. */
const quietMs = 50;
const longestMs = 500;

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
	#quiet: NodeJS.Timeout | undefined;
	#longest: NodeJS.Timeout | undefined;

	constructor(hand: (changes: Change[]) => void) {
		this.#hand = hand;
	}

	add({ path, kind }: Change): void {
		const merged = mergeKinds(this.#changes.get(path), kind);
		if (merged) this.#changes.set(path, merged);
		else this.#changes.delete(path);
		this.#longest ??= setTimeout(() => this.flush(), longestMs).unref();
		if (this.#quiet) this.#quiet.refresh();
		else this.#quiet = setTimeout(() => this.flush(), quietMs).unref();
	}

	/** Hands on what there is, now. */
	flush(): void {
		this.#stop();
		if (this.#changes.size === 0) return;
		const changes = [...this.#changes].map(([path, kind]) => ({ path, kind }));
		this.#changes = new Map();
		this.#hand(changes);
	}

	/** Forgets what there is. */
	close(): void {
		this.#stop();
		this.#changes.clear();
	}

	#stop(): void {
		clearTimeout(this.#quiet);
		clearTimeout(this.#longest);
		this.#quiet = undefined;
		this.#longest = undefined;
	}
}
