import { asLspError } from "../contract/errors.ts";
import { commandChanges } from "../impact/command-changes.ts";
import type { Change } from "../impact/find-affected.ts";
import { mayConcern } from "../impact/index/sources.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { matchesName } from "../project/file-match.ts";
import { isOurs } from "../project/root.ts";
import type { Route } from "../routing/locate.ts";
import { aborter, deadline, waitOrAbort } from "../util/abort.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { AffectedFilesCall, AffectedFilesContext, Search, Searching } from "./affected-context.ts";
import { Background } from "./background.ts";
import { FileQueue, fewQueued } from "./file-queue.ts";
import { type ImportIndex, KnownStates } from "./known-states.ts";
import {
	type AffectedFindings,
	isWorthReporting,
	noFindings,
	type OtherFinding,
	OtherFindings,
} from "./other-findings.ts";
import type { ProvenEdit } from "./prove-edit.ts";
import { AffectedSearch } from "./search-affected.ts";
import { SignatureChanges } from "./signatures.ts";
import { checksProject, strategyOf } from "./sources/prove.ts";
import { Pushes } from "./sources/push.ts";
import { pullsProject, pullWorkspace } from "./sources/workspace-pull.ts";

const deliveryMs = 20;

export class AffectedFiles {
	readonly #context: AffectedFilesContext;
	readonly #findings: OtherFindings;
	readonly #searches = new Set<Search>();
	readonly #queue = new FileQueue();
	readonly #signatures = new SignatureChanges();
	readonly #missed = new Set<string>();
	readonly #closing = aborter();
	#proving = aborter();
	#spentMs = 0;
	#work: Promise<void> | undefined;
	#call: AffectedFilesCall | undefined;
	readonly #listeners = new Set<() => void>();
	#waitingReports = 0;
	/** By performance.now(); undefined if no effect is worth a wait. */
	#interestingSince: number | undefined;

	constructor(context: AffectedFilesContext) {
		this.#context = context;
		this.#findings = new OtherFindings(context.session, context.route);
	}

	/** True if the pool stops the server for that route, as after trust. */
	isReplacedBy({ config, root, callerKey }: Route): boolean {
		const { route } = this.#context;
		return (
			callerKey !== undefined && route.callerKey === callerKey && route.config.id === config.id && route.root === root
		);
	}

	get isOpen(): boolean {
		return this.#work !== undefined || this.#findings.all.some(isWorthReporting);
	}

