import type { ClientCapabilities, InitializeResult, ServerCapabilities } from "vscode-languageserver-protocol";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { Connection, ConnectionClosedError, ResponseError } from "../jsonrpc/connection.ts";
import { ContentLengthReader, ContentLengthWriter } from "../jsonrpc/content-length.ts";
import { redacted } from "../jsonrpc/redact.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { openTransport, type Transport } from "../process/transport.ts";
import { aborter, deadline, pause } from "../util/abort.ts";
import { ByteRing } from "../util/byte-ring.ts";
import { ReadWriteLock } from "../util/locks.ts";
import type { WriteEvent } from "../util/log.ts";
import type { PositionEncoding } from "../util/positions.ts";
import { lspCapabilities } from "./capabilities.ts";
import { changeKindOf, offersByRegistration, offersInitially, saveWithText } from "./capability-lookup.ts";
import { Complaint } from "./complaint.ts";
import { Documents } from "./documents.ts";
import { EditCapture } from "./edit-capture.ts";
import { Folders, takesFolders } from "./folders.ts";
import { Foreground } from "./foreground.ts";
import { initializeParams, versionOf } from "./handshake.ts";
import { HangDetector } from "./hang-detector.ts";
import { PathMap } from "./path-map.ts";
import { crashError, startError } from "./process-errors.ts";
import { Readiness } from "./readiness.ts";
import { isRetriable } from "./retry.ts";
import { Schemas } from "./schemas.ts";
import { answerServerRequests, type Registration } from "./server-requests.ts";
import { Snapshot } from "./snapshot.ts";
import { validated } from "./validate-result.ts";

export type ServerState = "starting" | "ready" | "stopping" | "stopped";

export interface ServerEvents {
	stderr(chunk: Buffer): void;
	readonly log: WriteEvent;
	frames?(): boolean;
	exited(server: LanguageServer): void;
}

export interface ServerStart {
	readonly config: ServerConfig;
	readonly root: string;
	readonly launch: LaunchCommand;
	readonly events: ServerEvents;
	readonly capabilities?: ClientCapabilities | undefined;
}

const defaultInitializeSeconds = 300;
const loadingMs = 10_000;
const requestSeconds = 120;
const exitMs = 1000;
const firstOutputBytes = 8192;

export class LanguageServer {
	readonly config: ServerConfig;
	readonly root: string;
	readonly launch: LaunchCommand;
	readonly documents: Documents;
	readonly readiness: Readiness;
	readonly snapshot = new Snapshot();
	readonly foreground = new Foreground();
	readonly schemas = new Schemas();
	readonly complaint = new Complaint();
	/** Questions read; texts that are not on disk write. */
	readonly turns = new ReadWriteLock();
	readonly editCapture: EditCapture;
	readonly registrations = new Map<string, Registration>();
	readonly startedAt = Date.now();
	settings: Readonly<Record<string, unknown>>;
	learnedMs: number | undefined;
	#state: ServerState = "starting";
	#initialize: InitializeResult | undefined;
	#version: string | undefined;
	#stopping: Promise<void> | undefined;
	readonly #process: Transport;
	readonly #connection: Connection;
	readonly #folders: Folders;
	readonly #hangDetector: HangDetector;
	readonly #ended = aborter();
	killedFor: string | undefined;
	readonly #paths: PathMap | undefined;
	readonly #listeners = new Map<string, Set<(params: unknown) => void>>();
	readonly #parts = new Map<unknown, object>();
	readonly #firstOutput = new ByteRing(firstOutputBytes);

