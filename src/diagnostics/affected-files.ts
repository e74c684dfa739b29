import type { SignatureChange } from "../contract/check-report.ts";
import { commandChanges } from "../impact/command-changes.ts";
import { type Change, findAffected } from "../impact/find-affected.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Pool } from "../pool/pool.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { isOurs } from "../project/root.ts";
import type { Route } from "../routing/locate.ts";
import { aborter, waitOrAbort } from "../util/abort.ts";
import { anySource, readText } from "../util/read-file.ts";
import { TimeSlices } from "../util/time-slices.ts";
import { Background } from "./background.ts";
import type { EditSession } from "./edit-session.ts";
import { FilesToAsk, fewFiles } from "./files-to-ask.ts";
import { type Dependencies, KnownStates } from "./known-states.ts";
import { type Finding, isWorthTelling, noOthers, OtherFindings, type Others } from "./other-findings.ts";
import type { SeenEdit } from "./seen-edit.ts";
import { type SignatureDifference, signatureChanges } from "./signatures.ts";
import { type Proof, readsDisk } from "./sources/prove.ts";
import { changedPushes } from "./sources/push.ts";
import { pullsProject, pullWorkspace } from "./sources/workspace-pull.ts";

type ChangesIn = (on: Dependencies) => Promise<readonly Change[]>;

/** By whose means files are asked about. */
export interface Means {
	readonly pool: Pool;
	readonly route: Route;
	readonly workspace: string;
	readonly session: EditSession;
	readonly dependencies: (server: LanguageServer) => Promise<Dependencies>;
	/** For so long the server is asked behind one edit, in milliseconds. */
	readonly maxServerMs: number;
}

/**
 * The files that a session's edits may have broken or mended, as one server sees them. They are found and asked about
 * in the background, nearest first; a further edit joins what is under way. What is found is kept until the agent has
 * been told, and told only while it holds.
 */
export class AffectedFiles {
	readonly #means: Means;
	readonly #findings: OtherFindings;
	/** Under way; `isNear` until the direct users of a change are found. */
	readonly #searches = new Set<{ isNear: boolean }>();
	readonly #queue = new FilesToAsk();
	#signatures: { readonly path: string; readonly differences: readonly SignatureDifference[] } | undefined;
	#changes: readonly SignatureChange[] = [];
	readonly #missed = new Set<string>();
	readonly #ending = aborter();
	/** Ends what is asked for the edits so far, when they have cost the server enough. */
	#asking = aborter();
	#spentMs = 0;
	#work: Promise<void> | undefined;
	/** The environment of whoever edited last, for a server that has to be started again. */
	#env: EnvironmentSource | undefined;
	readonly #listeners = new Set<() => void>();
	#waitingAnswers = 0;

	constructor(means: Means) {
		this.#means = means;
		this.#findings = new OtherFindings(means.session, means.route);
	}

	/**
	 * When the last edit was answered, by performance.now(), if it may have changed something that others use; undefined where it
	 * is not worth waiting for what is under way.
	 */
	interestingSince: number | undefined;

	/** True while something is being worked out, or has been found and not been told. */
	get isOpen(): boolean {
		return this.#work !== undefined || this.#findings.all.some(isWorthTelling);
	}

	/** True while something is out that is likely to matter. */
	get isLikely(): boolean {
		return this.#findings.isUnsure || this.#isLikelyToAsk;
	}

	/** True while a file that is likely to be affected is looked for or asked about. */
	get #isLikelyToAsk(): boolean {
		return [...this.#searches].some(({ isNear }) => isNear) || this.#queue.areLikely;
	}

