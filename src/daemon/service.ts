import type { Settings } from "../config/read-settings.ts";
import { Checker, type Surroundings } from "../diagnostics/check.ts";
import { followFlychecks } from "../diagnostics/sources/flycheck.ts";
import { collectPushes } from "../diagnostics/sources/push.ts";
import { FileIndex } from "../impact/index/file-index.ts";
import { Pool } from "../pool/pool.ts";
import type { PooledServer } from "../pool/server-entry.ts";
import { type Caller, type LocatedFor, RouteCache } from "../routing/route-cache.ts";
import { waitOrAbort } from "../util/abort.ts";
import { realPathOf } from "../util/files.ts";
import type { WriteEvent } from "../util/log.ts";
import { LruMap } from "../util/lru-map.ts";
import { Metrics } from "../util/metrics.ts";
import { isInside } from "../util/paths.ts";
import { onRefused } from "../util/read-file.ts";
import { WatchService, type WatchStatus } from "../watch/watch-service.ts";
import { clientCapabilities } from "./capabilities.ts";
import { type Session, Sessions } from "./sessions.ts";

/** What all calls of one process share: the servers, and what each session is owed. */
export class Service {
	readonly pool: Pool;
	readonly checker: Checker;
	readonly metrics = new Metrics();
	readonly startedAt = Date.now();
	readonly #sessions = new Sessions();
	readonly #routes = new RouteCache();
	readonly #indexes = new LruMap<FileIndex>(20);
	/** Files that the log has named: each is looked at time and again. */
	readonly #refused = new LruMap<true>(200);
	readonly #endRefused: () => void;

	readonly watches: WatchService;

	/** `directory` is a private one for the watchers' own files; without it they make one. */
	constructor(log: WriteEvent, directory?: string) {
		this.pool = new Pool(log, { metrics: this.metrics, capabilities: clientCapabilities });
		this.#endRefused = onRefused((path, refused) => {
			if (!this.#refused.get(path)) log("file refused", { path, refused });
			this.#refused.set(path, true);
		});
		this.watches = new WatchService({ log, ...(directory === undefined ? {} : { directory }) });
		this.pool.onStarted = (server) => {
			collectPushes(server);
			followFlychecks(server);
			this.watches.attach(server);
			server.documents.isWatched = (path) => this.watches.covers(server, path);
			server.sendChanges = async (signal) => {
				await waitOrAbort(Promise.all([server.sendChangedSettings(), this.watches.fresh(server)]), signal);
			};
			// Read while the server reads its project, so that no edit waits for it.
			this.indexOf(server.root)
				.read()
				.catch(() => {});
		};
		this.pool.onExited = (server) => this.watches.detach(server);
		const surroundings: Surroundings = {
			indexOf: (root) => this.indexOf(root),
			// One that was started afresh has registered nothing for a moment; the tree of the one before it is still watched.
			isWatched: async (server) =>
				this.watches.status(server).state === "ready" || (await this.watches.areCurrent(server.root)),
		};
		this.watches.onChange = (path) => {
			this.#sessions.changedOnDisk(path);
			for (const index of this.#indexes.values()) if (isInside(path, index.root)) index.changed(path);
		};
		this.watches.onBegin = (directory) => {
			for (const index of this.#indexes.values())
				if (isInside(directory, index.root) || isInside(index.root, directory)) index.unwatched();
		};
		this.checker = new Checker(this.pool, surroundings, this.metrics);
	}

	/** Stops all servers and the watching. */
	async close(): Promise<void> {
		this.#endRefused();
		this.#sessions.close();
		await this.pool.close();
		this.watches.close();
	}

	/** Who imports whom below a root, and which names each file holds. */
	indexOf(root: string): FileIndex {
		const index = this.#indexes.get(root) ?? new FileIndex(root);
		this.#indexes.set(root, index);
		return index;
	}

	/** The settings for a caller. */
	async settings(caller: Caller): Promise<Settings> {
		const settings = await this.#routes.settings(caller);
		this.#apply(settings);
		return settings;
	}

	/** A file for a caller; rejects as `RouteCache.locate`. */
	async locate(file: string, caller: Caller, options?: { readonly mayBeMissing?: boolean }): Promise<LocatedFor> {
		const found = await this.#routes.locate(file, caller, options);
		this.#apply(found.settings);
		return found;
	}

	/** Some settings of the user's hold for the whole process. */
	#apply({ maxServers, watch }: Settings): void {
		this.pool.maxServers = maxServers;
		this.watches.setting = watch;
	}

	/**
	 * From now on a workspace's server is the one that somebody runs at `address`, or our own again without it; false if it
	 * was already.
	 */
	connect(workspace: string, id: string, address: string | undefined): boolean {
		return this.#routes.connect(workspace, id, address);
	}

	/** The servers, with how their roots are watched. */
	servers(): (PooledServer & { readonly watch?: WatchStatus })[] {
		// One that others run has no process of ours to be known by.
		const keyOf = (pid: number | undefined, id: string, root: string) => pid ?? `${id} ${root}`;
		const watches = new Map(
			this.pool
				.servers()
				.map((server) => [keyOf(server.pid, server.config.id, server.root), this.watches.status(server)] as const),
		);
		return this.pool.list().map((server) => {
			const watch = watches.get(keyOf(server.pid, server.id, server.root));
			return watch ? { ...server, watch } : server;
		});
	}

	/** What is known of one agent's conversation. */
	session(id: string): Session {
		return this.#sessions.get(id);
	}
}

/** A directory with links followed; itself where it is gone. */
export function realDirectory(directory: string): Promise<string> {
	return realPathOf(directory).then((real) => real ?? directory);
}
