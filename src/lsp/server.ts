import type { ClientCapabilities, InitializeResult, ServerCapabilities } from "vscode-languageserver-protocol";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { Connection, ConnectionClosedError, ResponseError } from "../jsonrpc/connection.ts";
import { ContentLengthReader, ContentLengthWriter } from "../jsonrpc/content-length.ts";
import { redacted } from "../jsonrpc/redact.ts";
import { describeExit, type LaunchCommand } from "../process/server-process.ts";
import { openTransport, type Transport } from "../process/transport.ts";
import { deadline, pause } from "../util/abort.ts";
import type { WriteEvent } from "../util/log.ts";
import type { PositionEncoding } from "../util/positions.ts";
import { ReadWriteLock } from "../util/read-write-lock.ts";
import { lspCapabilities } from "./capabilities.ts";
import { offersAtHandshake, offersByRegistration } from "./capability-lookup.ts";
import { Documents } from "./documents.ts";
import { Folders, takesFolders } from "./folders.ts";
import { Foreground } from "./foreground.ts";
import { initializeParams, versionOf } from "./handshake.ts";
import { HangDetector } from "./hang-detector.ts";
import { PathMap } from "./path-map.ts";
import { Readiness } from "./readiness.ts";
import { isRetriable } from "./retry.ts";
import { Schemas } from "./schemas.ts";
import { answerServerRequests, type Registration } from "./server-requests.ts";
import { Snapshot } from "./snapshot.ts";
import { changeKindOf, saveWithText } from "./sync-options.ts";
import { validated } from "./validate-result.ts";

export type ServerState = "starting" | "ready" | "stopping" | "stopped";

/** What a server writes and says, for the log. */
export interface ServerEvents {
	stderr(chunk: Buffer): void;
	readonly log: WriteEvent;
	/** True while every frame is wanted, without source or secrets. */
	frames?(): boolean;
	exited(server: LanguageServer): void;
}

const defaultInitializeSeconds = 60;
const requestSeconds = 120;
/** How long a server whose output has ended may take to end itself. */
const exitMs = 1000;

/**
 * One running language server: its process, its documents, its capabilities, and one door for requests.
 * It is started once and stopped once; a new generation is a new object.
 */
export class LanguageServer {
	readonly config: ServerConfig;
	readonly root: string;
	readonly launch: LaunchCommand;
	readonly documents: Documents;
	readonly readiness: Readiness;
	readonly #folders: Folders;
	readonly snapshot = new Snapshot();
	readonly foreground = new Foreground();
	readonly schemas = new Schemas();
	/** Readers ask; a writer may show the server something that is not on disk, and puts it back before it leaves. */
	readonly turns = new ReadWriteLock();
	readonly registrations = new Map<string, Registration>();
	readonly startedAt = Date.now();
	/** What `workspace/configuration` is answered with. */
	settings: Readonly<Record<string, unknown>>;
	/** How long it has to be silent before its pushes count as complete, as far as that had to be learned. */
	learnedMs: number | undefined;
	#state: ServerState = "starting";
	#process: Transport;
	/** For a server that sees the same files under other paths. */
	readonly #paths: PathMap | undefined;
	#connection: Connection;
	#initialize: InitializeResult | undefined;
	#stopping: Promise<void> | undefined;
	#version: string | undefined;
	readonly #silence: HangDetector;
	readonly #listeners = new Map<string, Set<(params: unknown) => void>>();