	/** The files that were not proven so far. */
	get left(): string[] {
		return [...this.#queue.keys(), ...this.#findings.unsure];
	}

	/** Takes up what an edit may have changed elsewhere; `env` is for a server that has to be started again. */
	add(server: LanguageServer, edit: SeenEdit, env: EnvironmentSource): void {
		const { path, change, related, signatures, isWhole } = edit;
		this.#forget(path);
		const mayBeMended = this.#findings.mayBeMendedBy(edit);
		const isSeen = change.changed === undefined || change.changed.size > 0;
		const isInteresting = (!change.nothing && isSeen) || mayBeMended.length > 0 || readsDisk(server);
		this.interestingSince = isInteresting ? edit.answeredAt : undefined;
		if (change.nothing && related.length === 0 && !readsDisk(server)) return;
		this.#findings.edited(edit);
		this.#spentMs = 0;
		if (signatures.length > 0) this.#signatures = { path, differences: signatures };
		for (const failing of mayBeMended) this.#ask(server, failing, 0, true);
		for (const proof of related) this.#take(server, proof);
		if (readsDisk(server))
			for (const [other, before] of changedPushes(server)) {
				if (other === path) continue;
				this.#findings.changedByCheck(other, before);
				this.#ask(server, other, 0, true);
			}
		// A check of the whole project has told of all that it broke.
		if (!change.nothing && !readsDisk(server))
			this.#search(
				server,
				async ({ index, watched }) => {
					index.changed(path);
					await index.read({ watched });
					return [{ path, isWhole, ...change }];
				},
				mayBeMended,
			);
		this.#begin(env);
	}

