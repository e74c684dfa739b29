import { sep } from "node:path";
import type { LanguageServer } from "../lsp/server.ts";
import type { WriteEvent } from "../util/log.ts";
import { isInside } from "../util/paths.ts";
import type { Change } from "./batch.ts";
import { ChangeLog } from "./change-log.ts";
import type { DirectoryWatcher } from "./directory-node.ts";
import { EventBarrier } from "./event-barrier.ts";
import type { Base } from "./globs.ts";
import { repositoryOf } from "./ignores.ts";
import { Registrations } from "./registrations.ts";
import { TreeWatcher } from "./tree-watcher.ts";

/** What a status shows of the watching for one server. `off`: it registered nothing, or watching is switched off. */
export interface WatchStatus {
	readonly state: "starting" | "ready" | "degraded" | "off";
	/** The number of directories that are watched. */
	readonly directories: number;
	readonly reason?: string;
}

/** How long a server may take to say what it wants to hear of, in milliseconds; one that has not by then wants nothing. */
const registrationMs = 30_000;
/**
 * How long a tree is kept that no server needs, in milliseconds: one that is restarted, or has crashed, is back within
 * that, and then nothing has to be read anew (10,000 files at each restart took more time than all questions).
 */
const lingerMs = 30_000;

export interface WatchesOptions {
	/** `PI_LSP_DISABLE_WATCHERS=1` creates nothing at all. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Where the private cookie directory is made. */
	readonly directory?: string;
	readonly watcher?: DirectoryWatcher;
	readonly log?: WriteEvent;
}

interface Shared {
	readonly tree: TreeWatcher;
	/** The servers for which the tree is kept. */
	readonly users: Set<Registrations>;
	/** What the users' compilers read: file name extensions, and whole names. */
	readonly names: Set<string>;
	/** The end of it, while nobody needs it. */
	closing: NodeJS.Timeout | undefined;
}

/**
 * Tells the servers what changes on disk behind their back: one tree for each root, shared by its servers, kept while
 * a server wants to hear of it.
 */
export class WatchService {
	readonly #options: WatchesOptions;
	readonly #off: boolean;
	readonly #trees = new Map<string, Shared>();
	readonly #subscribers = new Map<LanguageServer, { readonly subscriber: Registrations; readonly stop: () => void }>();
	/** Those whose registrations have to be read again. */
	readonly #changing = new Set<Registrations>();
	readonly #journal = new ChangeLog();
	readonly #asked = new WeakSet<LanguageServer>();
	#queue: EventBarrier | undefined;
	/** While it stands still, and no change of a file is told, `covers` says yes where it said yes before. */
	losses = 0;
	/** Called with the path of every change, whoever made it. */
	onChange: ((path: string) => void) | undefined;

	/** Called with each directory of which changes are told from now on: nobody has told what happened before. */
	onBegin: ((directory: string) => void) | undefined;

	constructor(options: WatchesOptions = {}) {
		this.#options = options;
		this.#off = (options.env ?? process.env).PI_LSP_DISABLE_WATCHERS === "1";
	}

