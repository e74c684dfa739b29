import { stampOf } from "../../util/files.ts";
import type { Daemon } from "./daemon.ts";

const waitMs = 30_000;
/** Overlap, for changes during the last answer. */
const overlapMs = 500;

/** Follows changes on disk while the daemon's servers watch it. */
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

	follow(folder: string): void {
		if (this.#followed.has(folder)) return;
		this.#followed.add(folder);
		this.#follow(folder)
			.catch(() => {})
			.finally(() => this.#followed.delete(folder));
	}

	end(): void {
		this.#end.abort();
	}

	/** Ends when no server watches the folder. */
	async #follow(folder: string): Promise<void> {
		const { signal } = this.#end;
		for (let since = Date.now(); !signal.aborted; ) {
			const { changed, files } = await this.#daemon.awaitChange(folder, since, waitMs, signal);
			if (!changed) continue;
			if (!files) return;
			since = Date.now() - overlapMs;
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
