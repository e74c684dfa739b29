import { join } from "node:path";
import type { Settings } from "../config/read-settings.ts";
import type { CallerParams } from "../contract/protocol.ts";
import { Checker } from "../diagnostics/check.ts";
import type { FileIndexes, ImportIndex } from "../diagnostics/known-states.ts";
import { followFlychecks } from "../diagnostics/sources/flycheck.ts";
import { HeaderLanguages } from "../diagnostics/sources/header-languages.ts";
import { collectPushes } from "../diagnostics/sources/push.ts";
import { SchemaFiles } from "../diagnostics/sources/schema-files.ts";
import { UpdatedSchemas } from "../diagnostics/sources/updated-schemas.ts";
import { FileIndex } from "../impact/index/file-index.ts";
import { Foreground } from "../lsp/foreground.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { Pool } from "../pool/pool.ts";
import type { PooledServer } from "../pool/server-entry.ts";
import { type CallerIdentity, type LocatedFor, RouteCache } from "../routing/route-cache.ts";
import { Surveys } from "../routing/survey-languages.ts";
import { waitOrAbort } from "../util/abort.ts";
import { realPathOf } from "../util/files.ts";
import type { WriteEvent } from "../util/log.ts";
import { LruMap } from "../util/lru-map.ts";
import { Metrics } from "../util/metrics.ts";
import { isInside } from "../util/paths.ts";
import { onRefused } from "../util/read-file.ts";
import { ownDirectory } from "../util/xdg.ts";
import { WatchService, type WatchStatus } from "../watch/watch-service.ts";
import type { Change } from "../writer/change.ts";
import { Changes } from "../writer/changes.ts";
import { HostSkills } from "./agents/host-skills.ts";
import { clientCapabilities } from "./capabilities.ts";
import { type Session, Sessions } from "./sessions.ts";
import { Simulations } from "./simulation/simulations.ts";
import { AnsweredEdits } from "./writing/answered-edits.ts";
import { OfferedFixes } from "./writing/offered-fixes.ts";

export interface Plan {
	readonly change: Change;
	readonly params: CallerParams;
	readonly diff: string;
	readonly onWritten?: () => Promise<void>;
}

/** Another check of many files may follow. */
const quietMs = 5000;

export interface RunningCheck {
	readonly directory: string;
	readonly files: number;
	done: number;
}

export class Service implements FileIndexes {
	readonly pool: Pool;
	readonly checker: Checker;
	readonly metrics = new Metrics();
	readonly startedAt = Date.now();
	readonly #sessions = new Sessions(join(ownDirectory("XDG_STATE_HOME"), "sessions"));
	readonly #routes = new RouteCache();
	#applied: Settings | undefined;
	readonly #indexes = new LruMap<FileIndex>(20);
	readonly #refused = new LruMap<true>(200);
	readonly surveys = new Surveys();
	/** The index of a new server's tree waits for these: it takes their processors. */
	readonly checksOfMany = new Foreground();
	readonly checks = new Set<RunningCheck>();
	readonly #endRefused: () => void;
	readonly watches: WatchService;
	readonly changes = new Changes(join(ownDirectory("XDG_STATE_HOME"), "changes"));
	readonly simulations = new Simulations(join(ownDirectory("XDG_STATE_HOME"), "simulations"));
	readonly plans = new LruMap<Plan>(20);
	readonly offeredFixes = new OfferedFixes();
	readonly answeredEdits = new AnsweredEdits();
	readonly hostSkills = new HostSkills(join(ownDirectory("XDG_STATE_HOME"), "skill"));
	readonly recovered: Promise<void>;

	constructor(log: WriteEvent, directory?: string) {
		this.simulations.sweep();
		this.recovered = this.changes.recover().catch((error: Error) => log("not recovered", { error: error.message }));
		this.pool = new Pool(log, { metrics: this.metrics, capabilities: clientCapabilities });
		this.#endRefused = onRefused((path, refused) => {
			if (!this.#refused.get(path)) log("file refused", { path, refused });
			this.#refused.set(path, true);
		});
		this.watches = new WatchService({ log, ...(directory === undefined ? {} : { directory }) });
		this.pool.onStarted = (server) => this.#attach(server);
		this.pool.onExited = (server) => this.watches.detach(server);
		this.watches.onChange = (path) => this.changedOnDisk([path]);
		this.watches.onBegin = (directory) => {
			for (const index of this.#indexes.values())
				if (isInside(directory, index.root) || isInside(index.root, directory)) index.unwatched();
		};
		this.checker = new Checker(this.pool, this, this.metrics);
	}

	#attach(server: LanguageServer): void {
		collectPushes(server);
		followFlychecks(server);
		this.watches.attach(server);
		server.documents.isWatched = (path) => this.watches.covers(server, path);
		server.sendChanges = async (signal) => {
			await waitOrAbort(Promise.all([server.sendChangedSettings?.(), this.watches.fresh(server)]), signal);
			if (server.config.keepsSchemas) await server.part(SchemaFiles).refresh();
			if (server.config.offlineSchemas) await server.part(UpdatedSchemas).read(signal);
		};
		if (server.config.assumesHeaders)
			server.willOpen = async (path) => server.part(HeaderLanguages).tell(path, await this.importIndex(server));
		this.checksOfMany
			.whenQuiet(quietMs)
			.then(() => this.indexOf(server.root).read())
			.catch(() => {});
	}

	async importIndex(server: LanguageServer): Promise<ImportIndex> {
		// A restarted server has registered nothing.
		const watched = this.watches.isReady(server) || (await this.watches.areCurrent(server.root));
		return { index: this.indexOf(server.root), watched };
	}

	changedOnDisk(paths: readonly string[]): void {
		for (const path of paths) {
			this.#sessions.changedOnDisk(path);
			for (const index of this.#indexes.values()) if (isInside(path, index.root)) index.changed(path);
		}
	}

	async close(): Promise<void> {
		this.#endRefused();
		this.simulations.close();
		this.#sessions.close();
		await this.pool.close();
		this.watches.close();
	}

	indexOf(root: string): FileIndex {
		const index = this.#indexes.get(root) ?? new FileIndex(root);
		this.#indexes.set(root, index);
		return index;
	}

	async settings(caller: CallerIdentity): Promise<Settings> {
		const settings = await this.#routes.settings(caller);
		this.#apply(settings);
		return settings;
	}

	async locate(
		file: string,
		caller: CallerIdentity,
		options?: { readonly mayBeMissing?: boolean },
	): Promise<LocatedFor> {
		const found = await this.#routes.locate(file, caller, options);
		this.#apply(found.settings);
		return found;
	}

	#apply(settings: Settings): void {
		if (settings === this.#applied) return;
		this.#applied = settings;
		this.pool.maxServers = settings.maxServers;
		this.watches.setting = settings.watch;
	}

	connect(workspace: string, id: string, address: string | undefined): boolean {
		return this.#routes.connect(workspace, id, address);
	}

	servers(): (PooledServer & { readonly watch?: WatchStatus })[] {
		return this.pool.statuses().map(({ entry, status }) => ({
			...status,
			...(entry.ready ? { watch: this.watches.status(entry.ready) } : {}),
		}));
	}

	session(id: string): Session {
		return this.#sessions.get(id);
	}

	trusted(directory: string): void {
		this.#sessions.trusted(directory);
	}

	endSession(id: string): void {
		this.#sessions.end(id);
	}
}

export async function realDirectory(directory: string): Promise<string> {
	return (await realPathOf(directory)) ?? directory;
}
