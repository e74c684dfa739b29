import { Debounce } from "./debounce.ts";

/** `refreshed`: written or created. */
export type ChangeKind = "created" | "changed" | "deleted" | "refreshed";

export interface Change {
	readonly path: string;
	readonly kind: ChangeKind;
}

/** Undefined if the changes cancel each other. */
export function mergeKinds(first: ChangeKind | undefined, second: ChangeKind): ChangeKind | undefined {
	if (first === undefined || first === second) return second;
	if (second === "deleted") return first === "created" ? undefined : "deleted";
	if (first === "deleted") return "changed";
	return first === "created" ? "created" : "refreshed";
}

export class Batch {
	readonly #send: (changes: Change[]) => void;
	#changes = new Map<string, ChangeKind>();
	readonly #debounce = new Debounce(() => this.flush());

	constructor(send: (changes: Change[]) => void) {
		this.#send = send;
	}

	add({ path, kind }: Change): void {
		const merged = mergeKinds(this.#changes.get(path), kind);
		if (merged) this.#changes.set(path, merged);
		else this.#changes.delete(path);
		this.#debounce.happened();
	}

	flush(): void {
		if (this.#changes.size === 0) return;
		this.#debounce.cancel();
		const changes = [...this.#changes].map(([path, kind]) => ({ path, kind }));
		this.#changes = new Map();
		this.#send(changes);
	}

	close(): void {
		this.#debounce.cancel();
		this.#changes.clear();
	}
}