	private constructor({ config, root, launch, events }: ServerStart, process: Transport) {
		this.config = config;
		this.root = root;
		this.launch = launch;
		this.settings = config.settings ?? {};
		this.readiness = new Readiness(config.loading);
		this.editCapture = new EditCapture(config.id);
		this.#folders = new Folders(root);
		this.#hangDetector = new HangDetector(config.wedgedSeconds);
		this.#process = process;
		this.#paths = config.paths === undefined ? undefined : new PathMap(config.paths);
		this.#connection = this.#connect(events);
		this.documents = new Documents(
			{
				notify: (method, params) => this.notify(method, params),
				encoding: () => this.encoding,
				changeKind: () => changeKindOf(this.capabilities),
				isTsserver: config.strategy === "tsserver",
				comparesSizes: config.pushes?.staleHeaders === true,
				saveWithText: () => saveWithText(this.capabilities),
			},
			this.snapshot,
		);
		process.onStderr = (chunk) => events.stderr(chunk);
		process.stdout.on("data", (chunk: Buffer) => {
			this.#hangDetector.received();
			// Output may be read after the process has ended.
			if (!this.#initialize) this.#firstOutput.add(chunk);
		});
		process.exited.then(() => {
			this.#state = "stopped";
			this.#connection.dispose();
			this.#ended.abort(crashError(config, process));
			events.exited(this);
		});
	}

	#connect(events: ServerEvents): Connection {
		const logFrame = (direction: "received" | "sent") => (message: unknown) => {
			if (events.frames?.()) events.log(direction, { frame: redacted(message) });
		};
		return new Connection(
			new ContentLengthReader(this.#process.stdout, logFrame("received")),
			new ContentLengthWriter(this.#process.stdin, logFrame("sent")),
			{
				request: async (method, params) =>
					method === "vscode/content" ? this.schemas.answer(params) : this.#out(this.#answer(method, this.#in(params))),
				notification: (method, params) => this.#notified(method, this.#in(params)),
				closed: (reason) => {
					if (reason) events.log("unreadable output", { reason: reason.message });
					if (this.#state !== "stopping") this.kill(reason && `its output could not be read (${reason.message})`);
				},
			},
		);
	}

	/**
	 * Rejects, after the process has ended, with LSP_SERVER_UNAVAILABLE, LSP_SERVER_START_FAILED or LSP_SERVER_TIMEOUT.
	 */
	static async start(start: ServerStart, signal?: AbortSignal): Promise<LanguageServer> {
		const { config, launch } = start;
		const server = new LanguageServer(start, await openTransport(config, launch, signal));
		const seconds = config.initializeSeconds ?? defaultInitializeSeconds;
		const limit = deadline(
			seconds * 1000,
			() => new LspError("LSP_SERVER_TIMEOUT", `${config.id} did not answer initialize within ${seconds} s.`),
			signal,
		);
		try {
			await server.#handshake(start.capabilities ?? lspCapabilities, limit.signal);
			return server;
		} catch (error) {
			server.#process.kill();
			const exit = await server.#process.exited;
			await Promise.race([server.#process.drained, pause(exitMs)]);
			if (error instanceof LspError) throw error;
			const output = server.#firstOutput.toString();
			throw startError({ config, launch, process: server.#process, exit, output }, error);
		} finally {
			limit.end();
		}
	}

	async #handshake(capabilities: ClientCapabilities, signal: AbortSignal): Promise<void> {
		const { initializationOptions, initialized = [] } = this.config;
		const params = initializeParams(this.root, initializationOptions, capabilities, this.#process.apart);
		this.#initialize = await this.#connection.request<InitializeResult>("initialize", this.#out(params), signal);
		if (typeof this.#initialize?.capabilities !== "object" || this.#initialize.capabilities === null)
			throw new Error("the answer to initialize has no capabilities");
		this.#version ??= versionOf(this.#initialize.serverInfo?.version);
		const encoding: string = this.encoding;
		if (!["utf-8", "utf-16", "utf-32"].includes(encoding)) throw new Error(`unknown position encoding ${encoding}`);
		for (const method of ["initialized", ...initialized]) this.notify(method, {});
		if (this.config.isSentSettings) this.configure(this.settings);
		if (this.config.loading?.opensAfter) await Promise.race([this.readiness.settled(loadingMs, signal), this.exited]);
		if (this.#state === "starting") this.#state = "ready";
	}

	get state(): ServerState {
		return this.#state;
	}
	get pid(): number | undefined {
		return this.#process.pid;
	}
	get passive(): boolean {
		return this.#process.passive;
	}
	get capabilities(): ServerCapabilities {
		return this.#initialize?.capabilities ?? {};
	}
	/** Or the version of the compiler inside. */
	get version(): string | undefined {
		return this.#version;
	}
	get encoding(): PositionEncoding {
		return (this.capabilities.positionEncoding ?? "utf-16") as PositionEncoding;
	}

	offers(method: string): boolean {
		if (offersInitially(this.capabilities, method)) return true;
		return [...this.registrations.values()].some((registration) => offersByRegistration(registration, method));
	}

	/** Throws LSP_UNSUPPORTED_REQUEST. */
	require(method: string): void {
		if (!this.offers(method))
			throw new LspError("LSP_UNSUPPORTED_REQUEST", `${this.config.id} does not answer ${method}.`, { method });
	}

	/**
	 * Repeats up to three times after ContentModified or ServerCancelled. Rejects with LSP_SERVER_CRASHED,
	 * LSP_SERVER_TIMEOUT, LSP_SERVER_ERROR or the signal's reason.
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
				const isTimeout = error instanceof LspError && error.code === "LSP_SERVER_TIMEOUT";
				if (isTimeout && this.#hangDetector.timedOut(sentAt)) this.kill("it had stopped answering");
				if (attempt > 3 || !isRetriable(error)) throw await this.#requestError(method, error);
				await pause(10 * attempt, signal);
			}
		}
	}

	/** `Service` sets it: sends changed settings, and events of changes on disk. */
	sendChanges: (signal?: AbortSignal) => Promise<void> = async () => {};

	willOpen: ((path: string) => Promise<void>) | undefined;

	async catchUp(signal?: AbortSignal, but?: string): Promise<void> {
		await this.sendChanges(signal);
		await this.documents.refresh(but);
	}

	get folders(): string[] {
		return this.#folders.paths;
	}

	addFolder(path: string): boolean {
		return !this.config.oneRoot && this.#changeFolders(() => this.#folders.add(path));
	}

	removeFolder(path: string): boolean {
		return this.#changeFolders(() => this.#folders.remove(path));
	}

	#changeFolders(change: () => object | undefined): boolean {
		const params = takesFolders(this.capabilities) ? change() : undefined;
		if (params) this.notify("workspace/didChangeWorkspaceFolders", params);
		return params !== undefined;
	}

	configure(settings: Readonly<Record<string, unknown>>): void {
		this.settings = settings;
		this.notify("workspace/didChangeConfiguration", { settings });
	}

	/** `startServer` sets it. False: a condition of the start has ended. */
	mayContinue: (() => boolean) | undefined;

	/** `startServer` sets it. */
	sendChangedSettings: (() => Promise<void>) | undefined;

	/** State of another folder for this server, one object per class. */
	part<Part extends object>(of: new (server: LanguageServer) => Part): Part {
		const known = this.#parts.get(of) as Part | undefined;
		if (known) return known;
		const part = new of(this);
		this.#parts.set(of, part);
		return part;
	}

	/** `paths`: only their answers may change. */
	notify(method: string, params: unknown, paths?: readonly string[]): void {
		// At the event of a new .cargo/config.toml rust-analyzer runs the compiler named there.
		if (method === "workspace/didChangeWatchedFiles" && this.mayContinue?.() === false) return;
		if (paths) this.snapshot.filesChanged(paths);
		else this.snapshot.notified(method, params);
		this.#connection.notify(method, this.#out(params));
	}

	/** Also for registrations and `workspace/diagnostic/refresh`. */
	on(method: string, listener: (params: unknown) => void): () => void {
		const set = this.#listeners.get(method) ?? new Set();
		this.#listeners.set(method, set.add(listener));
		return () => set.delete(listener);
	}

	stop(): Promise<void> {
		this.#stopping ??= (async () => {
			if (this.#state === "stopped") return;
			const ready = this.#state === "ready" && !this.passive;
			this.#state = "stopping";
			const shutdown = ready
				? this.#connection.request("shutdown", undefined).then(() => this.notify("exit", undefined))
				: Promise.resolve();
			await this.#process.stop(shutdown);
		})();
		return this.#stopping;
	}

	get wasStopped(): boolean {
		return this.#stopping !== undefined;
	}

	kill(reason?: string): void {
		this.killedFor ??= reason;
		this.#process.kill();
	}

	/** Reason: LSP_SERVER_CRASHED. */
	get ended(): AbortSignal {
		return this.#ended.signal;
	}

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
			applyEdit: (given) => this.editCapture.answer(given),
		});
	}

	#notified(method: string, params: unknown): void {
		// typescript-language-server sends no version of its own.
		if (method === "$/typescriptVersion")
			this.#version = versionOf((params as { version?: unknown } | null)?.version) ?? this.#version;
		this.readiness.received(method, params);
		this.complaint.received(method, params);
		this.#emit(method, params);
	}

	#emit(method: string, params: unknown): void {
		for (const listener of this.#listeners.get(method) ?? []) listener(params);
	}

	async #requestError(method: string, error: unknown): Promise<Error> {
		if (error instanceof ConnectionClosedError) {
			// The exit, with its reason, comes after the pipe's end.
			await Promise.race([this.#process.exited, pause(exitMs)]);
			return crashError(this.config, this.#process, ` while it was asked ${method}`, error);
		}
		if (error instanceof ResponseError)
			return new LspError("LSP_SERVER_ERROR", `${this.config.id}: ${error.message}`, { method }, { cause: error });
		return error as Error;
	}
}
