import { LspError } from "../errors.ts";
import { Semaphore } from "../util/semaphore.ts";
import type { Proof } from "./prove.ts";

const atOnce = 8;

/** Room for so many files of which one server is asked at a time. */
export function newRoom(): Semaphore {
	return new Semaphore(atOnce);
}

/** Proves files as they are found, some at a time, each once; those that the time does not reach are left out. */
export class ProofQueue {
	readonly #prove: (path: string) => Promise<Proof>;
	readonly #signal: AbortSignal;
	readonly #room: Semaphore;
	readonly #left = new Set<string>();
	readonly #proofs = new Map<string, Promise<Proof | undefined>>();

	constructor(prove: (path: string) => Promise<Proof>, signal: AbortSignal, room = newRoom()) {
		this.#prove = prove;
		this.#signal = signal;
		this.#room = room;
	}

	/** Files that are not there any more. */
	readonly gone = new Set<string>();

	/** The files that were added, are there, and are not among `proofs`. */
	unproven(proofs: readonly Proof[]): string[] {
		const proven = new Set(proofs.map(({ path }) => path));
		return [...this.#proofs.keys()].filter((path) => !proven.has(path));
	}

	/** The same queue, which takes no notice of `path`. */
	without(path: string): this {
		this.#left.add(path);
		return this;
	}

	/** Takes a proof that came by itself: its file is not asked about. */
	put(proof: Proof): void {
		if (!this.#proofs.has(proof.path) && !this.#left.has(proof.path))
			this.#proofs.set(proof.path, Promise.resolve(proof));
	}

	add(path: string): void {
		if (this.#proofs.has(path) || this.#left.has(path)) return;
		const proof = this.#room
			.run(this.#signal, () => this.#prove(path))
			.catch((error: unknown) => {
				if (error instanceof LspError && error.code === "LSP_FILE_NOT_FOUND") {
					this.#proofs.delete(path);
					this.gone.add(path);
					return undefined;
				}
				// Out of time is nobody's error, and what a server does not answer for one file takes nothing from the others: it
				// is not proven, and counted. A dead server is one.
				const isRefused = error instanceof LspError && error.code === "LSP_SERVER_ERROR";
				if (this.#signal.aborted || isRefused) return undefined;
				throw error;
			});
		proof.catch(() => {});
		this.#proofs.set(path, proof);
	}

	/** What was proven of all that was added so far, in the order in which it was found. */
	async done(): Promise<Proof[]> {
		return (await Promise.all(this.#proofs.values())).flatMap((proof) => proof ?? []);
	}
}
