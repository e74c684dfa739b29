import { stampOf } from "../../util/files.ts";
import type { Daemon } from "./daemon.ts";

const waitMs = 30_000;

/** Follows changes only while the daemon watches. */
export class DiskChanges {
	readonly #daemon: Daemon;
	readonly #told: (paths: readonly string[]) => void;
	readonly #end = new AbortController();
	readonly #followed = new Set<string>();
	readonly #stamps = new Map<string, string | undefined>();

	constructor(daemon: Daemon, told: (paths: readonly string[]) => void) {
		this.#daemon = daemon;
		this.#told = told;
	}

	/** `since` in ms since 1970. */
	follow(folder: string, since: number): void {
		if (this.#followed.has(folder)) return;
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
		for (let since = first; !signal.aborted; ) {
			const { changed, files, until } = await this.#daemon.awaitChange(folder, since, waitMs, signal);
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
		if (fresh.length > 0 && !this.#end.signal.aborted) this.#told(fresh);
	}
}
