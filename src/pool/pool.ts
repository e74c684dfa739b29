import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { aboutServer } from "../contract/error-details.ts";
import { cancelled, LspError } from "../contract/errors.ts";
import { prepareStart } from "../launch/prepare-start.ts";
import { Foreground } from "../lsp/foreground.ts";
import { LanguageServer, type ServerEvents } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import { pause, waitOrAbort } from "../util/abort.ts";
import { hashOf } from "../util/hash.ts";
import type { WriteEvent } from "../util/log.ts";
import type { Metrics } from "../util/metrics.ts";
import { anySource, readText } from "../util/read-file.ts";
import { Semaphore } from "../util/semaphore.ts";
import { Capacity } from "./capacity.ts";
import { Eviction } from "./eviction.ts";
import { type PoolLimits, standardLimits } from "./limits.ts";
import {
	CallerGone,
	describeEntry,
	type EnvironmentSource,
	entryKey,
	named,
	type PooledServer,
	ServerEntry,
} from "./server-entry.ts";

const defaultIdleMinutes = 5;
const lastWordsLength = 2000;

export interface PoolOptions {
	readonly metrics?: Metrics;
	readonly limits?: PoolLimits;
	/** What the servers are told that this client can do. */
	readonly capabilities?: ClientCapabilities;
}

/** How a server is used; see `Pool.use`. */
export interface UseOptions {
	readonly retry?: boolean;
	readonly path?: string;
	readonly background?: boolean;
}

/** All running servers: one for each (id, root, launch fields), started once, shared, stopped when idle. */
export class Pool {
	readonly #slots = new Map<string, ServerEntry>();
	readonly #log: WriteEvent;
	readonly #metrics: Metrics | undefined;
	readonly #limits: PoolLimits;
	readonly #capabilities: ClientCapabilities | undefined;
	readonly #starts: Semaphore;
	readonly #room: Capacity;
	readonly #housekeeping: Eviction;
	/** What servers of trees that are not trusted are started in. */
	readonly sandbox = new Sandbox();
	/** What any of the servers is asked by somebody who waits. */
	readonly foreground = new Foreground();
	/** Called with each server that is ready, before anybody asks it. */
	onStarted: ((server: LanguageServer) => void) | undefined;
	/** Called with each server that has ended, whatever the reason. */
	onExited: ((server: LanguageServer) => void) | undefined;
	/** Called when the last server has gone. */
	onEmpty: (() => void) | undefined;

