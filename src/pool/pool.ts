import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { aboutServer } from "../contract/error-details.ts";
import { cancelled, LspError } from "../contract/errors.ts";
import { type DebugLevel, debugLevelFrom } from "../contract/protocol.ts";
import type { LanguageServer, ServerEvents } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import { waitOrAbort } from "../util/abort.ts";
import type { Facts, WriteEvent } from "../util/log.ts";
import type { Metrics } from "../util/metrics.ts";
import { Semaphore } from "../util/semaphore.ts";
import { Capacity } from "./capacity.ts";
import { Eviction } from "./eviction.ts";
import { type PoolLimits, standardLimits } from "./limits.ts";
import { CallerGone, entryKey, type PooledServer, ServerEntry } from "./server-entry.ts";
import { type PoolCaller, type StartContext, startServer } from "./start-server.ts";

export interface PoolOptions {
	readonly metrics?: Metrics;
	readonly limits?: PoolLimits;
	readonly capabilities?: ClientCapabilities;
}

export interface UseOptions {
	/** False: not repeated after a crash. */
	readonly retry?: boolean;
	readonly path?: string;
	/** Gives way to callers' requests. */
	readonly background?: boolean;
}

/** Longest pauses before starts that callers await. */
const maxPauseMs = { afterCrash: 1000, afterFailedStart: 250 };

export class Pool {
	readonly #entries = new Map<string, ServerEntry>();
	readonly #log: WriteEvent;
	readonly #metrics: Metrics | undefined;
	readonly #limits: PoolLimits;
	readonly #capacity: Capacity;
	readonly #eviction: Eviction;
	readonly #startContext: StartContext;
	#closed = false;
	readonly sandbox = new Sandbox();
	debug: DebugLevel = debugLevelFrom(process.env);
	onStarted: ((server: LanguageServer) => void) | undefined;
	onExited: ((server: LanguageServer) => void) | undefined;
	onEmpty: (() => void) | undefined;

