import { availableParallelism } from "node:os";
import type { LanguageServer } from "../lsp/server.ts";
import { Directories } from "../project/directories.ts";
import { languageOf } from "../project/file-match.ts";
import { aborter, reasonOf } from "../util/abort.ts";
import { type KnownState, KnownStates } from "./known-states.ts";
import { type Proof, proveOther, strategyOf } from "./sources/prove.ts";

/** What a server said of a file behind an answer. */
export interface Proven {
	readonly proof: Proof;
	/** The server's revision when it was asked. */
	readonly revision: number;
	/** What was known of the file before. */
	readonly before: KnownState | undefined;
	/** How long the server took, in milliseconds. */
	readonly ms: number;
}

interface Waiter {
	resolve(value: unknown): void;
	reject(error: unknown): void;
}

interface Job {
	readonly key: string;
	rank: number;
	readonly work: (signal: AbortSignal) => Promise<unknown>;
	readonly waiting: Set<Waiter>;
}

/**
 * What one server is asked behind the answers, for all sessions: each file once, nearest first. Nothing is out while
 * anybody waits for the server: what is under way then is cancelled, and asked again afterwards.
 */
export class Background {
	readonly #server: LanguageServer;
	readonly #jobs = new Map<string, Job>();
	readonly #out = new Map<Job, AbortController>();
	/** What is known of directories, until the next edit. */
	#directories = new Directories();

	constructor(server: LanguageServer) {
		this.#server = server;
		server.foreground.onChange((isFree) => {
			this.#directories = new Directories();
			if (isFree) this.#next();
			else for (const asking of this.#out.values()) asking.abort();
		});
	}

	/**
	 * Proves a file when the server is free; the lower `rank`, the sooner. Rejects when `signal` ends, or with what the
	 * server rejects with: LSP_FILE_NOT_FOUND for a file that is gone.
	 */
	prove(path: string, rank: number, signal: AbortSignal): Promise<Proven> {
		return this.run(path, rank, (asking) => this.#server.turns.read(() => this.#prove(path, asking)), signal);
	}

	/**
	 * Proves files as they were when others had other texts. Nobody else asks the server meanwhile, and the true texts
	 * are put back: a file of which nothing comes is left out.
	 */
	proveOn(texts: ReadonlyMap<string, string>, paths: readonly string[], signal: AbortSignal): Promise<Proof[]> {
		const server = this.#server;
		const work = (asking: AbortSignal) =>
			server.turns.write(async () => {
				if (asking.aborted) throw reasonOf(asking);
				const restore = server.documents.overlay(texts, (path) => languageOf(server.config, path));
				try {
					const proofs: Proof[] = [];
					for (let at = 0; at < paths.length; at += this.#width) {
						const some = paths
							.slice(at, at + this.#width)
							.map((path) => this.#proof(path, asking).catch(() => undefined));
						proofs.push(...(await Promise.all(some)).flatMap((proof) => proof ?? []));
						if (asking.aborted) throw reasonOf(asking);
					}
					return proofs;
				} finally {
					restore();
				}
			});
		return this.run(`before ${[...texts.keys()].join()} ${paths.join()}`, 0, work, signal);
	}

	/** Does some work when the server is free; what has the same key and is under way is shared. */
	run<T>(key: string, rank: number, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			if (signal.aborted) return reject(reasonOf(signal));
			const job: Job = this.#jobs.get(key) ?? { key, rank, work, waiting: new Set() };
			this.#jobs.set(key, job);
			job.rank = Math.min(job.rank, rank);
			const leave = () => signal.removeEventListener("abort", onAbort);
			const waiter: Waiter = {
				resolve: (value) => {
					leave();
					resolve(value as T);
				},
				reject: (error) => {
					leave();
					reject(error);
				},
			};
			const onAbort = () => {
				job.waiting.delete(waiter);
				reject(reasonOf(signal));
				if (job.waiting.size > 0) return;
				this.#jobs.delete(key);
				this.#out.get(job)?.abort();
			};
			signal.addEventListener("abort", onAbort, { once: true });
			job.waiting.add(waiter);
			this.#next();
		});
	}

	/**
	 * A server that works in parallel is given as many files as there are processors but one, which is left for whoever
	 * comes. Any other is given one at a time.
	 */
	get #width(): number {
		const isParallel = strategyOf(this.#server) === "pull" && !this.#server.config.doubtfulUnchanged;
		return isParallel ? Math.max(availableParallelism() - 1, 1) : 1;
	}

	#next(): void {
		while (this.#server.foreground.isFree && this.#out.size < this.#width) {
			let nearest: Job | undefined;
			for (const job of this.#jobs.values())
				if (!this.#out.has(job) && (!nearest || job.rank < nearest.rank)) nearest = job;
			if (!nearest) return;
			void this.#do(nearest);
		}
	}

	async #do(job: Job): Promise<void> {
		const asking = aborter();
		this.#out.set(job, asking);
		const end = (tell: (waiter: Waiter) => void) => {
			if (this.#jobs.get(job.key) === job) this.#jobs.delete(job.key);
			for (const waiter of [...job.waiting]) tell(waiter);
		};
		try {
			const value = await job.work(asking.signal);
			end(({ resolve }) => resolve(value));
		} catch (error) {
			// What was cancelled for somebody who waits stays where it was.
			if (!asking.signal.aborted) end(({ reject }) => reject(error));
		} finally {
			this.#out.delete(job);
			this.#next();
		}
	}

	async #prove(path: string, signal: AbortSignal): Promise<Proven> {
		const { snapshot } = this.#server;
		const states = this.#server.part(KnownStates);
		// Much may have happened on disk since somebody waited for an answer: a command that changed hundreds of files, say.
		await this.#server.catchUp(signal, path);
		const before = states.last(path);
		const { revision } = snapshot;
		const began = performance.now();
		const proof = await this.#proof(path, signal);
		states.remember(proof, revision, "other");
		return { proof, revision, before, ms: performance.now() - began };
	}

	#proof(path: string, signal: AbortSignal): Promise<Proof> {
		const how = { signal, save: false, directories: this.#directories };
		// Not the edited file's language: a .tsx that is opened as plain TypeScript is full of errors.
		return proveOther(this.#server, path, languageOf(this.#server.config, path), how);
	}
}
