import { cancelled, LspError } from "../errors.ts";
import { treeMemory } from "../lsp/memory.ts";
import { LanguageServer, type ServerEvents } from "../lsp/server.ts";
import { pause, waitOrAbort } from "../util/abort.ts";
import type { Route } from "./locate.ts";
import { expandPackages, launchCommand, launchKey } from "./programs.ts";

const backoffMs = [0, 250, 1000, 4000, 16_000];
const crashWindowMs = 3 * 60_000;
const brokenMs = 60_000;
const defaultIdleMinutes = 5;

/** What a status shows of one server. */
export interface PooledServer {
	readonly id: string;
	readonly root: string;
	/** `unavailable`: its program, or something that it needs, is not installed. */
	readonly state: "starting" | "active" | "stopping" | "broken" | "unavailable";
	readonly pid?: number;
	readonly version?: string;
	/** Its own and its children's. */
	readonly memoryBytes?: number;
	readonly upMs?: number;
	readonly documents?: number;
	/** How long it has to be silent before its pushes count as complete, if that was learned. */
	readonly learnedMs?: number;
	readonly busy?: string;
	readonly error?: string;
	readonly strategy?: string;
}

interface Slot {
	readonly key: string;
	readonly route: Route;
	/** Set before anything is awaited, so that two first callers share one start. */
	server: Promise<LanguageServer> | undefined;
	ready: LanguageServer | undefined;
	/** Ends a start that is under way. */
	starting: AbortController;
	/** The end of the generation before; the next begins after it (pi-lens #850 had 56 children). */
	gone: Promise<void>;
	crashes: number[];
	brokenUntil: number;
	error: string | undefined;
	/** True if the last start failed because something is not installed. */
	missing: boolean;
	uses: number;
	lastUsed: number;
	idleTimer: NodeJS.Timeout | undefined;
}

export type EnvironmentSource = () => Promise<Readonly<Record<string, string | undefined>>>;

/** All running servers: one for each (id, root, launch fields), started once, shared, stopped when idle. */
export class Pool {
	readonly #slots = new Map<string, Slot>();
	readonly #log: (message: string) => void;
	readonly #stderr: ((id: string, chunk: Buffer) => void) | undefined;
	/** Called with each server that is ready, before anybody asks it. */
	onStarted: ((server: LanguageServer) => void) | undefined;
	/** Called with each server that has ended, whatever the reason. */
	onExited: ((server: LanguageServer) => void) | undefined;
	/** Called when the last server has gone. */
	onEmpty: (() => void) | undefined;

	constructor(log: (message: string) => void, stderr?: (id: string, chunk: Buffer) => void) {
		this.#log = log;
		this.#stderr = stderr;
	}