	get isIdle(): boolean {
		if (this.#work !== undefined || this.#searches.size > 0 || this.#queue.size > 0) return false;
		return this.#findings.size + this.#missed.size + this.#signatures.counted.length === 0;
	}

	get left(): string[] {
		return [...this.#queue.keys(), ...this.#findings.uncompared];
	}

	get #hasLikely(): boolean {
		return [...this.#searches].some(({ isNear }) => isNear) || this.#queue.hasLikelyOrFew;
	}

	/** `answeredAt` is by performance.now(). */
	add(server: LanguageServer, edit: ProvenEdit, answeredAt: number, call: AffectedFilesCall): void {
		const { proof, change, signatures, isWhole } = edit;
		const { path, related = [] } = proof;
		this.#forget(path);
		this.#interestingSince = undefined;
		if (change.nothing && related.length === 0 && !checksProject(server)) return;
		const mayBeFixed = this.#findings.mayBeFixedBy(edit, server.part(KnownStates));
		const mayEndErrors = change.lost.size > 0 && this.#findings.failing(server.part(KnownStates)).size > 0;
		const isInteresting =
			(!change.nothing && change.changed?.size !== 0) || mayEndErrors || mayBeFixed.length > 0 || checksProject(server);
		if (isInteresting) this.#interestingSince = answeredAt;
		this.#findings.edited(edit);
		this.#spentMs = 0;
		for (const other of this.#context.session.affected) if (other !== this) other.#addFailing(edit, call);
		if (signatures.length > 0) this.#signatures.expect({ path, differences: signatures });
		this.#findings.mayReturn(mayBeFixed.filter((failing) => this.#queue.has(failing)));
		for (const failing of mayBeFixed) this.#enqueue(server, failing, 0, true);
		for (const other of related) {
			if (!isOurs(other.path, this.#context.workspace)) continue;
			const known = { ...server.part(KnownStates).known(other.path), before: undefined };
			const proven = { proof: other, revision: server.snapshot.revision, ...known, ms: 0 };
			this.#search(server, (imports) => this.#findings.compare(server, proven, imports));
		}
		if (checksProject(server))
			// A check of the disk has found everything.
			for (const [other, before] of server.part(Pushes).changed()) {
				if (other === path) continue;
				this.#findings.changedByCheck(other, before);
				this.#enqueue(server, other, 0, true);
			}
		else if (!change.nothing)
			this.#search(server, async (imports, search) => {
				imports.index.changed(path);
				await imports.index.read(imports);
				const changes = [{ path, isWhole, ...change }];
				await this.#searchAffected(server, changes, imports, { call, search, except: mayBeFixed, edit });
			});
		this.#begin(call);
	}

	#addFailing(edit: ProvenEdit, call: AffectedFilesCall): void {
		const { pool, route } = this.#context;
		if (matchesName(route.config, edit.proof.path)) return;
		const failing = this.#findings.mayBeFixedBy(edit, pool.running(route)?.part(KnownStates));
		for (const other of failing) if (mayConcern(edit.proof.path, other)) this.addUser(other, edit, call);
	}

	addUser(path: string, edit: ProvenEdit | undefined, call: AffectedFilesCall): void {
		const revisionBefore = this.#context.pool.running(this.#context.route)?.snapshot.revision ?? 0;
		if (edit) this.#findings.edited({ ...edit, revisionBefore });
		this.#findings.mayReturn(this.#queue.has(path) ? [path] : []);
		this.#spentMs = 0;
		this.#queue.add(path, 1, true);
		this.#findings.forgetUncompared(path);
		this.#begin(call);
		this.#notify();
	}

	/** `since` is in ms since 1970. */
	addChanged(server: LanguageServer, paths: readonly string[], since: number, call: AffectedFilesCall): void {
		const { session, route } = this.#context;
		this.#interestingSince = undefined;
		this.#spentMs = 0;
		this.#search(server, async (imports, search) => {
			const changes = await commandChanges(imports.index, imports.watched, paths, since);
			for (const { path } of changes) {
				this.#findings.changedByCommand(path);
				this.#enqueue(server, path, session.last(route, path) ? 0 : 1, true);
			}
			await this.#searchAffected(server, changes, imports, { call, search, except: [], edit: undefined });
		});
		this.#begin(call);
	}

	close(): void {
		this.#closing.abort();
		this.#proving.abort();
		this.#notify();
	}