	constructor(log: WriteEvent, { metrics, limits = standardLimits(), capabilities }: PoolOptions = {}) {
		this.#log = log;
		this.#metrics = metrics;
		this.#limits = limits;
		this.#capabilities = capabilities;
		this.#starts = new Semaphore(limits.startsAtOnce);
		this.#room = new Capacity(limits.servers, (slot) => void this.#end(slot));
		const slots = () => [...this.#slots.values()];
		this.#housekeeping = new Eviction({ slots, end: (slot) => this.#end(slot), limits, log });
	}

	/**
	 * Runs `work` with the server of a route, started if need be with the environment that `env` gives. The server is
	 * not stopped for idleness meanwhile. With `retry` (read-only work), once more on a new server after a crash. With
	 * `path`, the file that the work is about, a text that the server crashes on is not asked about a third time. With
	 * `background` nobody waits for it: it goes on between what others ask.
	 * Rejects with what the start or the work rejects with, or when the signal ends; a shared start goes on.
	 */
	async use<T>(
		route: Route,
		workspace: string,
		env: EnvironmentSource,
		signal: AbortSignal | undefined,
		work: (server: LanguageServer) => Promise<T>,
		{ retry = true, path, background = false }: UseOptions = {},
	): Promise<T> {
		const slot = this.#slot(route);
		slot.uses++;
		this.#replace(slot, route);
		try {
			for (let attempt = 1; ; attempt++) {
				if (path !== undefined && slot.suspects.knows(path))
					await slot.suspects.refuse(route.config.id, path, hashOnDisk);
				const ready = slot.ready?.mayContinue() ? slot.ready : undefined;
				const server = ready ?? (await waitOrAbort(this.#started(slot, workspace, env), signal));
				void slot.compareEnvironment(env);
				try {
					if (background) return await work(server);
					return await this.foreground.run(() => server.foreground.run(() => work(server)));
				} catch (error) {
					if (!isCrash(error)) throw error;
					if (path !== undefined) suspect(slot, server, path);
					if (!retry || attempt > 1 || signal?.aborted) throw retriedLater(error, slot);
					// The next generation begins when this one is gone, or the dead one would be asked again.
					await waitOrAbort(server.exited, signal);
				}
			}
		} finally {
			slot.uses--;
			slot.lastUsed = performance.now();
			if (slot.uses === 0 && (slot.overweight || slot.replaced)) void this.#end(slot);
			else this.#armIdle(slot);
			this.#room.look();
		}
	}

	/** Lets somebody go before all that is done in the background, as long as a promise is pending that never rejects. */
	async letGoFirst(until: Promise<void>): Promise<void> {
		const foregrounds = [this.foreground, ...this.servers().map((server) => server.foreground)];
		await Promise.all(foregrounds.map((foreground) => foreground.run(() => until)));
	}

	/** The server of a route if it is running and ready, without starting one. */
	running(route: Route): LanguageServer | undefined {
		return this.#slots.get(entryKey(route))?.ready;
	}

	/** True if a server crashed or did not start several times, and is left alone for seconds. */
	isLeftAlone(route: Route): boolean {
		const slot = this.#slots.get(entryKey(route));
		return slot !== undefined && slot.ready === undefined && slot.backoffMs > 1000;
	}

	/** What is known of a route's server, without starting one; undefined if nobody has asked for it. */
	look(route: Route): { readonly pooled: PooledServer; readonly stderr: string | undefined } | undefined {
		const slot = this.#slots.get(entryKey(route));
		return slot && { pooled: describeEntry(slot), stderr: slot.lastWords };
	}

	/** How many servers may run at once; those that are too many go when somebody else wants to start. */
	set places(places: number | undefined) {
		this.#room.places = places ?? this.#limits.servers;
	}

	/** What goes into the log: 1 what servers write to their standard error (the seed's LSP_DEBUG=1), 2 their frames as well. */
	debug: 0 | 1 | 2 = process.env.LSP_DEBUG === "2" ? 2 : process.env.LSP_DEBUG === "1" ? 1 : 0;

	get size(): number {
		return this.#slots.size;
	}

	list(): PooledServer[] {
		return [...this.#slots.values()].map(describeEntry);
	}

	servers(): LanguageServer[] {
		return [...this.#slots.values()].flatMap(({ ready }) => ready ?? []);
	}

	/** The routes of the servers that are ready. */
	routes(): Route[] {
		return [...this.#slots.values()].flatMap(({ ready, route }) => (ready ? route : []));
	}

	/** Stops the servers that `which` picks; a later request starts them afresh. Returns how many there were. */
	async stop(which: (slot: { readonly id: string; readonly root: string }) => boolean = () => true): Promise<number> {
		const chosen = [...this.#slots.values()].filter(({ route }) => which({ id: route.config.id, root: route.root }));
		await Promise.all(chosen.map((slot) => this.#end(slot)));
		return chosen.length;
	}

	/** Stops all servers and starts none any more. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.stop();
	}

	/** Ends every process at once, for the moment when the daemon itself must go. */
	kill(): void {
		this.#closed = true;
		for (const { ready, starting } of this.#slots.values()) {
			starting.abort();
			ready?.kill();
		}
	}

	#closed = false;

	#slot(route: Route): ServerEntry {
		const key = entryKey(route);
		const known = this.#slots.get(key);
		if (known) return known;
		const slot = new ServerEntry(route);
		this.#slots.set(key, slot);
		return slot;
	}

	/** Ends the servers that this asker had of the same kind until its configuration changed, once nobody asks them. */
	#replace(slot: ServerEntry, { config, root, asker }: Route): void {
		if (asker === undefined || slot.askers.has(asker)) return;
		slot.askers.add(asker);
		slot.replaced = false;
		for (const other of [...this.#slots.values()]) {
			if (other === slot || other.route.config.id !== config.id || other.route.root !== root) continue;
			if (!other.askers.delete(asker) || other.askers.size > 0) continue;
			other.replaced = true;
			this.#log("replaced", named(other));
			if (other.uses === 0) void this.#end(other);
		}
	}

	/** A start is shared: where the caller who began it has left, the next one begins it anew. */
	async #started(slot: ServerEntry, workspace: string, env: EnvironmentSource): Promise<LanguageServer> {
		for (;;) {
			try {
				return await this.#start(slot, workspace, env);
			} catch (error) {
				if (!(error instanceof CallerGone) || error.caller === env) throw error;
			}
		}
	}

	#start(slot: ServerEntry, workspace: string, env: EnvironmentSource): Promise<LanguageServer> {
		if (this.#closed) return Promise.reject(cancelled());
		if (slot.server) return slot.server;
		if (slot.brokenSeconds > 0)
			return Promise.reject(
				new LspError(
					"LSP_SERVER_UNAVAILABLE",
					`${slot.route.config.id} is broken: ${slot.error ?? "it crashed again and again"}.`,
					{
						...aboutServer(slot.route.config),
						...retryIn(slot.brokenSeconds),
						suggestion: "Use {{restart}} to try again now.",
					},
				),
			);
		const starting = this.#launch(slot, workspace, env);
		slot.server = starting;
		starting.catch((error: Error) => {
			if (slot.server !== starting) return;
			this.#room.leave(slot);
			slot.server = undefined;
			if (error instanceof CallerGone) return this.#armIdle(slot);
			slot.error = error.message;
			slot.lastWords = error instanceof LspError ? wordsOf(error) : undefined;
			this.#log("start failed", { ...named(slot), error: error.message });
			// What is not installed is found out again cheaply; what fails to start is not tried at every edit.
			const missing =
				error instanceof LspError &&
				["LSP_SERVER_UNAVAILABLE", "LSP_PREREQUISITE_MISSING", "LSP_SERVER_UNTRUSTED"].includes(error.code);
			slot.missing = missing;
			this.#metrics?.add(slot.route.config.id, "failedStarts");
			if (!missing) slot.crashed();
			this.#armIdle(slot);
		});
		return starting;
	}

	async #launch(slot: ServerEntry, workspace: string, env: EnvironmentSource): Promise<LanguageServer> {
		slot.starting = new AbortController();
		const { signal } = slot.starting;
		await slot.gone;
		if (slot.backoffMs > 0) await pause(slot.backoffMs, signal);
		await this.#room.enter(slot, signal);
		const environment = await env().catch((cause: unknown) => {
			throw new CallerGone(env, cause);
		});
		const { config, launch, computed, holds, guard } = await prepareStart(
			slot.route,
			workspace,
			environment,
			this.sandbox,
		);
		slot.startedWith(env, environment);
		this.#log("starting", {
			...named(slot),
			command: [launch.file, ...launch.args].join(" "),
			...(launch.sandbox ? { sandbox: launch.sandbox.file } : {}),
		});
		const events: ServerEvents = {
			stderr: (chunk) => {
				if (this.debug > 0) this.#log("stderr", { server: config.id, text: chunk.toString("utf8").trimEnd() });
			},
			log: (event, facts) => this.#log(event, { ...named(slot), ...facts }),
			frames: () => this.debug === 2,
			exited: (server) => this.#exited(slot, server),
		};
		const server = await this.#starts.run(signal, () =>
			LanguageServer.start({ config, root: slot.route.root, launch, events, capabilities: this.#capabilities }, signal),
		);
		server.sendChangedSettings = computed.keeper(server);
		guard(server);
		server.mayContinue = () => {
			const may = holds();
			if (!may && slot.ready === server) {
				this.#log("stopped", { ...named(slot), reason: "what it was started on has changed" });
				void this.#end(slot);
			}
			return may;
		};
		slot.ready = server;
		slot.error = undefined;
		this.#metrics?.add(config.id, "starts");
		this.#housekeeping.begin();
		this.onStarted?.(server);
		this.#log("ready", { ...named(slot), version: server.version, serverPid: server.pid });
		return server;
	}

	#exited(slot: ServerEntry, server: LanguageServer): void {
		this.onExited?.(server);
		if (slot.ready !== server) return;
		this.#room.leave(slot);
		slot.ready = undefined;
		slot.server = undefined;
		slot.lastWords = server.stderrTail(lastWordsLength) || undefined;
		slot.error = server.passive
			? `the connection to ${server.launch.file} was lost`
			: `it ended by itself; its last words: ${server.stderrTail(300) || "(none)"}`;
		this.#log("ended", { ...named(slot), error: slot.error });
		this.#metrics?.add(slot.route.config.id, "crashes");
		slot.crashed();
	}

	#armIdle(slot: ServerEntry): void {
		if (slot.uses > 0) return;
		const minutes = slot.route.config.idleMinutes ?? defaultIdleMinutes;
		// Where it runs out while somebody asks, the end of that use sets it again.
		slot.idleTimer ??= setTimeout(() => {
			if (slot.uses === 0) void this.#end(slot);
		}, minutes * 60_000).unref();
		slot.idleTimer.refresh();
	}

	async #end(slot: ServerEntry): Promise<void> {
		clearTimeout(slot.idleTimer);
		slot.idleTimer = undefined;
		const { server } = slot;
		// One that is still starting is not waited for: its start fails, and that ends it.
		this.#room.leaving(slot);
		slot.starting.abort();
		slot.server = undefined;
		slot.ready = undefined;
		slot.overweight = false;
		slot.forgive();
		slot.suspects.clear();
		slot.gone = (async () => {
			const running = await server?.catch(() => undefined);
			if (slot.ready === running) slot.ready = undefined;
			await running?.stop();
			this.#room.leave(slot);
		})();
		await slot.gone;
		if (slot.uses === 0 && !slot.server) {
			this.#slots.delete(slot.key);
			if (this.#slots.size > 0) return;
			this.#housekeeping.end();
			this.onEmpty?.();
		}
	}
}

/** When a question may be asked again, in whole seconds. */
function retryIn(seconds: number) {
	return { action: "retry_in_seconds", retry_after: Math.max(Math.ceil(seconds), 1) };
}

function retriedLater({ code, message, details, cause }: LspError, slot: ServerEntry): LspError {
	const retry = retryIn(slot.brokenSeconds || slot.backoffMs / 1000);
	return new LspError(code, message, { ...details, ...retry }, { cause });
}

/** What a server that failed to start had written to its standard error. */
function wordsOf({ details: { stderr } }: LspError): string | undefined {
	return typeof stderr === "string" && stderr !== "" ? stderr.slice(-lastWordsLength) : undefined;
}

function isCrash(error: unknown): error is LspError {
	return error instanceof LspError && error.code === "LSP_SERVER_CRASHED";
}

function suspect(slot: ServerEntry, server: LanguageServer, path: string): void {
	const hash = server.wasStopped ? undefined : server.documents.get(path)?.hash;
	// One file's fault is not the server's: it does not count towards `broken`.
	if (hash !== undefined && slot.suspects.crashed(path, hash, server)) slot.forgive();
}

async function hashOnDisk(path: string): Promise<string | undefined> {
	const text = await readText(path, anySource);
	return text === undefined ? undefined : hashOf(text);
}
