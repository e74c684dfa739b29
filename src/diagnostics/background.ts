import type { LanguageServer } from "../lsp/server.ts";
import { Directories } from "../project/directories.ts";
import { aborter, abortReason, waitOrAbort } from "../util/abort.ts";
import { hashOf } from "../util/hash.ts";
import { type KnownBefore, KnownStates } from "./known-states.ts";
import { languageIn, showTexts } from "./overlay/show-texts.ts";
import { type Proof, proofsAtOnce, proveDocument, proveOther, strategyOf } from "./sources/prove.ts";
import { Pushes } from "./sources/push.ts";

export interface OtherProof extends KnownBefore {
	readonly proof: Proof;
	readonly revision: number;
	readonly ms: number;
}

export type JobContent =
	| { readonly kind: "file"; readonly path: string }
	| { readonly kind: "with texts"; readonly texts: ReadonlyMap<string, string>; readonly paths: readonly string[] }
	| { readonly kind: "project" }
	| { readonly kind: "callers"; readonly signatures: object };

interface Job {
	readonly key: string;
	readonly path: string | undefined;
	rank: number;
	callers: number;
	readonly work: (signal: AbortSignal) => Promise<unknown>;
	readonly done: Promise<unknown>;
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: unknown) => void;
}

export class Background {
	readonly #server: LanguageServer;
	readonly #jobs = new Map<string, Job>();
	readonly #running = new Map<Job, AbortController>();
	#directories = new Directories();

	constructor(server: LanguageServer) {
		this.#server = server;
		server.foreground.onChange((isFree) => {
			this.#directories = new Directories();
			if (isFree) this.#startJobs();
			else for (const running of this.#running.values()) running.abort();
		});
	}

	/** Rejects with LSP_FILE_NOT_FOUND. */
	prove(path: string, rank: number, signal: AbortSignal): Promise<OtherProof> {
		const work = (running: AbortSignal) => this.#server.turns.read(() => this.#prove(path, running));
		return this.run({ kind: "file", path }, rank, work, signal);
	}

	proveWithTexts(texts: ReadonlyMap<string, string>, paths: readonly string[], signal: AbortSignal): Promise<Proof[]> {
		const server = this.#server;
		// An interrupted slow server would otherwise never finish.
		const proofs = new Map<string, Proof | undefined>();
		const work = (running: AbortSignal) =>
			server.turns.write(async () => {
				if (running.aborted) throw abortReason(running);
				const shown = await showTexts(server, texts);
				try {
					if (!shown.isWhole) return [];
					// intelephense judges the first file by old texts, unless it has published for these.
					const isSlow = server.config.doubtfulUnchanged === true && strategyOf(server) === "push";
					if (isSlow) for (const path of texts.keys()) await this.#proofWith(texts, path, running).catch(() => {});
					const left = paths.filter((path) => !proofs.has(path));
					for (let at = 0; at < left.length; at += this.#width) {
						const batch = left.slice(at, at + this.#width).map(async (path) => {
							const proof = await this.#proofWith(texts, path, running).catch(() => undefined);
							if (proof || !running.aborted) proofs.set(path, proof);
						});
						await Promise.all(batch);
						if (running.aborted) throw abortReason(running);
					}
					return [...proofs.values()].flatMap((proof) => proof ?? []);
				} finally {
					await shown.restore();
				}
			});
		return this.run({ kind: "with texts", texts, paths }, 0, work, signal);
	}

	async run<T>(
		content: JobContent,
		rank: number,
		work: (signal: AbortSignal) => Promise<T>,
		signal: AbortSignal,
	): Promise<T> {
		if (signal.aborted) throw abortReason(signal);
		const key = keyOf(content);
		const job = this.#jobs.get(key) ?? newJob(content, rank, work);
		this.#jobs.set(key, job);
		job.rank = Math.min(job.rank, rank);
		job.callers++;
		this.#startJobs();
		try {
			return (await waitOrAbort(job.done, signal)) as T;
		} finally {
			if (--job.callers === 0) {
				this.#remove(job);
				this.#running.get(job)?.abort();
			}
		}
	}

	get #width(): number {
		return proofsAtOnce(this.#server);
	}

	#startJobs(): void {
		const pushes = this.#server.part(Pushes);
		// jdtls publishes for failing files unasked.
		const rankOf = ({ path, rank }: Job) => (path !== undefined && pushes.isFailing(path) ? -1 : rank);
		while (this.#server.foreground.isFree && this.#running.size < this.#width) {
			let next: Job | undefined;
			for (const job of this.#jobs.values())
				if (!this.#running.has(job) && (!next || rankOf(job) < rankOf(next))) next = job;
			if (!next) return;
			void this.#start(next);
		}
	}

	async #start(job: Job): Promise<void> {
		const running = aborter();
		this.#running.set(job, running);
		try {
			const value = await job.work(running.signal);
			this.#remove(job);
			job.resolve(value);
		} catch (error) {
			if (!running.signal.aborted) {
				this.#remove(job);
				job.reject(error);
			}
		} finally {
			this.#running.delete(job);
			this.#startJobs();
		}
	}

	#remove(job: Job): void {
		if (this.#jobs.get(job.key) === job) this.#jobs.delete(job.key);
	}

	async #prove(path: string, signal: AbortSignal): Promise<OtherProof> {
		const { snapshot } = this.#server;
		const states = this.#server.part(KnownStates);
		await this.#server.catchUp(signal, path);
		const before = states.known(path);
		const { revision } = snapshot;
		const askedAt = performance.now();
		const proof = await this.#proof(path, signal);
		states.remember(proof, revision, "other");
		return { proof, revision, ...before, ms: performance.now() - askedAt };
	}

	#proofWith(texts: ReadonlyMap<string, string>, path: string, signal: AbortSignal): Promise<Proof> {
		const document = texts.has(path) ? this.#server.documents.get(path) : undefined;
		if (!document) return this.#proof(path, signal);
		return proveDocument(this.#server, document, { signal, save: false });
	}

	#proof(path: string, signal: AbortSignal): Promise<Proof> {
		const options = { signal, save: false, directories: this.#directories };
		// A .tsx file opened as plain TypeScript is full of errors.
		return proveOther(this.#server, path, languageIn(this.#server, path), options);
	}
}

function newJob(content: JobContent, rank: number, work: Job["work"]): Job {
	let [resolve, reject]: [Job["resolve"], Job["reject"]] = [() => {}, () => {}];
	const done = new Promise<unknown>((onValue, onError) => {
		[resolve, reject] = [onValue, onError];
	});
	const path = content.kind === "file" ? content.path : undefined;
	return { key: keyOf(content), path, rank, callers: 0, work, done, resolve, reject };
}

function keyOf(content: JobContent): string {
	if (content.kind !== "with texts") return JSON.stringify(content);
	const texts = [...content.texts].map(([path, text]) => [path, hashOf(text)]);
	return JSON.stringify([content.kind, texts, content.paths]);
}
