import type { AwaitChangeParams, AwaitChangeResult, ServerHealth } from "../contract/protocol.ts";
import { stampOf } from "../util/files.ts";

const waitMs = 30_000;

interface Listener {
	/** Absolute paths. */
	files(paths: readonly string[]): void;
	servers?(folder: string, now: readonly ServerHealth[]): void;
}

export class WorkspaceChanges {
	readonly #awaitChange: (params: AwaitChangeParams, signal: AbortSignal) => Promise<AwaitChangeResult>;
	readonly #listener: Listener;
	readonly #end = new AbortController();
	readonly #followed = new Set<string>();
	readonly #stamps = new Map<string, string | undefined>();

	constructor(
		awaitChange: (params: AwaitChangeParams, signal: AbortSignal) => Promise<AwaitChangeResult>,
		listener: Listener,
	) {
		this.#awaitChange = awaitChange;
		this.#listener = listener;
	}

	/** `since` in ms since 1970. */
	follow(folder: string, since: number): void {
		if (this.#followed.has(folder) || this.#end.signal.aborted) return;
		this.#followed.add(folder);
		this.#follow(folder, since)
			.catch(() => {})
			.finally(() => this.#followed.delete(folder));
	}

	end(): void {
		this.#end.abort();
	}

	async #follow(folder: string, first: number): Promise<void> {
		const { signal } = this.#end;
		let known: readonly ServerHealth[] | null = null;
		for (let since = first; !signal.aborted; ) {
			const asked = { cwd: folder, since, wait: waitMs, ...(this.#listener.servers ? { servers: known } : {}) };
			const { changed, files, until, servers } = await this.#awaitChange(asked, signal);
			if (servers && !signal.aborted) {
				known = servers;
				this.#listener.servers?.(folder, servers);
			}
			if (!changed) continue;
			if (!files) return;
			since = until ?? since;
			await this.#tell(files);
		}
	}

	async #tell(files: readonly string[]): Promise<void> {
		const fresh: string[] = [];
		for (const path of files) {
			const stamp = await stampOf(path);
			if (this.#stamps.has(path) && this.#stamps.get(path) === stamp) continue;
			this.#stamps.set(path, stamp);
			fresh.push(path);
		}
		if (fresh.length > 0 && !this.#end.signal.aborted) this.#listener.files(fresh);
	}
}
