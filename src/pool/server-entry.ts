import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { childEnvironment, type Environment } from "../process/environment.ts";
import { treeUsage } from "../process/usage.ts";
import type { Route } from "../routing/locate.ts";
import type { Facts } from "../util/log.ts";
import { CrashBackoff } from "./crash-backoff.ts";
import { PoisonFiles } from "./poison-files.ts";

const maxStderrLength = 2000;
/** Variables that differ between terminals and change nothing in a server's answers. */
const terminalVariables = /^(XDG_SESSION_.*|XDG_RUNTIME_DIR|TMPDIR|TEMP|TMP|SHELL|TERM|PI_LSP_RUN)$/;

/** Requests a caller's environment. All calls of one caller have the same function. */
export type EnvironmentSource = () => Promise<Readonly<Record<string, string | undefined>>>;

/** A start that ended because its caller left or did not tell its environment. The server is not at fault. */
export class CallerGone extends Error {
	override readonly name = "CallerGone";
	readonly caller: EnvironmentSource;

	constructor(caller: EnvironmentSource, cause: unknown) {
		super("The caller left before its server could start.", { cause });
		this.caller = caller;
	}
}

/** The status of one server. */
export interface PooledServer {
	readonly id: string;
	readonly root: string;
	/** `unavailable`: its program, or something that it needs, is not installed. */
	readonly state: "starting" | "active" | "stopping" | "broken" | "unavailable";
	readonly pid?: number;
	readonly version?: string;
	/** With its child processes. */
	readonly memoryBytes?: number;
	/** Milliseconds of processor time, with its child processes. */
	readonly cpuMs?: number;
	readonly upMs?: number;
	readonly documents?: number;
	/** Milliseconds of silence after which its pushed diagnostics count as complete, if that was learned. */
	readonly learnedMs?: number;
	readonly busy?: string;
	readonly error?: string;
	readonly strategy?: string;
	/** Names of variables that a later caller has with other values. */
	readonly environmentMismatch?: readonly string[];
	/** Why it will be stopped although nothing is wrong with it. */
	readonly replaced?: string;
}

/** The state of one server in the pool. It outlives the processes that run for it one after the other. */
export class ServerEntry {
	readonly key: string;
	readonly route: Route;
	/** The start under way or done. Set before anything is awaited, so that concurrent callers share one start. */
	start: Promise<LanguageServer> | undefined;
	ready: LanguageServer | undefined;
	startAbort = new AbortController();
	/** Resolves when the previous process has ended. The next one starts after it. */
	ended: Promise<void> = Promise.resolve();
	error: string | undefined;
	/** The end of the last failed server's standard error. */
	lastStderr: string | undefined;
	/** True if the last start failed because something is not installed or not allowed. */
	isUnavailable = false;
	/** True if it uses too much memory. It is stopped when its last use ends. */
	isOverMemoryLimit = false;
	/** `Route.callerKey` of the callers that use it. */
	readonly callerKeys = new Set<string>();
	/** True when all of its callers use another server, since a configuration or a trust has changed. */
	isReplaced = false;
	uses = 0;
	lastUsed = performance.now();
	idleTimer: NodeJS.Timeout | undefined;
	readonly poisonFiles = new PoisonFiles();
	readonly backoff = new CrashBackoff();
	readonly #environmentMismatch = new Set<string>();
	#environment: Environment = {};
	#compared = new WeakSet<EnvironmentSource>();

	constructor(route: Route) {
		this.key = entryKey(route);
		this.route = route;
	}

	/** Notes the environment that the server is started with. */
	startsWith(env: EnvironmentSource, values: Readonly<Record<string, string | undefined>>): void {
		this.#environment = childEnvironment(values);
		this.#compared = new WeakSet([env]);
		this.#environmentMismatch.clear();
	}

	startFailed(error: Error): void {
		this.start = undefined;
		if (error instanceof CallerGone) return;
		this.error = error.message;
		this.lastStderr = stderrOf(error);
		this.isUnavailable =
			error instanceof LspError &&
			["LSP_SERVER_UNAVAILABLE", "LSP_PREREQUISITE_MISSING", "LSP_SERVER_UNTRUSTED"].includes(error.code);
		// Looking for a program again is cheap; a program that fails at its start is not started at every edit.
		if (!this.isUnavailable) this.backoff.crashed();
	}

	started(server: LanguageServer): void {
		this.ready = server;
		this.error = undefined;
	}

	exited(server: LanguageServer): void {
		this.ready = undefined;
		this.start = undefined;
		this.lastStderr = server.stderrTail(maxStderrLength) || undefined;
		this.error = server.passive
			? `the connection to ${server.launch.file} was lost`
			: `it ended by itself; its last words: ${server.stderrTail(300) || "(none)"}`;
		this.backoff.crashed();
	}

	/** Compares the caller's environment with the server's, once for each caller. The status shows the difference. */
	async compareEnvironment(env: EnvironmentSource): Promise<void> {
		if (this.#compared.has(env)) return;
		this.#compared.add(env);
		const values = childEnvironment(await env().catch(() => this.#environment));
		for (const name of new Set([...Object.keys(values), ...Object.keys(this.#environment)]))
			if (values[name] !== this.#environment[name] && !terminalVariables.test(name))
				this.#environmentMismatch.add(name);
	}

	status(): PooledServer {
		const { route, ready, error } = this;
		const busy = ready?.readiness.busy;
		return {
			id: route.config.id,
			root: route.root,
			state: this.#state(),
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
			...(ready && this.#environmentMismatch.size > 0
				? { environmentMismatch: [...this.#environmentMismatch].sort() }
				: {}),
			...(error && !ready ? { error } : {}),
			...(this.isReplaced ? { replaced: "replaced by a changed configuration" } : {}),
		};
	}

	#state(): PooledServer["state"] {
		if (this.backoff.brokenSeconds > 0) return "broken";
		if (this.ready) return this.ready.state === "stopping" ? "stopping" : "active";
		if (this.start) return "starting";
		return this.isUnavailable ? "unavailable" : "broken";
	}

	/** The server's name in a line of the log. */
	get logFacts(): Facts {
		return { server: this.route.config.id, root: this.route.root };
	}
}

/** Two routes with the same key share a server: the key contains all that a server is started with, trust and sandbox. */
export function entryKey({ config, root, trusted = false, sandbox = "off" }: Route): string {
	return JSON.stringify([config.id, root, trusted, sandbox, ...launchFields(config)]);
}

function launchFields(config: ServerConfig): readonly unknown[] {
	const { command, args, candidates, bundled, environment, cwd, initializationOptions, settings } = config;
	const { connect, paths } = config;
	return [
		...[command, args, candidates, bundled?.package, environment, cwd, initializationOptions, settings],
		...[connect, paths],
	];
}

function stderrOf(error: Error): string | undefined {
	const stderr = error instanceof LspError ? error.details.stderr : undefined;
	return typeof stderr === "string" && stderr !== "" ? stderr.slice(-maxStderrLength) : undefined;
}