	private constructor(
		config: ServerConfig,
		root: string,
		process: Transport,
		launch: LaunchCommand,
		events: ServerEvents,
	) {
		this.config = config;
		this.readiness = new Readiness(config.loading);
		this.settings = config.settings ?? {};
		this.#folders = new Folders(root);
		this.#silence = new HangDetector(config.wedgedSeconds);
		this.root = root;
		this.launch = launch;
		this.#process = process;
		this.#paths = config.paths === undefined ? undefined : new PathMap(config.paths);
		process.onStderr = (chunk) => events.stderr(chunk);
		const seen = (direction: "received" | "sent") => (message: unknown) => {
			if (events.frames?.()) events.log(direction, { frame: redacted(message) });
		};
		this.#connection = new Connection(
			new ContentLengthReader(process.stdout, seen("received")),
			new ContentLengthWriter(process.stdin, seen("sent")),
			{
				request: async (method, params) =>
					method === "vscode/content" ? this.schemas.answer(params) : this.#out(this.#answer(method, this.#in(params))),
				notification: (method, params) => this.#notified(method, this.#in(params)),
				closed: (reason) => {
					if (reason) events.log("unreadable output", { reason: reason.message });
					// Nobody knows where the next frame begins, or the pipe is shut: this generation is over.
					if (this.#state !== "stopping") process.kill();
				},
			},
		);
		process.stdout.on("data", () => this.#silence.heard());
		this.documents = new Documents(
			{
				notify: (method, params) => this.notify(method, params),
				encoding: () => this.encoding,
				changeKind: () => changeKindOf(this.capabilities),
				isTsserver: () => config.strategy === "tsserver",
				saveWithText: () => saveWithText(this.capabilities),
			},
			this.snapshot,
		);
		process.exited.then(() => {
			this.#state = "stopped";
			this.#connection.dispose();
			events.exited(this);
		});
	}

	/**
	 * Starts a server and shakes hands, telling it the client's `capabilities`. Rejects with LSP_SERVER_UNAVAILABLE, LSP_SERVER_START_FAILED or
	 * LSP_SERVER_TIMEOUT; whatever was started is then gone again (hermes-agent #116065 left a 3.5 GB JVM behind).
	 */
	static async start(
		config: ServerConfig,
		root: string,
		launch: LaunchCommand,
		events: ServerEvents,
		signal?: AbortSignal,
		capabilities: ClientCapabilities = lspCapabilities,
	): Promise<LanguageServer> {
		const server = new LanguageServer(config, root, await openTransport(config, launch, signal), launch, events);
		const seconds = config.initializeSeconds ?? defaultInitializeSeconds;
		const limit = deadline(
			seconds * 1000,
			() => new LspError("LSP_SERVER_TIMEOUT", `${config.id} did not answer initialize within ${seconds} s.`),
			signal,
		);
		try {
			server.#initialize = await server.#connection.request<InitializeResult>(
				"initialize",
				server.#out(initializeParams(root, config.initializationOptions, capabilities, server.#process.apart)),
				limit.signal,
			);
			if (typeof server.#initialize?.capabilities !== "object" || server.#initialize.capabilities === null)
				throw new Error("the answer to initialize has no capabilities");
			const encoding: string = server.encoding;
			if (!["utf-8", "utf-16", "utf-32"].includes(encoding)) throw new Error(`unknown position encoding ${encoding}`);
			for (const method of ["initialized", ...(config.initialized ?? [])]) server.notify(method, {});
			server.#state = "ready";
			return server;
		} catch (error) {
			server.#process.kill();
			const exit = await server.#process.exited;
			// Its last words may still stand in the pipe, and they say why.
			await Promise.race([server.#process.drained, pause(exitMs)]);
			if (error instanceof LspError) throw error;
			const why =
				error instanceof ConnectionClosedError ? describeExit(exit, server.passive) : (error as Error).message;
			const words = server.#process.stderrTail(300).split("\n").at(-1);
			const command = [launch.file, ...launch.args].join(" ");
			throw new LspError(
				"LSP_SERVER_START_FAILED",
				`${config.id} failed to start: ${why}${words ? `: ${words}` : ""}.`,
				{ ...aboutServer(config), command, exit_code: exit.code, stderr: server.#process.stderrTail() },
				{ cause: error },
			);
		} finally {
			limit.end();
		}
	}

	get state(): ServerState {
		return this.#state;
	}
	/** Undefined for a server that somebody else runs. */
	get pid(): number | undefined {
		return this.#process.pid;
	}
	/** True for a server that somebody else runs, and others use. */
	get passive(): boolean {
		return this.#process.passive;
	}
	get capabilities(): ServerCapabilities {
		return this.#initialize?.capabilities ?? {};
	}
	/** The version that the server gave of itself, or of the compiler inside it. */
	get version(): string | undefined {
		return this.#version ?? versionOf(this.#initialize?.serverInfo?.version);
	}
	get encoding(): PositionEncoding {
		return (this.capabilities.positionEncoding ?? "utf-16") as PositionEncoding;
	}

	/** True if the server answers the request `method`: it said so at the handshake, or by a registration since. */
	offers(method: string): boolean {
		if (offersAtHandshake(this.capabilities, method)) return true;
		return [...this.registrations.values()].some((registration) => offersByRegistration(registration, method));
	}

	/** Rejects with LSP_UNSUPPORTED_REQUEST where the server does not answer `method`, so that it is never sent. */
	require(method: string): void {
		if (!this.offers(method))
			throw new LspError("LSP_UNSUPPORTED_REQUEST", `${this.config.id} does not answer ${method}.`, { method });
	}

	/**
	 * Asks the server. ContentModified is asked again, and so is ServerCancelled unless it says not to, at most three times.
	 * Rejects with LSP_SERVER_CRASHED, LSP_SERVER_TIMEOUT, LSP_SERVER_ERROR, or what the signal says.
	 */
	async request<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result> {
		const sentAt = performance.now();
		const reason = () =>
			new LspError("LSP_SERVER_TIMEOUT", `${this.config.id} did not answer ${method} within ${requestSeconds} s.`);
		for (let attempt = 1; ; attempt++) {
			try {
				const ms = Math.max(requestSeconds * 1000 - (performance.now() - sentAt), 1);
				const quietly = this.config.uncancellable?.includes(method) === true;
				const result = await this.#connection.request<unknown>(method, this.#out(params), signal, {
					ms,
					reason,
					quietly,
				});
				return validated<Result>(this.config.id, method, this.#in(result));
			} catch (error) {
				const ranOut = error instanceof LspError && error.code === "LSP_SERVER_TIMEOUT";
				if (ranOut && this.#silence.ranOut(sentAt)) this.#process.kill();
				if (attempt > 3 || !isRetriable(error)) throw await this.#requestError(method, error);
				await pause(10 * attempt, signal);
			}
		}
	}

	/** Tells the server of everything that changed on disk before the call. */
	fresh: (signal?: AbortSignal) => Promise<void> = async () => {};

	/**
	 * Brings all that the server knows of the disk to what was there at the call; to be awaited in front of every
	 * question. The document `but` is left to the caller.
	 */
	async catchUp(signal?: AbortSignal, but?: string): Promise<void> {
		await this.fresh(signal);
		await this.documents.refresh(but);
	}

	/** The directories that it counts as its workspace, its root first. */
	get folders(): string[] {
		return this.#folders.paths;
	}

	/** Adds a directory to its workspace; false if it has it already, or takes none after its start. */
	addFolder(path: string): boolean {
		return !this.config.oneRoot && this.#changeFolders(() => this.#folders.add(path));
	}

	/** Takes back a directory that was added; false if there is none. */
	removeFolder(path: string): boolean {
		return this.#changeFolders(() => this.#folders.remove(path));
	}

	#changeFolders(change: () => object | undefined): boolean {
		const news = takesFolders(this.capabilities) ? change() : undefined;
		if (news) this.notify("workspace/didChangeWorkspaceFolders", news);
		return news !== undefined;
	}

	/** Gives the server other settings, or the same ones to be read again. */
	configure(settings: Readonly<Record<string, unknown>>): void {
		this.settings = settings;
		this.notify("workspace/didChangeConfiguration", { settings });
	}

	/** False once what it was started on no longer holds: it is being ended. To be asked before whatever it could act on. */
	mayGoOn: () => boolean = () => true;

	/** Sends the settings again if what they are made of has changed; to be awaited like `fresh`, which does it. */
	resettle: () => Promise<void> = async () => {};

	/** What another room keeps of this server, and what ends with it: one object of each class, made when first asked for. */
	part<Part extends object>(of: new (server: LanguageServer) => Part): Part {
		const known = this.#parts.get(of) as Part | undefined;
		if (known) return known;
		const part = new of(this);
		this.#parts.set(of, part);
		return part;
	}
	readonly #parts = new Map<unknown, object>();

	notify(method: string, params: unknown): void {
		// Told of a new .cargo/config.toml, rust-analyzer runs the compiler that it names.
		if (method === "workspace/didChangeWatchedFiles" && !this.mayGoOn()) return;
		this.snapshot.notified(method, params);
		this.#connection.notify(method, this.#out(params));
	}

	/** Calls `listener` with the parameters of every notification `method`, or request to refresh diagnostics, until the returned function is called. */
	on(method: string, listener: (params: unknown) => void): () => void {
		const set = this.#listeners.get(method) ?? new Set();
		this.#listeners.set(method, set.add(listener));
		return () => set.delete(listener);
	}

	/** Ends the server: the protocol's shutdown and exit, then signals; one that is not ours is only left. Every caller gets the same promise. */
	stop(): Promise<void> {
		this.#stopping ??= (async () => {
			if (this.#state === "stopped") return;
			const ready = this.#state === "ready" && !this.passive;
			this.#state = "stopping";
			const politely = ready
				? this.#connection.request("shutdown", undefined).then(() => this.notify("exit", undefined))
				: Promise.resolve();
			await this.#process.stop(politely);
		})();
		return this.#stopping;
	}

	/** True if it was ended by us: then it is no fault of what it was asked. */
	get wasStopped(): boolean {
		return this.#stopping !== undefined;
	}

	kill(): void {
		this.#process.kill();
	}

	/** Resolves when the process is gone. */
	get exited(): Promise<unknown> {
		return this.#process.exited;
	}

	stderrTail(characters?: number): string {
		return this.#process.stderrTail(characters);
	}

	#out<Value>(value: Value): Value {
		return this.#paths ? this.#paths.out(value) : value;
	}

	#in<Value>(value: Value): Value {
		return this.#paths ? this.#paths.in(value) : value;
	}

