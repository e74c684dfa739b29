import type { FileReport } from "../../contract/check-report.ts";
import type { AwaitChangeResult, ServerHealth } from "../../contract/protocol.ts";
import { harmlessData } from "../../render/harmless.ts";
import { WorkspaceChanges } from "../workspace-changes.ts";
import type { Events } from "./types.ts";

/** Large changes come in several notices. */
const readMs = 300;

interface Report {
	readonly files: readonly FileReport[];
}

type Call = <Result>(method: string, params: object, signal?: AbortSignal) => Promise<Result>;
type Listener = (event: never) => void;

export class SessionEvents {
	readonly #cwd: string;
	readonly #call: Call;
	readonly #listeners = new Map<keyof Events, Set<Listener>>();
	readonly #told = new Map<string, string>();
	#changes: WorkspaceChanges | undefined;
	#servers: readonly ServerHealth[] | undefined;
	#timer: NodeJS.Timeout | undefined;
	#reading: Promise<void> = Promise.resolve();

	constructor(cwd: string, call: Call) {
		this.#cwd = cwd;
		this.#call = call;
	}

	on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
		const listeners = this.#listeners.get(name) ?? new Set();
		this.#listeners.set(name, listeners);
		// A function may listen twice.
		const own = (event: Events[Name]) => listener(event);
		listeners.add(own);
		if (name === "servers" && this.#servers) own({ servers: this.#servers } as Events[Name]);
		this.follow();
		return () => {
			listeners.delete(own);
			if (![...this.#listeners.values()].some(({ size }) => size > 0)) this.end();
		};
	}

	/** Call it with each call: the daemon's end stops it. */
	follow(): void {
		if (![...this.#listeners.values()].some(({ size }) => size > 0)) return;
		this.#changes ??= new WorkspaceChanges(
			(params, signal) => this.#call<AwaitChangeResult>("await_change", params, signal),
			{ files: () => this.#readLater(), servers: (_, now) => this.#serversChanged(now) },
		);
		this.#changes.follow(this.#cwd, Date.now());
	}

	end(): void {
		this.#listeners.clear();
		this.#changes?.end();
		this.#changes = undefined;
		this.#servers = undefined;
		this.#told.clear();
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#serversChanged(now: readonly ServerHealth[]): void {
		this.#servers = harmlessData(now);
		this.#tell("servers", { servers: this.#servers });
		this.#readLater();
	}

	#readLater(): void {
		if (this.#timer || !this.#listeners.get("diagnostics")?.size) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			this.#reading = this.#reading.then(() => this.#read()).catch(() => {});
		}, readMs);
	}

	async #read(): Promise<void> {
		const changes = this.#changes;
		const report = harmlessData(await this.#call<Report>("diagnostics", { input: { scope: "open" } }));
		if (!changes || changes !== this.#changes) return;
		const files = report.files.filter(({ path, state, diagnostics }) => {
			if (state !== "fresh") return false;
			const found = JSON.stringify(diagnostics.map(({ new: _, ...each }) => each));
			const isOther = found !== (this.#told.get(path) ?? "[]");
			this.#told.set(path, found);
			return isOther;
		});
		if (files.length > 0) this.#tell("diagnostics", { ...report, files });
	}

	/** A listener's errors are its own. */
	#tell<Name extends keyof Events>(name: Name, event: Events[Name]): void {
		for (const listener of this.#listeners.get(name) ?? []) queueMicrotask(() => listener(event as never));
	}
}
