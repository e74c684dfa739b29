import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { asLspError, LspError, reasonOf } from "../contract/errors.ts";
import type { ServerHealth } from "../contract/protocol.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { decisiveVariables, type Environment } from "../process/environment.ts";
import { treeUsage, type Usage } from "../process/usage.ts";
import type { Route } from "../routing/locate.ts";
import type { Facts } from "../util/log.ts";
import { CrashBackoff } from "./crash-backoff.ts";
import { CrashFiles } from "./crash-files.ts";

const maxStderrLength = 2000;
/** Frequent status requests would keep the daemon reading /proc. */
const usageMs = 1000;

export type EnvironmentSource = () => Promise<Readonly<Record<string, string | undefined>>>;

/** The caller did not send its environment. */
export class CallerGone extends Error {
	override readonly name = "CallerGone";
	readonly caller: EnvironmentSource;

	constructor(caller: EnvironmentSource, cause: unknown) {
		super("The caller left before its server could start.", { cause });
		this.caller = caller;
	}
}

export interface PooledServer {
	readonly id: string;
	readonly root: string;
	/** `unavailable`: the program, or what it needs, is not installed. */
	readonly state: "starting" | "active" | "stopping" | "broken" | "unavailable";
	readonly pid?: number;
	readonly version?: string;
	readonly memoryBytes?: number;
	/** With child processes. */
	readonly cpuMs?: number;
	readonly upMs?: number;
	readonly ready?: boolean;
	readonly documents?: number;
	/** In ms; after such silence pushed diagnostics are complete. */
	readonly learnedMs?: number;
	readonly busy?: string;
	readonly percentage?: number;
	readonly says?: string;
	readonly error?: string;
	readonly strategy?: string;
	/** Different in another server of the same id and root. */
	readonly environmentMismatch?: readonly string[];
	readonly replaced?: string;
}

export class ServerEntry {
	readonly key: string;
	readonly route: Route;
	start: Promise<LanguageServer> | undefined;
	ready: LanguageServer | undefined;
	stopping: LanguageServer | undefined;
	startAbort = new AbortController();
	/** Resolves when the previous process has ended. */
	ended: Promise<void> = Promise.resolve();
	error: string | undefined;
	failure: LspError | undefined;
	failsToStart = false;
	lastStderr: string | undefined;
	isUnavailable = false;
	/** Stopped when its last use ends. */
	isOverMemoryLimit = false;
	readonly callerKeys = new Set<string>();
	isReplaced = false;
	uses = 0;
	lastUsed = performance.now();
	idleTimer: NodeJS.Timeout | undefined;
	readonly crashFiles = new CrashFiles();
	readonly backoff = new CrashBackoff();
	environment: Environment = {};
	#crashes = 0;
	#usage: { readonly of: number; readonly at: number; readonly usage: Usage | undefined } | undefined;

	constructor(route: Route) {
		this.key = entryKey(route);
		this.route = route;
	}

	startsWith(values: Readonly<Record<string, string | undefined>>): void {
		this.environment = decisiveVariables(values);
	}

	startFailed(error: Error): void {
		this.start = undefined;
		if (error instanceof CallerGone) return;
		this.error = reasonOf(asLspError(error));
		this.lastStderr = outputEnd(error);
		this.isUnavailable =
			error instanceof LspError &&
			["LSP_SERVER_UNAVAILABLE", "LSP_PREREQUISITE_MISSING", "LSP_SERVER_UNTRUSTED"].includes(error.code);
		// A missing program is looked for again; a failing one is not started at every edit.
		if (this.isUnavailable) return;
		this.failsToStart = true;
		this.failure = asLspError(error);
		this.backoff.startFailed();
	}

	started(server: LanguageServer): void {
		this.ready = server;
		this.error = undefined;
		this.failsToStart = false;
	}

