import type { ServerConfig } from "../../server.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { childEnvironment, type Environment } from "../process/environment.ts";
import { treeUsage } from "../process/usage.ts";
import type { Route } from "../routing/locate.ts";
import type { Facts } from "../util/log.ts";
import { PoisonFiles } from "./poison-files.ts";

const backoffMs = [0, 250, 1000, 4000, 16_000];
const crashWindowMs = 3 * 60_000;
const brokenMs = 60_000;
/** What differs from one terminal or session to the next and changes nothing that a server answers. */
const ofNoMatter = /^(XDG_SESSION_.*|XDG_RUNTIME_DIR|TMPDIR|TEMP|TMP|SHELL|TERM|PI_LSP_RUN)$/;

/** A caller's environment, asked for when it is needed; the same function for all calls of one caller. */
export type EnvironmentSource = () => Promise<Readonly<Record<string, string | undefined>>>;

/** A start that ended with the caller who began it: it has left, or does not answer. No fault of the server's. */
export class CallerGone extends Error {
	override readonly name = "CallerGone";
	readonly caller: EnvironmentSource;

	constructor(caller: EnvironmentSource, cause: unknown) {
		super("The caller left before its server could start.", { cause });
		this.caller = caller;
	}
}

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
	/** Milliseconds of processor time, its own and its children's. */
	readonly cpuMs?: number;
	readonly upMs?: number;
	readonly documents?: number;
	/** How long it has to be silent before its pushes count as complete, if that was learned. */
	readonly learnedMs?: number;
	readonly busy?: string;
	readonly error?: string;
	readonly strategy?: string;
	/** Names of the variables that a later caller has otherwise; the server keeps those of the one that started it. */
	readonly environmentMismatch?: readonly string[];
	/** Why it is on its way out although nothing is wrong with it. */
	readonly replaced?: string;
}

/** The place of one server: it outlives the processes that fill it one after the other. */
export class ServerEntry {
	readonly key: string;
	readonly route: Route;
	/** Set before anything is awaited, so that two first callers share one start. */
	server: Promise<LanguageServer> | undefined;
	ready: LanguageServer | undefined;
	/** Ends a start that is under way. */
	starting = new AbortController();
	/** The end of the generation before; the next begins after it (pi-lens #850 had 56 children). */
	gone: Promise<void> = Promise.resolve();
	error: string | undefined;
	/** The end of what the last server wrote to its standard error, if it failed. */
	lastWords: string | undefined;
	/** True if the last start failed because something is not installed. */
	missing = false;
	/** True if it holds more memory than it may: it is stopped as soon as nobody asks it. */
	overweight = false;
	/** Those who asked it last, by what tells callers apart whose configuration may differ. */
	readonly askers = new Set<string>();
	/** True once all of them ask another one instead, because a configuration or a trust has changed. */
	replaced = false;
	uses = 0;
	lastUsed = performance.now();
	idleTimer: NodeJS.Timeout | undefined;
	readonly suspects = new PoisonFiles();
	/** The variables of which a later caller has other values than the server was started with. */
	readonly mismatch = new Set<string>();
	#environment: Environment = {};
	#compared = new WeakSet<EnvironmentSource>();
	#crashes: number[] = [];
	#brokenUntil = 0;

	constructor(route: Route) {
		this.key = entryKey(route);
		this.route = route;
	}

	/** Seconds until a server that crashed again and again is tried once more; 0 if it may be started. */
	get brokenSeconds(): number {
		return Math.max(Math.ceil((this.#brokenUntil - Date.now()) / 1000), 0);
	}

	/** Milliseconds to wait before the next start, longer after each crash. */
	get backoffMs(): number {
		return backoffMs[Math.min(this.#recent().length, backoffMs.length - 1)] ?? 0;
	}

	/** To be called with what a server is about to be started with. */
	startedWith(env: EnvironmentSource, values: Readonly<Record<string, string | undefined>>): void {
		this.#environment = childEnvironment(values);
		this.#compared = new WeakSet([env]);
		this.mismatch.clear();
	}

	/** Compares a caller's environment with the server's, once for each caller: it is told of, not mixed (golang/go#37830). */
	async compareEnvironment(env: EnvironmentSource): Promise<void> {
		if (this.#compared.has(env)) return;
		this.#compared.add(env);
		// A caller that has left meanwhile cannot be told anything either.
		const values = childEnvironment(await env().catch(() => this.#environment));
		for (const name of new Set([...Object.keys(values), ...Object.keys(this.#environment)]))
			if (values[name] !== this.#environment[name] && !ofNoMatter.test(name)) this.mismatch.add(name);
	}

	crashed(): void {
		this.#crashes = [...this.#recent(), Date.now()];
		if (this.#crashes.length < backoffMs.length) return;
		this.#brokenUntil = Date.now() + brokenMs;
		// Half open: after a minute one more try, and one more crash closes it again.
		this.#crashes = this.#crashes.slice(1 - backoffMs.length);
	}

	forgive(): void {
		this.#crashes = [];
		this.#brokenUntil = 0;
	}

	#recent(): number[] {
		return this.#crashes.filter((at) => Date.now() - at < crashWindowMs);
	}
}

/** What a line of the log says of it. */
export function named({ route }: ServerEntry): Facts {
	return { server: route.config.id, root: route.root };
}

/** What makes two routes share a server: everything that it is started with, whether it is trusted, and its sandbox. */
export function entryKey(route: Route): string {
	const { config, root, trusted = false, sandbox = "off" } = route;
	const key = slotKeys.get(route) ?? JSON.stringify([config.id, root, trusted, sandbox, launchKey(config)]);
	slotKeys.set(route, key);
	return key;
}

/** A route does not change, and every question asks for its key several times. */
const slotKeys = new WeakMap<Route, string>();

function launchKey(config: ServerConfig): string {
	const { command, args, candidates, bundled, environment, cwd, initializationOptions, settings } = config;
	const { connect, paths } = config;
	const launch = [command, args, candidates, bundled?.package, environment, cwd, initializationOptions, settings];
	return JSON.stringify([...launch, connect, paths].map((field) => field ?? null));
}

export function describeEntry(slot: ServerEntry): PooledServer {
	const { route, ready, server, brokenSeconds, error, missing, mismatch, replaced } = slot;
	const idle = missing ? "unavailable" : "broken";
	const state = ready ? (ready.state === "stopping" ? "stopping" : "active") : server ? "starting" : idle;
	const busy = ready?.readiness.busy;
	return {
		id: route.config.id,
		root: route.root,
		state,
		...(route.config.strategy ? { strategy: route.config.strategy } : {}),
		...(ready
			? {
					...(ready.pid === undefined ? {} : { pid: ready.pid }),
					upMs: Date.now() - ready.startedAt,
					documents: ready.documents.size,
					...(ready.pid === undefined ? {} : treeUsage(ready.pid)),
					...(ready.learnedMs === undefined ? {} : { learnedMs: ready.learnedMs }),
					...(ready.version ? { version: ready.version } : {}),
				}
			: {}),
		...(busy ? { busy } : {}),
		...(ready && mismatch.size > 0 ? { environmentMismatch: [...mismatch].sort() } : {}),
		...(error && !ready ? { error } : {}),
		...(replaced ? { replaced: "replaced by a changed configuration" } : {}),
		...(brokenSeconds > 0 ? { state: "broken" as const } : {}),
	};
}