	constructor(log: WriteEvent, { metrics, limits = standardLimits(), capabilities }: PoolOptions = {}) {
		this.#log = log;
		this.#metrics = metrics;
		this.#limits = limits;
		this.#capacity = new Capacity(limits.servers, (entry) => void this.#end(entry));
		const endServer = (entry: ServerEntry) => this.#end(entry);
		this.#eviction = new Eviction({ entries: () => this.entries(), endServer, limits, log });
		this.#startContext = {
			capacity: this.#capacity,
			starts: new Semaphore(limits.startsAtOnce),
			sandbox: this.sandbox,
			capabilities,
			log,
			stopOutdated: (entry, server) => this.#stopOutdated(entry, server),
		};
	}

	/** Repeats `work` once after a crash. Rejects when the caller's signal aborts; a start goes on for others. */
	async use<T>(
		route: Route,
		caller: PoolCaller,
		work: (server: LanguageServer) => Promise<T>,
		{ retry = true, path, background = false }: UseOptions = {},
	): Promise<T> {
		const { signal } = caller;
		const entry = this.#entryOf(route);
		entry.uses++;
		this.#replaceOthers(entry, route);
		try {
			for (let attempt = 1; ; attempt++) {
				if (path !== undefined) await entry.crashFiles.refuse(route.config.id, path);
				const ready = entry.ready?.mayContinue?.() === false ? undefined : entry.ready;
				const server = ready ?? (await waitOrAbort(this.#started(entry, caller), signal));
				if (path !== undefined && !background) server.documents.askedAbout(path);
				try {
					if (background) return await work(server);
					return await server.foreground.run(() => work(server));
				} catch (error) {
					if (!isCrash(error)) throw error;
					// A crash by one file does not count towards the back-off.
					if (path !== undefined && entry.crashFiles.serverCrashed(path, server)) entry.backoff.reset();
					if (!retry || attempt > 1 || signal?.aborted) throw retriedLater(error, entry);
					await waitOrAbort(server.exited, signal);
				}
			}
		} finally {
			entry.uses--;
			entry.lastUsed = performance.now();
			const isUnneeded = entry.isOverMemoryLimit || entry.isReplaced || entry.isUnstarted;
			if (entry.uses === 0 && isUnneeded) void this.#end(entry);
			else this.#eviction.restartIdleTimer(entry);
			this.#capacity.admit();
		}
	}

	async pauseBackground(until: Promise<void>): Promise<void> {
		await Promise.all(this.servers().map(({ foreground }) => foreground.pause(until)));
	}

	/** Resolves once no caller waits for a server. */
	async whenFree(): Promise<void> {
		for (;;) {
			const busy = this.servers().find(({ foreground }) => !foreground.isFree);
			if (!busy) return;
			await busy.foreground.whenFree();
		}
	}

	running(route: Route): LanguageServer | undefined {
		return this.#find(route)?.ready;
	}

	/** False also for a server that still reads its project. */
	isWarm(route: Route): boolean {
		const server = this.running(route);
		return server !== undefined && server.readiness.busy === undefined;
	}

	failureOfStart(route: Route): LspError | undefined {
		const entry = this.#find(route);
		return entry?.failsToStart ? entry.failure : undefined;
	}

	debugLog(event: string, facts: Facts): void {
		if (this.debug > 0) this.#log(event, facts);
	}

	status(route: Route): { readonly pooled: PooledServer; readonly stderr: string | undefined } | undefined {
		const entry = this.#find(route);
		return entry && { pooled: entry.status(), stderr: entry.lastStderr };
	}

	set maxServers(max: number | undefined) {
		this.#capacity.max = max ?? this.#limits.servers;
	}

	get size(): number {
		return this.#entries.size;
	}

	entries(): ServerEntry[] {
		return [...this.#entries.values()];
	}

	list(): PooledServer[] {
		return this.statuses().map(({ status }) => status);
	}

	statuses(): { readonly entry: ServerEntry; readonly status: PooledServer }[] {
		const alike = new Map<string, ServerEntry[]>();
		const entries = this.entries().map((entry) => {
			const key = JSON.stringify([entry.route.config.id, entry.route.root]);
			const others = alike.get(key) ?? [];
			alike.set(key, others);
			others.push(entry);
			return { entry, others };
		});
		return entries.map(({ entry, others }) => ({ entry, status: entry.status(others) }));
	}

	servers(): LanguageServer[] {
		return this.entries().flatMap(({ ready }) => ready ?? []);
	}

	routes(): Route[] {
		return this.entries().flatMap(({ ready, route }) => (ready ? route : []));
	}

	async stop(which: (server: { readonly id: string; readonly root: string }) => boolean = () => true): Promise<number> {
		const chosen = this.entries().filter(({ route }) => which({ id: route.config.id, root: route.root }));
		await Promise.all(chosen.map((entry) => this.#end(entry)));
		return chosen.length;
	}

	async close(): Promise<void> {
		this.#closed = true;
		await this.stop();
	}

	kill(): void {
		this.#closed = true;
		for (const { ready, stopping, startAbort } of this.#entries.values()) {
			startAbort.abort(cancelled());
			ready?.kill();
			stopping?.kill();
		}
	}

	#entryOf(route: Route): ServerEntry {
		const known = this.#find(route);
		if (known) return known;
		const entry = new ServerEntry(route);
		this.#entries.set(entry.key, entry);
		return entry;
	}

	/** A caller over the bare socket has no environment, and gets the running server. */
	#find(route: Route): ServerEntry | undefined {
		const key = entryKey(route);
		const exact = this.#entries.get(key);
		if (exact || route.environment !== undefined) return exact;
		return this.entries().find((entry) => entryKey({ ...route, environment: entry.route.environment }) === entry.key);
	}

	/** Stops the server with the caller's earlier settings, unless others use it. */
	#replaceOthers(entry: ServerEntry, { config, root, callerKey }: Route): void {
		if (callerKey === undefined || entry.callerKeys.has(callerKey)) return;
		entry.callerKeys.add(callerKey);
		entry.isReplaced = false;
		for (const other of this.entries()) {
			if (other === entry || other.route.config.id !== config.id || other.route.root !== root) continue;
			if (!other.callerKeys.delete(callerKey) || other.callerKeys.size > 0) continue;
			other.isReplaced = true;
			this.#log("replaced", other.logFacts);
			if (other.uses === 0) void this.#end(other);
		}
	}

	async #started(entry: ServerEntry, caller: PoolCaller): Promise<LanguageServer> {
		for (;;) {
			try {
				return await this.#start(entry, caller);
			} catch (error) {
				if (!(error instanceof CallerGone) || error.caller === caller.env) throw error;
			}
		}
	}

	#start(entry: ServerEntry, caller: PoolCaller): Promise<LanguageServer> {
		if (this.#closed) return Promise.reject(cancelled());
		if (entry.start) return entry.start;
		if (entry.backoff.brokenSeconds > 0) return Promise.reject(brokenError(entry));
		const maxMs = entry.failsToStart ? maxPauseMs.afterFailedStart : maxPauseMs.afterCrash;
		if (entry.failure && entry.backoff.pauseMs > maxMs) return Promise.reject(retriedLater(entry.failure, entry));
		entry.startAbort = new AbortController();
		const start = startServer(entry, caller, this.#startContext, this.#eventsOf(entry)).then((server) => {
			this.#ready(entry, server);
			return server;
		});
		entry.start = start;
		start.catch((error: Error) => {
			if (entry.start === start) this.#startFailed(entry, error);
		});
		return start;
	}

	#ready(entry: ServerEntry, server: LanguageServer): void {
		entry.started(server);
		this.#metrics?.add(aboutServer(entry.route.config), "starts");
		this.#eviction.watch();
		this.onStarted?.(server);
		this.#log("ready", { ...entry.logFacts, version: server.version, serverPid: server.pid });
		if (server.state === "stopped") this.#exited(entry, server);
	}

	#startFailed(entry: ServerEntry, error: Error): void {
		this.#capacity.leave(entry);
		entry.startFailed(error);
		if (!(error instanceof CallerGone)) {
			this.#log("start failed", { ...entry.logFacts, error: error.message });
			this.#metrics?.add(aboutServer(entry.route.config), "failedStarts");
		}
		this.#eviction.restartIdleTimer(entry);
	}

	#eventsOf(entry: ServerEntry): ServerEvents {
		return {
			stderr: (chunk) => {
				if (this.debug > 0)
					this.#log("stderr", { server: entry.route.config.id, text: chunk.toString("utf8").trimEnd() });
			},
			log: (event, facts) => this.#log(event, { ...entry.logFacts, ...facts }),
			frames: () => this.debug === 2,
			exited: (server) => this.#exited(entry, server),
		};
	}

	#exited(entry: ServerEntry, server: LanguageServer): void {
		this.onExited?.(server);
		if (entry.ready !== server) return;
		this.#capacity.leave(entry);
		entry.exited(server);
		this.#log("ended", { ...entry.logFacts, error: entry.error });
		this.#metrics?.add(aboutServer(entry.route.config), "crashes");
	}

	#stopOutdated(entry: ServerEntry, server: LanguageServer): void {
		if (entry.ready !== server) return;
		this.#log("stopped", { ...entry.logFacts, reason: "what it was started on has changed" });
		void this.#end(entry);
	}

	async #end(entry: ServerEntry): Promise<void> {
		clearTimeout(entry.idleTimer);
		const { start } = entry;
		this.#capacity.leaving(entry);
		entry.startAbort.abort(cancelled());
		entry.start = undefined;
		entry.stopping = entry.ready ?? entry.stopping;
		entry.ready = undefined;
		entry.isOverMemoryLimit = false;
		entry.backoff.reset();
		entry.crashFiles.clear();
		entry.ended = (async () => {
			const running = await start?.catch(() => undefined);
			if (entry.ready === running) entry.ready = undefined;
			await running?.stop();
			if (entry.stopping === running) entry.stopping = undefined;
			this.#capacity.leave(entry);
		})();
		await entry.ended;
		if (entry.uses === 0 && !entry.start) {
			this.#entries.delete(entry.key);
			if (this.#entries.size > 0) return;
			this.#eviction.unwatch();
			this.onEmpty?.();
		}
	}
}

function retryAfter(seconds: number) {
	return { action: "retry_in_seconds", retry_after: Math.max(Math.ceil(seconds), 1) };
}

function brokenError({ route, error, backoff }: ServerEntry): LspError {
	const message = `${route.config.id} is broken: ${error ?? "it crashed again and again"}.`;
	return new LspError("LSP_SERVER_UNAVAILABLE", message, {
		...aboutServer(route.config),
		...retryAfter(backoff.brokenSeconds),
		suggestion: "Use {{restart}} to try again now.",
	});
}

function retriedLater({ code, message, details, cause }: LspError, { backoff }: ServerEntry): LspError {
	const retry = retryAfter(backoff.brokenSeconds || backoff.pauseMs / 1000);
	return new LspError(code, message, { ...details, ...retry }, { cause });
}

function isCrash(error: unknown): error is LspError {
	return error instanceof LspError && error.code === "LSP_SERVER_CRASHED";
}