	/** Begins to listen to what a server registers; to be called as soon as it has started. */
	attach(server: LanguageServer): void {
		if (this.#off || this.#subscribers.has(server)) return;
		const subscriber = new Registrations(server);
		const update = () => this.#updateSoon(subscriber);
		const stops = [server.on("client/registerCapability", update), server.on("client/unregisterCapability", update)];
		this.#subscribers.set(server, {
			subscriber,
			stop: () => {
				for (const stop of stops) stop();
			},
		});
		this.#update(subscriber);
	}

	/** Ends everything for a server that has ended; a tree that no other one needs is closed a while later. */
	detach(server: LanguageServer): void {
		const known = this.#subscribers.get(server);
		if (!known) return;
		this.#subscribers.delete(server);
		known.stop();
		known.subscriber.close();
		this.#leave(known.subscriber, () => true);
	}

	/**
	 * Resolves when a server has been told of everything that happened on disk before the call. To be awaited in front of
	 * everything that is asked of the server. The first question waits for no scan, since the server reads the files
	 * itself after it; the next one does: what was edited behind its back meanwhile is found by nothing else.
	 */
	async fresh(server: LanguageServer): Promise<void> {
		const subscriber = this.#subscribers.get(server)?.subscriber;
		if (!subscriber) return;
		if (this.#changing.has(subscriber)) this.#update(subscriber);
		const first = !this.#asked.has(server);
		this.#asked.add(server);
		if (!first) this.#watchUnregistered(subscriber);
		const trees = this.#treesOf(subscriber);
		await Promise.all(trees.map(({ tree }) => tree.settle(first)));
		subscriber.flush();
	}

	/** True if a server's documents hear of every change of this file, once `fresh` has been awaited. */
	covers(server: LanguageServer, path: string): boolean {
		const subscriber = this.#subscribers.get(server)?.subscriber;
		if (!subscriber) return false;
		for (const { tree, users } of this.#trees.values()) if (users.has(subscriber) && tree.covers(path)) return true;
		return false;
	}

	/**
	 * The files below a directory that were created, changed or deleted at or after `since` (milliseconds since the epoch), as
	 * far as they are watched: every change that came before the call is among them.
	 */
	async changedSince(directory: string, since: number): Promise<string[]> {
		await Promise.all([...this.#trees.values()].map(({ tree }) => tree.settle()));
		return this.#journal.since(directory, since);
	}

	/** True if every change below a directory is told to `onChange`, and all that came before the call have been. */
	async areCurrent(directory: string): Promise<boolean> {
		for (const { tree } of this.#trees.values()) {
			if (!tree.holdsAll(directory)) continue;
			await tree.settle();
			return tree.holdsAll(directory);
		}
		return false;
	}

	status(server: LanguageServer): WatchStatus {
		const subscriber = this.#subscribers.get(server)?.subscriber;
		const trees = subscriber ? this.#treesOf(subscriber) : [];
		const directories = trees.reduce((sum, { tree }) => sum + tree.directories, 0);
		const states = trees.map(({ tree }) => tree.state);
		const reason = trees.flatMap(({ tree }) => tree.reason ?? []).join(", ");
		const state = (["degraded", "starting", "ready"] as const).find((candidate) => states.includes(candidate)) ?? "off";
		return { state, directories, ...(reason ? { reason } : {}) };
	}

	close(): void {
		for (const server of [...this.#subscribers.keys()]) this.detach(server);
		for (const key of [...this.#trees.keys()]) this.#end(key);
	}

	/**
	 * Watches the root of a server that has registered nothing yet: TypeScript 7 does so 100 ms after it has read a project,
	 * and on a busy machine the second question comes before that. Without it a dependency that was edited in between
	 * was called clean.
	 */
	#watchUnregistered(subscriber: Registrations): void {
		const { root, startedAt, config } = subscriber.server;
		// Of those that answer for files that nobody opened: a tree for each of the others would be a scan for nothing.
		if (subscriber.hasRegistered || !config.pullsUnopened) return;
		if (Date.now() - startedAt < registrationMs) this.#join(deepKey(root), root, true, subscriber);
		else this.#leave(subscriber, () => true);
	}

	#treesOf(subscriber: Registrations): Shared[] {
		return [...this.#trees.values()].filter(({ users }) => users.has(subscriber));
	}

	/** Registrations come in flocks, each in a request of its own: they are read once. */
	#updateSoon(subscriber: Registrations): void {
		if (this.#changing.has(subscriber)) return;
		this.#changing.add(subscriber);
		setImmediate(() => {
			if (this.#changing.has(subscriber)) this.#update(subscriber);
		});
	}

	#update(subscriber: Registrations): void {
		this.#changing.delete(subscriber);
		const { server } = subscriber;
		if (this.#subscribers.get(server)?.subscriber !== subscriber) return;
		const wanted = treesFor(server.root, subscriber.compile().bases);
		this.#leave(subscriber, (key) => !wanted.has(key));
		for (const [key, { directory, deep }] of wanted) this.#join(key, directory, deep, subscriber);
	}

	#join(key: string, directory: string, deep: boolean, subscriber: Registrations): void {
		const { config, startedAt } = subscriber.server;
		const known = this.#trees.get(key);
		if (known?.users.has(subscriber)) return;
		const names = known?.names ?? new Set<string>();
		const languages = names.size;
		for (const name of config.match) names.add(name);
		if (known) {
			clearTimeout(known.closing);
			known.users.add(subscriber);
			// It may have read files before it joined, and the tree may have left out what only its language reads.
			const knowsAll = names.size === languages && known.tree.toldSince(startedAt) && this.#journal.reaches(startedAt);
			if (!knowsAll) void known.tree.catchUp(startedAt);
			else for (const change of this.#journal.changesSince(directory, startedAt)) subscriber.add(change);
			return;
		}
		this.#queue ??= new EventBarrier(this.#options.directory);
		const users = new Set([subscriber]);
		const tree = new TreeWatcher(directory, {
			queue: this.#queue,
			since: startedAt,
			deep,
			isCode: (name) => names.has(name) || names.has(name.slice(name.lastIndexOf(".") + 1)),
			onChange: (change) => this.#changed(directory, change),
			onLoss: () => this.losses++,
			...(this.#options.watcher ? { watcher: this.#options.watcher } : {}),
			...(this.#options.log ? { log: this.#options.log } : {}),
		});
		this.#trees.set(key, { tree, users, names, closing: undefined });
		this.onBegin?.(directory);
	}

	/** Every server whose root is concerned hears of a change, also one that has registered nothing so far. */
	#changed(directory: string, change: Change): void {
		this.#journal.add(change);
		this.onChange?.(change.path);
		for (const { subscriber } of this.#subscribers.values()) {
			const { root } = subscriber.server;
			if (!isInside(directory, root) && !isInside(root, directory)) continue;
			subscriber.server.documents.changed(change.path);
			subscriber.add(change);
		}
	}

	#leave(subscriber: Registrations, which: (key: string) => boolean): void {
		for (const [key, shared] of this.#trees) {
			if (!which(key) || !shared.users.delete(subscriber)) continue;
			this.losses++;
			if (shared.users.size > 0) continue;
			shared.closing = setTimeout(() => this.#end(key), lingerMs).unref();
		}
	}

	#end(key: string): void {
		const shared = this.#trees.get(key);
		clearTimeout(shared?.closing);
		shared?.tree.close();
		this.#trees.delete(key);
		if (this.#trees.size > 0) return;
		this.#queue?.close();
		this.#queue = undefined;
	}
}

function deepKey(root: string): string {
	return `${root} deep`;
}

/**
 * The trees that the bases of a server's globs ask for. Inside its root that is the root's. Outside of it (TypeScript 7
 * registers its own library and every `node_modules` up to `/`) only what lies in the same repository, and of the
 * directories above the root that are asked for their `node_modules` only that and their own files.
 */
function treesFor(root: string, bases: readonly Base[]): Map<string, { directory: string; deep: boolean }> {
	const repository = repositoryOf(root) ?? root;
	const trees = new Map<string, { directory: string; deep: boolean }>();
	for (const base of bases) {
		const packages = `${base.directory}${sep}`.indexOf(`${sep}node_modules${sep}`);
		const directory = packages < 0 ? base.directory : base.directory.slice(0, packages) || sep;
		const deep = packages < 0 && base.deep;
		if (isInside(directory, root)) trees.set(deepKey(root), { directory: root, deep: true });
		else if (isInside(directory, repository)) {
			trees.set(`${directory} ${deep ? "deep" : "shallow"}`, { directory, deep });
		} else if (base.deep && packages < 0 && isInside(root, directory))
			// A glob over more than the repository means the root as well.
			trees.set(deepKey(root), { directory: root, deep: true });
	}
	return trees;
}
