import { resolve } from "node:path";
import {
	type LoggingLevel,
	ProtocolError,
	ProtocolErrorCode,
	type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import type { FileReport } from "../../contract/check-report.ts";
import type { AwaitChangeResult, ServerHealth } from "../../contract/protocol.ts";
import { count } from "../../render/count.ts";
import { harmlessData } from "../../render/harmless.ts";
import { toUri } from "../../util/positions.ts";
import { WorkspaceChanges } from "../workspace-changes.ts";
import type { Resources } from "./resources.ts";
import { ServerNews } from "./server-news.ts";
import type { McpSession } from "./session.ts";

/** From the first change to the notification, in ms. */
const diagnosticsMs = 2000;
const staleMs = 3000;
const offeredMs = 2000;
/** A change's event may be so late. */
const noticeMs = 2000;
const maxSubscriptions = 1000;
const openFiles = "lsp-diagnostics:///";
const status = "lsp-status:///";

/** One client, or all that listen in the stateless revision. */
export interface Listener {
	updated(uri: string): void;
	listsChanged(): void;
	/** Undefined where the revision has no log messages. */
	readonly log: ((level: LoggingLevel, data: object) => void) | undefined;
}

interface Listen {
	readonly taken: string[];
	/** Those that lead nowhere: a package may come with a resource there. */
	left: readonly string[];
}

export class News {
	readonly #session: McpSession;
	readonly #resources: Resources;
	readonly #listener: Listener;
	readonly #changes: WorkspaceChanges;
	readonly #end = new AbortController();
	readonly #subscribed = new Map<string, number>();
	readonly #values = new Map<string, string>();
	/** First reading by address, Infinity before it; a change may be older. */
	readonly #begun = new Map<string, number>();
	/** May have changed between subscription and first reading. */
	readonly #doubtful = new Set<string>();
	readonly #counts = new Map<string, string>();
	readonly #servers = new ServerNews();
	readonly #changed = new Set<string>();
	readonly #listens = new Map<unknown, Listen>();
	readonly #timers = new Map<string, NodeJS.Timeout>();
	#offered: string | undefined;
	#reading: Promise<void> = Promise.resolve();

	constructor(session: McpSession, resources: Resources, listener: Listener) {
		this.#session = session;
		this.#resources = resources;
		this.#listener = listener;
		const awaitChange = (params: { readonly cwd: string }, signal: AbortSignal) =>
			session.caller.call<AwaitChangeResult>("await_change", { ...session.about(params), ...params }, signal);
		this.#changes = new WorkspaceChanges(awaitChange, {
			files: (paths) => this.#filesChanged(paths),
			servers: (folder, now) => this.#serversChanged(folder, now),
		});
	}

	async follow(): Promise<void> {
		if (this.#subscribed.size === 0 && !this.#logs("error")) return;
		const since = Date.now();
		for (const directory of await this.#session.directories.all) this.#changes.follow(directory, since);
	}

	/** Throws a ProtocolError. */
	subscribe(uri: string): void {
		this.#resources.find(uri);
		if (this.#subscribed.size >= maxSubscriptions)
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There are ${maxSubscriptions} subscriptions already.`);
		this.#subscribed.set(uri, (this.#subscribed.get(uri) ?? 0) + 1);
		if (uri === status) return void this.follow();
		this.#begun.set(uri, Number.POSITIVE_INFINITY);
		this.#afterReading(async () => {
			await this.follow();
			if (!this.#values.has(uri)) await this.#read(uri);
			this.#begun.set(uri, performance.now());
		});
	}

	unsubscribe(uri: string): void {
		const left = (this.#subscribed.get(uri) ?? 1) - 1;
		if (left > 0) return void this.#subscribed.set(uri, left);
		for (const known of [this.#subscribed, this.#values, this.#begun, this.#doubtful]) known.delete(uri);
	}

	listen(id: unknown, { resourceSubscriptions = [], ...lists }: SubscriptionFilter): void {
		const listen: Listen = { taken: [], left: resourceSubscriptions };
		this.#listens.set(id, listen);
		this.#take(listen);
		if (Object.values(lists).includes(true) || listen.left.length > 0) this.followOffered();
		if (listen.left.length > 0) void this.#compareOffered().catch(() => {});
	}

	unlisten(id: unknown): void {
		for (const uri of this.#listens.get(id)?.taken ?? []) this.unsubscribe(uri);
		this.#listens.delete(id);
	}

	followOffered(): void {
		if (this.#timers.has("offered") || this.#end.signal.aborted) return;
		const look = () => void this.#compareOffered().catch(() => {});
		this.#timers.set("offered", setInterval(look, offeredMs).unref());
		look();
	}

	end(): void {
		this.#end.abort();
		this.#changes.end();
		for (const timer of this.#timers.values()) clearTimeout(timer);
	}

	#take(listen: Listen): readonly string[] {
		const before = listen.taken.length;
		listen.left = listen.left.filter((uri) => {
			try {
				this.subscribe(uri);
				listen.taken.push(uri);
				return false;
			} catch {
				return true;
			}
		});
		return listen.taken.slice(before);
	}

	#logs(level: LoggingLevel): boolean {
		return this.#listener.log !== undefined && this.#session.logs(level);
	}

	#log(level: LoggingLevel, data: object): void {
		if (this.#logs(level) && !this.#end.signal.aborted) this.#listener.log?.(level, harmlessData(data));
	}

	async #compareOffered(): Promise<void> {
		const before = this.#offered;
		const settings = await this.#session.settings();
		const profile = this.#session.profile(settings);
		this.#offered = JSON.stringify([profile, this.#session.extension]);
		if (this.#end.signal.aborted) return;
		const isOther = before !== undefined && before !== this.#offered;
		if (isOther) this.#listener.listsChanged();
		for (const listen of this.#listens.values())
			for (const uri of this.#take(listen)) if (isOther) this.#listener.updated(uri);
	}

	#filesChanged(paths: readonly string[]): void {
		for (const [uri, at] of this.#begun) {
			if (performance.now() - at < noticeMs) this.#doubtful.add(uri);
			this.#begun.delete(uri);
		}
		this.#readLater();
		if (!this.#logs("info")) return;
		for (const path of paths) this.#changed.add(path);
		this.#after("stale", staleMs, () => {
			const files = this.#changed.size;
			this.#changed.clear();
			const message = `${count(files, "file has", "files have")} changed: references found before may be stale.`;
			this.#log("info", { type: "stale_references", files_changed: files, message });
		});
	}

	#serversChanged(folder: string, now: readonly ServerHealth[]): void {
		for (const message of this.#servers.compare(folder, now))
			this.#log(message.type === "server_crashed" ? "error" : "info", message);
		if (this.#subscribed.has(status)) this.#listener.updated(status);
		this.#readLater();
	}

	#readLater(): void {
		this.#after("read", diagnosticsMs, () => this.#afterReading(() => this.#readAll()));
	}

	#after(name: string, ms: number, then: () => void): void {
		if (this.#timers.has(name) || this.#end.signal.aborted) return;
		const timer = setTimeout(() => {
			this.#timers.delete(name);
			then();
		}, ms);
		this.#timers.set(name, timer.unref());
	}

	#afterReading(then: () => Promise<void>): void {
		this.#reading = this.#reading.then(then).catch(() => {});
	}

	async #readAll(): Promise<void> {
		const uris = new Set(this.#subscribed.keys());
		uris.delete(status);
		if (this.#logs("info")) uris.add(openFiles);
		for (const uri of uris) {
			const before = this.#values.get(uri);
			await this.#read(uri);
			if (this.#end.signal.aborted) return;
			const isOther = before !== undefined && before !== this.#values.get(uri);
			if ((this.#doubtful.delete(uri) || isOther) && this.#subscribed.has(uri)) this.#listener.updated(uri);
		}
	}

	async #read(uri: string): Promise<void> {
		const { signal } = this.#end;
		try {
			const value = (await this.#resources.value(uri, signal, true)) as { readonly files?: readonly FileReport[] };
			this.#values.set(uri, comparable(value));
			if (uri.startsWith(openFiles) && value.files) await this.#tellCounts(value.files);
		} catch (error) {
			if (!signal.aborted) this.#values.set(uri, (error as Error).message);
		}
	}

	async #tellCounts(files: readonly FileReport[]): Promise<void> {
		const directory = await this.#session.directories.first;
		const updates = files.flatMap(({ path, state, diagnostics }) => {
			const of = (severity: string) => diagnostics.filter((each) => each.severity === severity).length;
			const update = { uri: toUri(resolve(directory, path)), errors: of("error"), warnings: of("warning") };
			const counts = `${update.errors} ${update.warnings}`;
			const before = this.#counts.get(update.uri) ?? "0 0";
			if (counts === before || (state !== "fresh" && diagnostics.length === 0)) return [];
			this.#counts.set(update.uri, counts);
			return [update];
		});
		if (updates.length > 0) this.#log("info", { type: "diagnostics", updates });
	}
}

function comparable(value: { readonly files?: readonly FileReport[] }): string {
	return JSON.stringify(value.files ?? value, (name, each) => (name === "new" ? undefined : each));
}
