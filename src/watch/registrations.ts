import { basename } from "node:path";
import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { FileChangeType, WatchKind } from "../contract/protocol-kinds.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { matchesName } from "../project/file-match.ts";
import { toUri } from "../util/positions.ts";
import { Batch, type Change, type ChangeKind, mergeKinds } from "./batch.ts";
import { Globs, newCompiledGlobs, type WatcherOptions } from "./globs.ts";

export const watchCapabilities: ClientCapabilities = {
	workspace: { didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true } },
};

const method = "workspace/didChangeWatchedFiles";
const maxKept = 2000;

const wire: Readonly<Record<ChangeKind, { readonly mask: number; readonly types: readonly (1 | 2 | 3)[] }>> = {
	created: { mask: WatchKind.Create, types: [FileChangeType.Created] },
	changed: { mask: WatchKind.Change, types: [FileChangeType.Changed] },
	deleted: { mask: WatchKind.Delete, types: [FileChangeType.Deleted] },
	// TypeScript 7 needs this order (docs/facts.md, 24).
	refreshed: { mask: WatchKind.Create | WatchKind.Change, types: [FileChangeType.Changed, FileChangeType.Created] },
};

export class Registrations {
	readonly server: LanguageServer;
	readonly #batch = new Batch((changes) => this.#send(changes));
	readonly #compiledGlobs = newCompiledGlobs();
	#globs: Globs;
	/** TypeScript 7 registers a project 100 ms after it has read it: these are sent then. */
	readonly #unwanted = new Map<string, ChangeKind>();
	readonly #open = new Map<string, ChangeKind>();

	hasRegistered = false;

	constructor(server: LanguageServer) {
		this.server = server;
		this.#globs = new Globs(server.root, [], this.#compiledGlobs);
	}

	compile(): Globs {
		const watchers = [...this.server.registrations.values()].flatMap((registration): WatcherOptions[] => {
			const options = registration.registerOptions as { watchers?: unknown } | null | undefined;
			if (registration.method === method) this.hasRegistered = true;
			return registration.method === method && Array.isArray(options?.watchers) ? options.watchers : [];
		});
		this.#globs = new Globs(
			this.server.root,
			watchers.filter((watcher) => typeof watcher === "object" && watcher !== null),
			this.#compiledGlobs,
		);
		const wants = this.#globs.matcher();
		for (const [path, kind] of this.#unwanted) {
			if (!wants(path, wire[kind].mask)) continue;
			this.#unwanted.delete(path);
			this.#batch.add({ path, kind });
		}
		return this.#globs;
	}

	add(change: Change): void {
		this.#batch.add(change);
	}

	flush(): void {
		for (const [path, kind] of this.#open) {
			if (this.server.documents.get(path)) continue;
			this.#open.delete(path);
			this.#batch.add({ path, kind });
		}
		this.#batch.flush();
	}

	close(): void {
		this.#batch.close();
	}

	#send(changes: readonly Change[]): void {
		// Before it registers, a server has yet to read its files.
		const wants = this.hasRegistered ? this.#globs.matcher() : (path: string) => matchesName(this.server.config, path);
		const events = changes.flatMap(({ path, kind }) => {
			const { mask, types } = wire[kind];
			if (!wants(path, mask)) {
				keep(this.#unwanted, path, kind);
				return [];
			}
			this.#unwanted.delete(path);
			if (this.#isSentAsText({ path, kind })) {
				keep(this.#open, path, kind);
				return [];
			}
			this.#open.delete(path);
			const uri = toUri(path);
			return types.map((type) => ({ uri, type }));
		});
		if (events.length === 0) return;
		this.server.notify(method, { changes: events });
		const reopen = this.server.config.refresh?.reopen;
		if (reopen && changes.some(({ path, kind }) => kind !== "changed" && reopen.includes(basename(path))))
			this.server.documents.reopen();
	}

	#isSentAsText({ path, kind }: Change): boolean {
		return (kind === "changed" || kind === "refreshed") && this.server.documents.get(path) !== undefined;
	}
}

function keep(map: Map<string, ChangeKind>, path: string, kind: ChangeKind): void {
	const merged = mergeKinds(map.get(path), kind);
	map.delete(path);
	if (merged) map.set(path, merged);
	if (map.size > maxKept) map.delete(map.keys().next().value as string);
}