	exited(server: LanguageServer): void {
		this.ready = undefined;
		this.start = undefined;
		this.lastStderr = server.stderrTail(maxStderrLength) || undefined;
		const words = `its last output: ${server.complaint.text ?? (server.stderrTail(300) || "(none)")}`;
		this.error = server.passive
			? `the connection to ${server.launch.file} was lost`
			: `${server.killedFor ? `it was killed, since ${server.killedFor}` : "it ended by itself"}; ${words}`;
		this.failure = new LspError("LSP_SERVER_CRASHED", `${this.route.config.id} does not run: ${this.error}.`, {
			...aboutServer(this.route.config),
			stderr: server.stderrTail(maxStderrLength),
		});
		this.backoff.crashed();
		this.#crashes++;
	}

	/** True if its caller has left before. */
	get isUnstarted(): boolean {
		return !this.ready && !this.start && !this.failure && this.error === undefined;
	}

	differsFrom(other: ServerEntry): string[] {
		if (other === this || !this.ready || !other.ready) return [];
		const names = new Set([...Object.keys(this.environment), ...Object.keys(other.environment)]);
		return [...names].filter((name) => this.environment[name] !== other.environment[name]);
	}

	status(alike: readonly ServerEntry[] = []): PooledServer {
		const { route, ready, error } = this;
		const { busy, percentage } = ready?.readiness ?? {};
		const differing = [...new Set(alike.flatMap((other) => this.differsFrom(other)))].sort();
		return {
			id: route.config.id,
			root: route.root,
			state: this.#state(),
			...(route.config.strategy ? { strategy: route.config.strategy } : {}),
			...(ready
				? {
						...(ready.pid === undefined ? {} : { pid: ready.pid }),
						upMs: Date.now() - ready.startedAt,
						ready: busy === undefined,
						documents: ready.documents.size,
						...(ready.pid === undefined ? {} : this.#usageOf(ready.pid)),
						...(ready.learnedMs === undefined ? {} : { learnedMs: ready.learnedMs }),
						...(ready.version ? { version: ready.version } : {}),
					}
				: {}),
			...(busy ? { busy } : {}),
			...(percentage === undefined ? {} : { percentage }),
			...(ready?.complaint.text ? { says: ready.complaint.text } : {}),
			...(differing.length > 0 ? { environmentMismatch: differing } : {}),
			...(error && !ready ? { error } : {}),
			...(this.isReplaced ? { replaced: "replaced by a changed configuration" } : {}),
		};
	}

	#usageOf(pid: number): Usage | undefined {
		const now = performance.now();
		if (this.#usage?.of !== pid || now - this.#usage.at >= usageMs)
			this.#usage = { of: pid, at: now, usage: treeUsage(pid) };
		return this.#usage.usage;
	}

	get health(): ServerHealth {
		const { route, ready } = this;
		const running = ready && (ready.readiness.busy === undefined ? "ready" : "loading");
		const stopped = this.failure?.code === "LSP_SERVER_CRASHED" ? "crashed" : "other";
		const state = running ?? (this.start ? "starting" : stopped);
		return { id: route.config.id, root: route.root, state, crashes: this.#crashes };
	}

	#state(): PooledServer["state"] {
		if (this.backoff.brokenSeconds > 0) return "broken";
		if (this.ready) return this.ready.state === "stopping" ? "stopping" : "active";
		if (this.start) return "starting";
		return this.isUnavailable ? "unavailable" : "broken";
	}

	get logFacts(): Facts {
		const { server, language } = aboutServer(this.route.config);
		return { server, language, root: this.route.root };
	}
}

export function entryKey(route: Route): string {
	const { config, root, trusted = false, sandbox = "off", environment } = route;
	return JSON.stringify([config.id, root, trusted, sandbox, environment, ...launchFields(config)]);
}

function launchFields(config: ServerConfig): readonly unknown[] {
	const { command, args, candidates, bundled, environment, cwd, initializationOptions, settings } = config;
	const { connect, paths, strategy } = config;
	return [
		...[command, args, candidates, bundled?.package, environment, cwd, initializationOptions, settings],
		...[connect, paths, strategy],
	];
}

/** Of standard error, else of standard output. */
export function outputEnd(error: Error): string | undefined {
	const { stderr, stdout } = error instanceof LspError ? error.details : {};
	const words = [stderr, stdout].find((text): text is string => typeof text === "string" && text !== "");
	return words?.slice(-maxStderrLength);
}