	/**
	 * Takes up files that a command changed, this session's own first: each is asked about itself, and so are those that
	 * may see the change. A file whose meaning is the same is left out. The command began at `since`, in milliseconds since
	 * the epoch.
	 */
	addChanged(server: LanguageServer, paths: readonly string[], since: number, env: EnvironmentSource): void {
		const { session, route } = this.#means;
		this.interestingSince = undefined;
		this.#spentMs = 0;
		this.#search(server, async ({ index, watched }) => {
			const { changed, seen } = await commandChanges(index, watched, paths, since);
			for (const path of changed) {
				this.#findings.changedByCommand(path);
				this.#ask(server, path, session.last(route, path) ? 0 : 1, true);
			}
			return seen;
		});
		this.#begin(env);
	}

	/** Gives up: nobody wants to know any more. */
	close(): void {
		this.#ending.abort();
		this.#asking.abort();
		this.#changed();
	}

	/** Resolves when nothing is out any more; with `likely`, when nothing is out that is likely to matter. */
	async settled(signal: AbortSignal, likely = false): Promise<void> {
		while (likely ? this.isLikely : this.#work !== undefined) await waitOrAbort(this.#change(), signal);
	}

	/**
	 * What has been found when nothing is out any more, or when the signal ends. Meanwhile the files that were found go
	 * before the search for more.
	 */
	async foundSoon(signal: AbortSignal): Promise<Others> {
		this.#waitingAnswers++;
		try {
			await this.settled(signal).catch(() => {});
			return await this.found();
		} finally {
			this.#waitingAnswers--;
			this.#changed();
		}
	}

	/** What has been found and is still so. What no longer holds is asked about again. */
	async found(): Promise<Others> {
		const { pool, route, dependencies } = this.#means;
		const server = pool.running(route);
		if (!server) return noOthers;
		// What happened on disk until now may have mended what was found.
		if (this.#findings.all.length > 0) await server.catchUp(this.#ending.signal).catch(() => {});
		const on = await dependencies(server);
		const states = server.part(KnownStates);
		const others: Finding[] = [];
		for (const finding of this.#findings.all) {
			if (this.#queue.has(finding.path)) continue;
			if (await states.holds(finding.path, finding.revision, on)) others.push(finding);
			else this.#ask(server, finding.path, 0, true);
		}
		if (this.#queue.size > 0 && this.#env) this.#begin(this.#env);
		return { others, missed: [...this.#missed], changes: this.#changes };
	}

	/** The agent has been told what `found` gave. */
	told({ others, missed, changes }: Others): void {
		for (const other of others) this.#findings.told(other);
		for (const path of missed) this.#missed.delete(path);
		if (changes === this.#changes) this.#changes = [];
	}

	/** Looks for the files that may see some changes, and asks about each as soon as it is found, but for those that are asked. */
	#search(server: LanguageServer, changesIn: ChangesIn, asked: readonly string[] = []): void {
		const { workspace, dependencies } = this.#means;
		const { signal } = this.#ending;
		const search = { isNear: true };
		const textOf = async (path: string) => server.documents.get(path)?.text ?? (await readText(path, anySource));
		const run = async () => {
			// The answer that is being put together goes first.
			await new TimeSlices().next();
			const on = await dependencies(server);
			const changes = await changesIn(on);
			const isNamed = changes.every(({ changed }) => changed !== undefined);
			const found = ({ path, distance }: { readonly path: string; readonly distance: number }) => {
				if (isOurs(path, workspace) && !asked.includes(path))
					this.#ask(server, path, distance, isNamed && distance <= 1);
			};
			const mayGoOn = async () => {
				if (search.isNear) this.#changed();
				search.isNear = false;
				// What is found is asked first. A server that answers for its whole project is asked when all are found.
				const isAskedFirst = server.config.pullsWorkspace !== true;
				const most = () => (this.#waitingAnswers > 0 ? 0 : fewFiles);
				while (isAskedFirst && !signal.aborted && this.#queue.size > most()) await this.#change();
				await server.foreground.whenFree();
			};
			await findAffected(changes, { index: on.index, signal, mayGoOn, textOf, found });
		};
		this.#searches.add(search);
		run()
			.catch(() => {})
			.finally(() => {
				this.#searches.delete(search);
				this.#changed();
			});
	}

	#ask(server: LanguageServer, path: string, distance: number, likely: boolean): void {
		// It came with the answer for the edited file, or has just been asked about.
		if (this.#findings.revisionOf(path) === server.snapshot.revision) return;
		this.#queue.want(path, distance, likely);
		this.#findings.doubt(path);
		this.#changed();
	}

	/** Works until nothing is left to ask. A server that ends meanwhile is started again and asked for the rest. */
	#begin(env: EnvironmentSource): void {
		this.#env = env;
		const { pool, route, workspace } = this.#means;
		const run = (server: LanguageServer) => this.#run(server);
		this.#work ??= pool
			.use(route, workspace, env, this.#ending.signal, run, { background: true })
			.catch(() => this.#giveUp())
			.finally(() => {
				this.#work = undefined;
				this.#findings.settled();
				this.#changed();
			});
	}

	async #run(server: LanguageServer): Promise<void> {
		const { signal } = this.#ending;
		const asked = new Set<string>();
		const refused = new Set<string>();
		let hasPulledProject = false;
		// True once what the likely files were before has been asked: whoever waits only for so long is told of them.
		let isCompared = false;
		let failure: unknown;
		for (;;) {
			// One question for all is asked when all are found.
			const mayPullProject = server.config.pullsWorkspace === true && !hasPulledProject;
			while (mayPullProject && this.#searches.size > 0) await waitOrAbort(this.#change(), signal);
			if (mayPullProject && pullsProject(server, this.#queue.size)) {
				hasPulledProject = true;
				await this.#proveProject(server);
			}
			for (const [path, { rank }] of this.#queue) {
				if (asked.has(path)) continue;
				asked.add(path);
				this.#prove(server, path, rank, refused)
					.catch((error: unknown) => {
						failure = error;
					})
					.finally(() => {
						asked.delete(path);
						this.#changed();
					});
			}
			if (failure !== undefined) throw failure;
			const isLikelyToAsk = this.#isLikelyToAsk;
			if (isLikelyToAsk) isCompared = false;
			const mayCompare = !isCompared || (asked.size === 0 && this.#searches.size === 0);
			if (!isLikelyToAsk && mayCompare && this.#findings.isUnsure) {
				isCompared = true;
				await this.#findings.proveBefore(server, signal);
			} else if (asked.size > 0 || this.#searches.size > 0) await waitOrAbort(this.#change(), signal);
			else if (this.#signatures) await this.#countCallers(server);
			else return;
		}
	}

	async #prove(server: LanguageServer, path: string, rank: number, refused: Set<string>): Promise<void> {
		const { route, session, maxServerMs, dependencies } = this.#means;
		const { signal } = this.#asking;
		try {
			const wanted = this.#queue.get(path);
			const proven = await server.part(Background).prove(path, rank, signal);
			this.#spentMs += proven.ms;
			// It may be told of by its own check by now.
			if (!this.#queue.has(path)) return;
			await this.#findings.judge(server, proven, await dependencies(server));
			// Who asked about it once more meanwhile is answered anew.
			if (this.#queue.get(path) === wanted) this.#queue.delete(path);
		} catch (error) {
			const why = codeOf(error);
			if (why === "LSP_SERVER_CRASHED" || this.#ending.signal.aborted) throw error;
			// What a server refuses once, while it reads something, it may answer later.
			if (why === "LSP_SERVER_ERROR" && !refused.has(path)) return void refused.add(path);
			this.#forget(path);
			if (why === "LSP_FILE_NOT_FOUND") session.forget(route, path);
			// What a server does not answer for one file takes nothing from the others.
			else this.#missed.add(path);
		}
		if (this.#spentMs <= maxServerMs || signal.aborted) return;
		this.#asking.abort();
		this.#asking = aborter();
	}

	/** Proves many files at once, where the server answers for its whole project. */
	async #proveProject(server: LanguageServer): Promise<void> {
		const states = server.part(KnownStates);
		const work = (signal: AbortSignal) =>
			server.turns.read(async () => {
				const { revision } = server.snapshot;
				return { revision, proofs: await pullWorkspace(server, [...this.#queue.keys()], signal) };
			});
		const { revision, proofs } = await server.part(Background).run("project", 0, work, this.#ending.signal);
		const on = await this.#means.dependencies(server);
		for (const proof of proofs) {
			const proven = { proof, revision, before: states.last(proof.path), ms: 0 };
			if (this.#queue.delete(proof.path)) await this.#findings.judge(server, proven, on);
		}
	}

	/** Takes a proof that came with the answer for the edited file: its file needs no question. */
	#take(server: LanguageServer, proof: Proof): void {
		if (!isOurs(proof.path, this.#means.workspace)) return;
		const proven = { proof, revision: server.snapshot.revision, before: undefined, ms: 0 };
		this.#search(server, async (on) => {
			await this.#findings.judge(server, proven, on);
			return [];
		});
	}

	/** Counts the callers of what has another signature now, and those of them that fail. */
	async #countCallers(server: LanguageServer): Promise<void> {
		const signatures = this.#signatures;
		if (!signatures) return;
		const proofs = this.#findings.all.map(({ proof }) => proof);
		const work = (signal: AbortSignal) =>
			server.turns.read(() => signatureChanges(server, signatures.path, signatures.differences, proofs, signal));
		const changes = await server.part(Background).run(`callers ${signatures.path}`, 0, work, this.#ending.signal);
		if (this.#signatures !== signatures) return;
		this.#signatures = undefined;
		this.#changes = changes;
	}

	#giveUp(): void {
		for (const path of this.left) this.#missed.add(path);
		for (const path of this.#findings.unsure) this.#findings.forget(path);
		this.#queue.clear();
		this.#signatures = undefined;
	}

	#forget(path: string): void {
		this.#queue.delete(path);
		this.#findings.forget(path);
	}

	#change(): Promise<void> {
		return new Promise((resolve) => {
			this.#listeners.add(resolve);
		});
	}

	#changed(): void {
		const listeners = [...this.#listeners];
		this.#listeners.clear();
		for (const listener of listeners) listener();
	}
}

function codeOf(error: unknown): string | undefined {
	return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
