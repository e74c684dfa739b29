import { Checker, type Surroundings } from "../diagnostics/check.ts";
import { followFlychecks } from "../diagnostics/flycheck.ts";
import { ImportGraph } from "../diagnostics/import-graph.ts";
import { Ledger } from "../diagnostics/ledger.ts";
import { collectPushes } from "../diagnostics/push.ts";
import { waitOrAbort } from "../util/abort.ts";
import { realPathOf } from "../util/files.ts";
import type { WriteEvent } from "../util/log.ts";
import { Metrics } from "../util/metrics.ts";
import { isInside } from "../util/paths.ts";
import { Recent } from "../util/recent.ts";
import { Watches, type WatchStatus } from "../watch/watching.ts";
import { inspect } from "../workspace/locate.ts";
import { type Caller, type LocatedFor, Lookups, type Recalled } from "../workspace/lookups.ts";
import { Pool, type PooledServer } from "../workspace/pool.ts";
import type { AskedSettings } from "../workspace/settings.ts";
import { clientCapabilities } from "./capabilities.ts";
import { LateResults } from "./late.ts";

/** What all calls of one process share: the servers, and what each session is owed. */
export class Hub {
	readonly pool: Pool;
	readonly checker: Checker;
	readonly late = new LateResults();
	readonly metrics = new Metrics();
	readonly startedAt = Date.now();
	readonly #ledgers = new Recent<Ledger>(100);
	readonly #lookups = new Lookups();
	readonly #graphs = new Recent<ImportGraph>(20);

	readonly watches: Watches;
	/** When the commands that are running began, in milliseconds since the epoch, by session and call. */
	readonly commands = new Recent<number>(200);

	/** `directory` is a private one for the watchers' own files; without it they make one. */
	constructor(log: WriteEvent, directory?: string) {
		this.pool = new Pool(log, { metrics: this.metrics, capabilities: clientCapabilities });
		this.watches = new Watches({ log, ...(directory === undefined ? {} : { directory }) });
		this.pool.onStarted = (server) => {
			collectPushes(server);
			followFlychecks(server);
			this.watches.attach(server);
			server.documents.hearing = {
				hears: (path) => this.watches.covers(server, path),
				losses: () => this.watches.losses,
			};
			server.isBehind = () => this.watches.areBehind(server);
			server.fresh = async (signal) => {
				await waitOrAbort(Promise.all([server.resettle(), this.watches.fresh(server)]), signal);
			};
		};
		this.pool.onExited = (server) => this.watches.detach(server);
		const surroundings: Surroundings = {
			graphOf: (root) => this.graphOf(root),
			// One that was started afresh has registered nothing for a moment; the tree of the one before it is still watched.
			isWatched: async (server) =>
				this.watches.status(server).state === "ready" || (await this.watches.areCurrent(server.root)),
		};
		this.watches.onChange = (path) => {
			for (const ledger of this.#ledgers.values()) ledger.changedOnDisk(path);
			for (const graph of this.#graphs.values()) if (isInside(path, graph.root)) graph.changed(path);
		};
		this.watches.onBegin = (directory) => {
			for (const graph of this.#graphs.values())
				if (isInside(directory, graph.root) || isInside(graph.root, directory)) graph.unwatched();
		};
		this.checker = new Checker(this.pool, surroundings, this.metrics);
	}

	/** Stops all servers and the watching. */
	async close(): Promise<void> {
		await this.pool.close();
		this.watches.close();
	}

	/** Who imports whom below a root. */
	graphOf(root: string): ImportGraph {
		const graph = this.#graphs.get(root) ?? new ImportGraph(root);
		this.#graphs.set(root, graph);
		return graph;
	}

	/** The settings for a caller. */
	async settings(caller: Caller): Promise<AskedSettings> {
		const settings = await this.#lookups.settings(caller);
		this.pool.places = settings.maxServers;
		return settings;
	}

	/** A file for a caller; rejects as `Lookups.locate`. */
	async locate(file: string, caller: Caller, options?: { readonly mayBeMissing?: boolean }): Promise<LocatedFor> {
		const found = await this.#lookups.locate(file, caller, options);
		this.pool.places = found.settings.maxServers;
		return found;
	}

	/**
	 * From now on a workspace's server is the one that somebody runs at `address`, or our own again without it; false if it
	 * was already.
	 */
	connect(workspace: string, id: string, address: string | undefined): boolean {
		return this.#lookups.connect(workspace, id, address);
	}

	/** What was found of a file before; see `Lookups.recall`. */
	recall(file: string, caller: Caller): Recalled | undefined {
		return this.#lookups.recall(file, caller);
	}

	/** Begins with the check of a file that was located before, while `locate` looks whether it would be found there still. */
	async hurry(file: string, caller: Caller, signal: AbortSignal): Promise<void> {
		const recalled = this.recall(file, caller);
		if (!recalled) return;
		const { located, settings } = recalled;
		// Text that is not too large is all that may be shown; what is wrong with it `locate` tells.
		if (!(await inspect(located, settings, false).catch(() => false))) return;
		this.checker.hurry(located, signal);
		// What is written leaves the process when nothing else is to be done at once. To wait for more would be to wait for
		// whoever has the document.
		await new Promise(setImmediate);
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

	ledger(session: string): Ledger {
		const ledger = this.#ledgers.get(session) ?? new Ledger();
		this.#ledgers.set(session, ledger);
		return ledger;
	}
}

/** A directory with links followed; itself where it is gone. */
export function realDirectory(directory: string): Promise<string> {
	return realPathOf(directory).then((real) => real ?? directory);
}