	/**
	 * Runs `work` with the server of a route, started if need be with the environment that `env` gives. The server is
	 * not stopped for idleness meanwhile. With `retry` (read-only work), once more on a new server after a crash.
	 * Rejects with what the start or the work rejects with, or when the signal ends; a shared start goes on.
	 */
	async use<T>(
		route: Route,
		workspace: string,
		env: EnvironmentSource,
		signal: AbortSignal | undefined,
		work: (server: LanguageServer) => Promise<T>,
		{ retry = true }: { readonly retry?: boolean } = {},
	): Promise<T> {
		const slot = this.#slot(route);
		slot.uses++;
		clearTimeout(slot.idleTimer);
		try {
			for (let attempt = 1; ; attempt++) {
				const server = await waitOrAbort(this.#start(slot, workspace, env), signal);
				try {
					return await work(server);
				} catch (error) {
					const crashed = error instanceof LspError && error.code === "LSP_SERVER_CRASHED";
					if (!crashed || !retry || attempt > 1 || signal?.aborted) throw error;
					// The next generation begins when this one is gone, or the dead one would be asked again.
					await waitOrAbort(server.exited, signal);
				}
			}
		} finally {
			slot.uses--;
			slot.lastUsed = Date.now();
			this.#armIdle(slot);
		}
	}

	/** The server of a route if it is running and ready, without starting one. */
	running(route: Route): LanguageServer | undefined {
		return this.#slots.get(slotKey(route))?.ready;
	}

	get size(): number {
		return this.#slots.size;
	}

	list(): PooledServer[] {
		return [...this.#slots.values()].map(describeSlot);
	}

	servers(): LanguageServer[] {
		return [...this.#slots.values()].flatMap(({ ready }) => ready ?? []);
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

	#slot(route: Route): Slot {
		const key = slotKey(route);
		const known = this.#slots.get(key);
		if (known) return known;
		const slot: Slot = {
			key,
			route,
			server: undefined,
			ready: undefined,
			starting: new AbortController(),
			gone: Promise.resolve(),
			crashes: [],
			brokenUntil: 0,
			error: undefined,
			missing: false,
			uses: 0,
			lastUsed: Date.now(),
			idleTimer: undefined,
		};
		this.#slots.set(key, slot);
		return slot;
	}

	#start(slot: Slot, workspace: string, env: EnvironmentSource): Promise<LanguageServer> {
		if (this.#closed) return Promise.reject(cancelled());
		if (slot.server) return slot.server;
		if (Date.now() < slot.brokenUntil)
			return Promise.reject(
				new LspError(
					"LSP_SERVER_UNAVAILABLE",
					`${slot.route.config.id} is broken: ${slot.error ?? "it crashed again and again"}.`,
					{
						language: slot.route.config.id,
						retry_after: Math.ceil((slot.brokenUntil - Date.now()) / 1000),
						suggestion: "Run `pi-lsp restart` to try again now.",
					},
				),
			);
		const starting = this.#launch(slot, workspace, env);
		slot.server = starting;
		starting.catch((error: Error) => {
			if (slot.server !== starting) return;
			slot.server = undefined;
			slot.error = error.message;
			this.#log(`${slot.route.config.id} at ${slot.route.root}: ${error.message}`);
			// What is not installed is found out again cheaply; what fails to start is not tried at every edit.
			const missing =
				error instanceof LspError && ["LSP_SERVER_UNAVAILABLE", "LSP_PREREQUISITE_MISSING"].includes(error.code);
			slot.missing = missing;
			if (!missing) this.#crashed(slot);
			this.#armIdle(slot);
		});
		return starting;
	}

	async #launch(slot: Slot, workspace: string, env: EnvironmentSource): Promise<LanguageServer> {
		const { config, root } = slot.route;
		slot.starting = new AbortController();
		const { signal } = slot.starting;
		await slot.gone;
		const wait = backoffMs[Math.min(recent(slot.crashes).length, backoffMs.length - 1)] ?? 0;
		if (wait > 0) await pause(wait, signal);
		const launch = await launchCommand(config, root, workspace, await env());
		const expanded = { ...config, initializationOptions: expandPackages(config.initializationOptions) };
		this.#log(`starting ${config.id} at ${root}: ${launchKey(launch)}`);
		const events: ServerEvents = {
			stderr: (chunk) => this.#stderr?.(config.id, chunk),
			log: (message) => this.#log(`${config.id}: ${message}`),
			exited: (server) => this.#exited(slot, server),
		};
		const server = await LanguageServer.start(expanded, root, launch, events, signal);
		slot.ready = server;
		slot.error = undefined;
		this.onStarted?.(server);
		this.#log(`${config.id} ${server.version ?? ""} is ready, pid ${server.pid}`);
		return server;
	}

	#exited(slot: Slot, server: LanguageServer): void {
		this.onExited?.(server);
		if (slot.ready !== server) return;
		slot.ready = undefined;
		slot.server = undefined;
		slot.error = `it ended by itself; its last words: ${server.stderrTail(300) || "(none)"}`;
		this.#log(`${slot.route.config.id} at ${slot.route.root} ${slot.error}`);
		this.#crashed(slot);
	}

	#crashed(slot: Slot): void {
		slot.crashes = [...recent(slot.crashes), Date.now()];
		if (slot.crashes.length >= backoffMs.length) {
			slot.brokenUntil = Date.now() + brokenMs;
			// Half open: after a minute one more try, and one more crash closes it again.
			slot.crashes = slot.crashes.slice(1 - backoffMs.length);
		}
	}

	#armIdle(slot: Slot): void {
		clearTimeout(slot.idleTimer);
		if (slot.uses > 0) return;
		const minutes = slot.route.config.idleMinutes ?? defaultIdleMinutes;
		slot.idleTimer = setTimeout(() => {
			if (slot.uses === 0) void this.#end(slot);
		}, minutes * 60_000);
		slot.idleTimer.unref();
	}

	async #end(slot: Slot): Promise<void> {
		clearTimeout(slot.idleTimer);
		const { server } = slot;
		// One that is still starting is not waited for: its start fails, and that ends it.
		slot.starting.abort();
		slot.server = undefined;
		slot.ready = undefined;
		slot.brokenUntil = 0;
		slot.crashes = [];
		slot.gone = (async () => {
			const running = await server?.catch(() => undefined);
			if (slot.ready === running) slot.ready = undefined;
			await running?.stop();
		})();
		await slot.gone;
		if (slot.uses === 0 && !slot.server) {
			this.#slots.delete(slot.key);
			if (this.#slots.size === 0) this.onEmpty?.();
		}
	}
}

function slotKey({ config, root, trusted = false }: Route): string {
	return JSON.stringify([config.id, root, trusted, config.command, config.args, config.initializationOptions ?? null]);
}

function recent(crashes: readonly number[]): number[] {
	return crashes.filter((at) => Date.now() - at < crashWindowMs);
}

function describeSlot({ route, ready, server, brokenUntil, error, missing }: Slot): PooledServer {
	const idle = missing ? "unavailable" : "broken";
	const state = ready ? (ready.state === "stopping" ? "stopping" : "active") : server ? "starting" : idle;
	const memoryBytes = ready && treeMemory(ready.pid);
	const busy = ready?.progress.describe();
	return {
		id: route.config.id,
		root: route.root,
		state,
		...(route.config.strategy ? { strategy: route.config.strategy } : {}),
		...(ready
			? {
					pid: ready.pid,
					upMs: Date.now() - ready.startedAt,
					documents: ready.documents.size,
					...(memoryBytes === undefined ? {} : { memoryBytes }),
					...(ready.learnedMs === undefined ? {} : { learnedMs: ready.learnedMs }),
					...(ready.version ? { version: ready.version } : {}),
				}
			: {}),
		...(busy ? { busy } : {}),
		...(error && !ready ? { error } : {}),
		...(Date.now() < brokenUntil ? { state: "broken" as const } : {}),
	};
}