	#answer(method: string, params: unknown): unknown {
		if (method === "workspace/diagnostic/refresh") this.#emit(method, params);
		return answerServerRequests(method, params, {
			folders: this.#folders.list,
			settings: this.settings,
			register: (registrations) => {
				for (const registration of registrations) this.registrations.set(registration.id, registration);
				this.#emit("client/registerCapability", registrations);
			},
			unregister: (ids) => {
				for (const id of ids) this.registrations.delete(id);
				this.#emit("client/unregisterCapability", ids);
			},
		});
	}

	#notified(method: string, params: unknown): void {
		// typescript-language-server tells so which TypeScript it runs, and nothing of itself.
		if (method === "$/typescriptVersion") this.#version = versionOf((params as { version?: unknown } | null)?.version);
		this.readiness.heard(method, params);
		this.#emit(method, params);
	}

	#emit(method: string, params: unknown): void {
		for (const listener of this.#listeners.get(method) ?? []) listener(params);
	}

	async #requestError(method: string, error: unknown): Promise<Error> {
		if (error instanceof ConnectionClosedError) {
			// The pipe is shut a moment before the process is known to be gone, and that tells why.
			await Promise.race([this.#process.exited, pause(exitMs)]);
			const exit = this.#process.exit;
			return new LspError(
				"LSP_SERVER_CRASHED",
				`${this.config.id} ended while it was asked ${method} (${exit ? describeExit(exit, this.passive) : "its output was closed"}).`,
				{ ...aboutServer(this.config), exit_code: exit?.code ?? null, stderr: this.stderrTail() },
				{ cause: error },
			);
		}
		if (error instanceof ResponseError)
			return new LspError("LSP_SERVER_ERROR", `${this.config.id}: ${error.message}`, { method }, { cause: error });
		return error as Error;
	}
}
