import { homedir } from "node:os";
import { sep } from "node:path";
import type { WatchSetting } from "../config/schema.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { WriteEvent } from "../util/log.ts";
import { isInside, isTemporaryName } from "../util/paths.ts";
import type { Change } from "./batch.ts";
import { ChangeLog } from "./change-log.ts";
import { EventBarrier } from "./event-barrier.ts";
import type { Base } from "./globs.ts";
import { repositoryOf } from "./ignores.ts";
import { Registrations } from "./registrations.ts";
import { type SourceName, sources, type WatchSource } from "./source.ts";
import { SourceChooser } from "./source-chooser.ts";
import { TreeWatcher } from "./tree-watcher.ts";

export interface WatchStatus {
	readonly state: "starting" | "ready" | "degraded" | "off";
	readonly directories: number;
	readonly source?: "portable" | "poll";
	readonly reason?: string;
}

const lingerMs = 30_000;

export interface WatchServiceOptions {
	/** With `PI_LSP_DISABLE_WATCHERS=1` each question compares trees with the disk. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly directory?: string;
	readonly sources?: Readonly<Record<SourceName, WatchSource>>;
	readonly log?: WriteEvent;
}

interface SharedTree {
	readonly tree: TreeWatcher;
	readonly users: Set<Registrations>;
	readonly names: Set<string>;
	closing: NodeJS.Timeout | undefined;
}

export class WatchService {
	readonly #options: WatchServiceOptions;
	readonly #isOff: boolean;
	readonly #trees = new Map<string, SharedTree>();
	readonly #attached = new Map<LanguageServer, { readonly registrations: Registrations; readonly stop: () => void }>();
	readonly #outdated = new Set<Registrations>();
	readonly #log = new ChangeLog();
	readonly #asked = new WeakSet<LanguageServer>();
	readonly #chooser: SourceChooser;
	#barrier: EventBarrier | undefined;
	/** Grows when `covers` may become false without a change. */
	losses = 0;
	onChange: ((path: string) => void) | undefined;

	onBegin: ((directory: string) => void) | undefined;

	constructor(options: WatchServiceOptions = {}) {
		this.#options = options;
		this.#isOff = (options.env ?? process.env).PI_LSP_DISABLE_WATCHERS === "1";
		this.#chooser = new SourceChooser(options.sources ?? sources, this.#isOff, options.log);
	}

	set setting(setting: WatchSetting) {
		if (!this.#chooser.change(setting)) return;
		for (const { tree } of this.#trees.values()) {
			const choice = this.#chooser.choose(tree.root);
			if (choice.source === tree.source) continue;
			tree.watchWith(choice.source, choice.hasTrust);
			void this.#chooser.prove(tree, choice, this.#barrierOf().parent);
		}
	}

	attach(server: LanguageServer): void {
		if (this.#attached.has(server)) return;
		const registrations = new Registrations(server);
		const update = () => this.#updateSoon(registrations);
		const stops = [server.on("client/registerCapability", update), server.on("client/unregisterCapability", update)];
		this.#attached.set(server, {
			registrations,
			stop: () => {
				for (const stop of stops) stop();
			},
		});
		this.#update(registrations);
	}

	detach(server: LanguageServer): void {
		const known = this.#attached.get(server);
		if (!known) return;
		this.#attached.delete(server);
		known.stop();
		known.registrations.close();
		this.#leave(known.registrations, () => true);
	}