	/** With `likely`, waits only for likely effects and for short searches. */
	async settled(signal: AbortSignal, likely = false): Promise<void> {
		const isSearching = () => this.#searches.size > 0 && this.#queue.size <= fewQueued;
		const isLikely = () => this.#hasLikely || isSearching() || this.#findings.uncompared.length > 0;
		const isBusy = () => (likely ? isLikely() : this.#work !== undefined);
		while (isBusy()) await waitOrAbort(this.#nextChange(), signal);
	}

	async findingsWithin(graceMs: number | undefined, signal: AbortSignal): Promise<AffectedFindings> {
		if (graceMs === undefined) {
			await this.settled(signal).catch(() => {});
			const found = await this.currentFindings();
			const unsearched = this.#searches.size > 0 ? { unsearched: true } : {};
			return { ...found, missed: [...found.missed, ...this.left], ...unsearched };
		}
		const since = this.#interestingSince;
		const leftMs = since === undefined ? 0 : graceMs - deliveryMs - (performance.now() - since);
		if (leftMs <= 0) return this.currentFindings();
		const limit = deadline(leftMs, () => new Error("the grace is over"), signal);
		this.#waitingReports++;
		try {
			await this.settled(limit.signal).catch(() => {});
			return await this.currentFindings();
		} finally {
			this.#waitingReports--;
			this.#notify();
			limit.end();
		}
	}

	async currentFindings(): Promise<AffectedFindings> {
		const { pool, route, indexes } = this.#context;
		const server = pool.running(route);
		if (!server) return { ...noFindings, missed: [...this.#missed] };
		const files: OtherFinding[] = [];
		if (this.#findings.all.length > 0) {
			await server.catchUp(this.#closing.signal).catch(() => {});
			const imports = await indexes.importIndex(server);
			for (const finding of this.#findings.all) {
				if (this.#queue.has(finding.path)) continue;
				const isCurrent = await server.part(KnownStates).isCurrent(finding.path, finding.revision, imports);
				if (isCurrent) files.push(finding);
				else this.#enqueue(server, finding.path, 0, true);
			}
		}
		if (this.#queue.size > 0 && this.#call) this.#begin(this.#call);
		return { files, missed: [...this.#missed], changes: this.#signatures.counted };
	}

	reported({ files, missed, changes }: AffectedFindings): void {
		for (const finding of files) this.#findings.reported(finding);
		for (const path of missed) this.#missed.delete(path);
		this.#signatures.reported(changes);
	}

	#search(server: LanguageServer, run: (imports: ImportIndex, search: Search) => Promise<void>): void {
		const search = { isNear: true };
		this.#searches.add(search);
		new TimeSlices()
			.next()
			.then(() => this.#context.indexes.importIndex(server))
			.then((imports) => run(imports, search))
			.catch(() => {})
			.finally(() => {
				this.#searches.delete(search);
				this.#notify();
			});
	}

	/** Goes on with few files left, while no caller waits. */
	async #mayGoOn(server: LanguageServer, search: Search): Promise<void> {
		if (search.isNear) this.#notify();
		search.isNear = false;
		const provesAll = server.config.pullsWorkspace === true;
		const limit = () => (this.#waitingReports > 0 ? 0 : fewQueued);
		while (!provesAll && !this.#closing.signal.aborted && this.#queue.size > limit()) await this.#nextChange();
		await server.foreground.whenFree();
	}

	#searchAffected(
		server: LanguageServer,
		changes: readonly Change[],
		imports: ImportIndex,
		{ search, call, edit, except }: Searching,
	): Promise<void> {
		const affected = new AffectedSearch(changes, {
			...{ server, call, edit, except, workspace: this.#context.workspace, signal: this.#closing.signal },
			failing: this.#findings.failing(server.part(KnownStates)),
			mayGoOn: () => this.#mayGoOn(server, search),
			enqueue: (path, distance, isLikely) => this.#enqueue(server, path, distance, isLikely),
			missed: (path) => this.#missed.add(path),
		});
		return affected.run(imports);
	}

	#enqueue(server: LanguageServer, path: string, distance: number, isLikely: boolean): void {
		if (this.#findings.revisionOf(path) === server.snapshot.revision) return;
		this.#queue.add(path, distance, isLikely);
		this.#findings.forgetUncompared(path);
		this.#notify();
	}

	#begin(call: AffectedFilesCall): void {
		this.#call = call;
		const { pool, route, workspace } = this.#context;
		const { env } = call;
		const run = (server: LanguageServer) => this.#run(server);
		this.#work ??= pool
			.use(route, { workspace, env, signal: this.#closing.signal }, run, { background: true })
			.catch(() => this.#giveUp())
			.finally(() => {
				this.#work = undefined;
				this.#findings.forgetEdits();
				this.#notify();
			});
	}

	async #run(server: LanguageServer): Promise<void> {
		const { signal } = this.#closing;
		const proving = new Set<string>();
		const refused = new Set<string>();
		let hasPulledProject = false;
		let isCompared = false;
		let failure: unknown;
		const isSlow = strategyOf(server) === "push";
		const isFailing = (path: string) => server.part(Pushes).isFailing(path);
		for (;;) {
			// 1. One request for the whole project.
			const mayPullProject = server.config.pullsWorkspace === true && !hasPulledProject;
			while (mayPullProject && this.#searches.size > 0) await waitOrAbort(this.#nextChange(), signal);
			if (mayPullProject && pullsProject(server, this.#queue.size)) {
				hasPulledProject = true;
				await this.#proveProject(server);
			}
			// 2. One request for each other file.
			for (const [path, { rank }] of this.#queue) {
				if (proving.has(path)) continue;
				proving.add(path);
				this.#prove(server, path, rank, refused)
					.catch((error: unknown) => {
						failure = error;
					})
					.finally(() => {
						proving.delete(path);
						this.#notify();
					});
			}
			if (failure !== undefined) throw failure;
			const isBusy = proving.size > 0 || this.#searches.size > 0;
			if (this.#hasLikely) isCompared = false;
			const isLong = isSlow && this.#queue.size > fewQueued && ![...this.#queue.keys()].some(isFailing);
			const areLikelyProven = !this.#hasLikely || isLong;
			// 3. The states before the edit, of files with errors.
			if (areLikelyProven && (!isCompared || !isBusy) && this.#findings.uncompared.length > 0) {
				isCompared = true;
				await this.#findings.proveBefore(server, signal);
			} else if (isBusy) await waitOrAbort(this.#nextChange(), signal);
			// 4. The callers of changed signatures.
			else if (this.#signatures.isPending)
				await this.#signatures.count(
					server,
					this.#findings.all.map(({ proof }) => proof),
					signal,
				);
			else return;
		}
	}

	async #prove(server: LanguageServer, path: string, rank: number, refused: Set<string>): Promise<void> {
		const { route, session, indexes } = this.#context;
		const { signal } = this.#proving;
		try {
			const queued = this.#queue.get(path);
			const proven = await server.part(Background).prove(path, rank, signal);
			this.#spentMs += proven.ms;
			if (!this.#queue.has(path)) return;
			await this.#findings.compare(server, proven, await indexes.importIndex(server));
			if (this.#queue.get(path) === queued) this.#queue.delete(path);
		} catch (error) {
			const { code } = asLspError(error);
			if (code === "LSP_SERVER_CRASHED" || this.#closing.signal.aborted) throw error;
			if (signal.aborted && this.#findings.hasNews(path)) return;
			if (code === "LSP_SERVER_ERROR" && !refused.has(path)) return void refused.add(path);
			this.#forget(path);
			if (code === "LSP_FILE_NOT_FOUND") session.forget(route, path);
			else this.#missed.add(path);
		}
		if (this.#spentMs <= (this.#call?.maxServerMs ?? 0) || signal.aborted) return;
		this.#proving.abort();
		this.#proving = aborter();
	}

	async #proveProject(server: LanguageServer): Promise<void> {
		const states = server.part(KnownStates);
		const work = (signal: AbortSignal) =>
			server.turns.read(async () => {
				const { revision } = server.snapshot;
				return { revision, proofs: await pullWorkspace(server, [...this.#queue.keys()], signal) };
			});
		const { revision, proofs } = await server.part(Background).run({ kind: "project" }, 0, work, this.#closing.signal);
		const imports = await this.#context.indexes.importIndex(server);
		for (const proof of proofs) {
			const proven = { proof, revision, ...states.known(proof.path), ms: 0 };
			if (this.#queue.delete(proof.path)) await this.#findings.compare(server, proven, imports);
		}
	}

	#giveUp(): void {
		for (const path of this.left) this.#missed.add(path);
		for (const path of this.#findings.uncompared) this.#findings.forget(path);
		this.#queue.clear();
		this.#signatures.expect(undefined);
	}

	#forget(path: string): void {
		this.#queue.delete(path);
		this.#findings.forget(path);
	}

	#nextChange(): Promise<void> {
		return new Promise((resolve) => {
			this.#listeners.add(resolve);
		});
	}

	#notify(): void {
		const listeners = [...this.#listeners];
		this.#listeners.clear();
		for (const listener of listeners) listener();
	}
}