	/**
	 * Resolves when the server has every earlier change. The first call waits for no scan: the server reads the files
	 * afterwards.
	 */
	async fresh(server: LanguageServer): Promise<void> {
		const registrations = this.#attached.get(server)?.registrations;
		if (!registrations) return;
		if (this.#outdated.has(registrations)) this.#update(registrations);
		const isFirst = !this.#asked.has(server);
		this.#asked.add(server);
		this.#watchUnregistered(registrations);
		await Promise.all(this.#treesOf(registrations).map((tree) => tree.settle(isFirst)));
		registrations.flush();
	}

	covers(server: LanguageServer, path: string): boolean {
		const registrations = this.#attached.get(server)?.registrations;
		if (!registrations) return false;
		for (const { tree, users } of this.#trees.values()) if (users.has(registrations) && tree.covers(path)) return true;
		return false;
	}

	/** `since` is in ms since 1970. */
	async changedSince(directory: string, since: number): Promise<string[]> {
		await Promise.all([...this.#trees.values()].map(({ tree }) => tree.settle()));
		return this.#log.since(directory, since).map(({ path }) => path);
	}

	/** For 30 s more. False if there are none. */
	keep(directory: string): boolean {
		const kept = [...this.#trees].filter(
			([, { tree }]) => isInside(tree.root, directory) || isInside(directory, tree.root),
		);
		for (const [key, shared] of kept) if (shared.users.size === 0) this.#endLater(key, shared);
		return kept.length > 0;
	}

	async areCurrent(directory: string): Promise<boolean> {
		for (const { tree } of this.#trees.values()) {
			if (!tree.coversAll(directory)) continue;
			await tree.settle();
			return tree.coversAll(directory);
		}
		return false;
	}

	isReady(server: LanguageServer): boolean {
		const trees = this.#watching(server);
		return trees.length > 0 && trees.every(({ state }) => state === "ready");
	}

	status(server: LanguageServer): WatchStatus {
		const trees = this.#watching(server);
		const directories = trees.reduce((sum, tree) => sum + tree.directories, 0);
		const state = (["degraded", "starting", "ready"] as const).find((each) =>
			trees.some((tree) => tree.state === each),
		);
		const names = trees.map(({ source }) => source.name);
		const source = (["poll", "portable"] as const).find((name) => names.includes(name));
		const reason = trees.flatMap((tree) => tree.reason ?? []).join(", ");
		return { state: state ?? "off", directories, ...(source ? { source } : {}), ...(reason ? { reason } : {}) };
	}

	close(): void {
		this.#chooser.close();
		for (const server of [...this.#attached.keys()]) this.detach(server);
		for (const key of [...this.#trees.keys()]) this.#end(key);
	}

	/** For servers that never register, such as clangd. TypeScript 7 registers 100 ms after it has read a project. */
	#watchUnregistered(registrations: Registrations): void {
		if (registrations.hasRegistered) return;
		const { root } = registrations.server;
		this.#join({ directory: root, deep: !isInside(homedir(), root) }, registrations);
	}

	#watching(server: LanguageServer): TreeWatcher[] {
		const registrations = this.#attached.get(server)?.registrations;
		return registrations && !this.#isOff ? this.#treesOf(registrations) : [];
	}

	#treesOf(registrations: Registrations): TreeWatcher[] {
		return [...this.#trees.values()].flatMap(({ tree, users }) => (users.has(registrations) ? tree : []));
	}

	#updateSoon(registrations: Registrations): void {
		if (this.#outdated.has(registrations)) return;
		this.#outdated.add(registrations);
		setImmediate(() => {
			if (this.#outdated.has(registrations)) this.#update(registrations);
		});
	}

	#update(registrations: Registrations): void {
		this.#outdated.delete(registrations);
		const { server } = registrations;
		if (this.#attached.get(server)?.registrations !== registrations) return;
		const wanted = treesFor(server.root, registrations.compile().bases);
		this.#leave(registrations, (key) => !wanted.has(key));
		for (const base of wanted.values()) this.#join(base, registrations);
	}

	#join({ directory, deep }: Base, registrations: Registrations): void {
		const { config, startedAt } = registrations.server;
		const key = treeKey({ directory, deep });
		const known = this.#trees.get(key);
		if (known?.users.has(registrations)) return;
		const names = known?.names ?? new Set<string>();
		const namesBefore = names.size;
		for (const name of config.match) names.add(name);
		if (known) {
			clearTimeout(known.closing);
			known.users.add(registrations);
			const isComplete =
				names.size === namesBefore && known.tree.isCompleteSince(startedAt) && this.#log.isCompleteSince(startedAt);
			if (!isComplete) void known.tree.catchUp(startedAt);
			else for (const change of this.#log.since(directory, startedAt)) registrations.add(change);
			return;
		}
		const barrier = this.#barrierOf();
		const choice = this.#chooser.choose(directory);
		const tree = new TreeWatcher(directory, {
			barrier,
			...choice,
			since: startedAt,
			deep,
			isCode: (name) => names.has(name) || names.has(name.slice(name.lastIndexOf(".") + 1)),
			onChange: (change) => this.#changed(directory, change),
			onLoss: () => this.losses++,
			onFileSystem: (found) => this.#chooser.foundFileSystem(tree, found),
			...(this.#options.log ? { log: this.#options.log } : {}),
		});
		this.#trees.set(key, { tree, users: new Set([registrations]), names, closing: undefined });
		void this.#chooser.prove(tree, choice, barrier.parent);
		this.onBegin?.(directory);
	}

	#barrierOf(): EventBarrier {
		this.#barrier ??= new EventBarrier(this.#options.directory);
		return this.#barrier;
	}

	#changed(directory: string, change: Change): void {
		// TypeScript 7 wants every name, and would read its projects again.
		if (isTemporaryName(change.path)) return;
		this.#log.add(change);
		this.onChange?.(change.path);
		for (const { registrations } of this.#attached.values()) {
			const { root, documents } = registrations.server;
			if (!isInside(directory, root) && !isInside(root, directory)) continue;
			documents.changed(change.path);
			registrations.add(change);
		}
	}

	#leave(registrations: Registrations, matches: (key: string) => boolean): void {
		for (const [key, shared] of this.#trees) {
			if (!matches(key) || !shared.users.delete(registrations)) continue;
			this.losses++;
			if (shared.users.size > 0) continue;
			this.#endLater(key, shared);
		}
	}

	#endLater(key: string, shared: SharedTree): void {
		clearTimeout(shared.closing);
		shared.closing = setTimeout(() => this.#end(key), lingerMs).unref();
	}

	#end(key: string): void {
		const shared = this.#trees.get(key);
		clearTimeout(shared?.closing);
		shared?.tree.close();
		this.#trees.delete(key);
		if (this.#trees.size > 0) return;
		this.#barrier?.close();
		this.#barrier = undefined;
	}
}

function treeKey({ directory, deep }: Base): string {
	return `${directory} ${deep ? "deep" : "shallow"}`;
}

/**
 * TypeScript 7 registers every `node_modules` up to `/`: only the root's tree and the repository's directories are
 * watched.
 */
function treesFor(root: string, bases: readonly Base[]): Map<string, Base> {
	const repository = repositoryOf(root) ?? root;
	const trees = new Map<string, Base>();
	const add = (base: Base) => trees.set(treeKey(base), base);
	for (const base of bases) {
		const packages = `${base.directory}${sep}`.indexOf(`${sep}node_modules${sep}`);
		const directory = packages < 0 ? base.directory : base.directory.slice(0, packages) || sep;
		const deep = packages < 0 && base.deep;
		if (isInside(directory, root)) add({ directory: root, deep: true });
		else if (isInside(directory, repository)) add({ directory, deep });
		// A glob over more than the repository includes the root.
		else if (deep && isInside(root, directory)) add({ directory: root, deep: true });
	}
	return trees;
}
