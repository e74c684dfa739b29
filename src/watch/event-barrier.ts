import { type FSWatcher, mkdtempSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cookieMs = 200;

/**
 * All watches share one inotify queue: the event of a file that we rename (Watchman's cookie) comes after every older
 * one.
 */
export class EventBarrier {
	readonly parent: string;
	readonly #overflowListeners = new Set<() => void>();
	readonly #waiting = new Map<string, () => void>();
	readonly #maxBurst = Math.floor(queueLength() / 2);
	#directory: string | undefined;
	#watcher: FSWatcher | undefined;
	#closed = false;
	#serial = 0;
	#next: Promise<boolean> | undefined;
	#burst = 0;

	constructor(parent: string = tmpdir()) {
		this.parent = parent;
	}

	/** False if older events may still come. Calls of one turn of the event loop share a cookie. */
	pass(): Promise<boolean> {
		this.#next ??= new Promise((resolve) => {
			setImmediate(() => {
				this.#next = undefined;
				resolve(this.#passOne());
			});
		});
		return this.#next;
	}

	async #passOne(): Promise<boolean> {
		if (!this.#open()) return false;
		const before = join(this.#directory!, String(this.#serial));
		// inotify merges equal events.
		const name = String(++this.#serial);
		return new Promise<boolean>((resolve) => {
			const end = (inTime: boolean) => {
				clearTimeout(timer);
				this.#waiting.delete(name);
				resolve(inTime);
			};
			// After a long turn of the event loop, timers run before events are read.
			const timer = setTimeout(() => setImmediate(() => setImmediate(end, false)), cookieMs);
			this.#waiting.set(name, () => end(true));
			try {
				renameSync(before, join(this.#directory!, name));
			} catch {
				this.#drop();
				end(false);
			}
		});
	}

	/** Node does not report an overflow of the kernel's queue: half its length within one turn is taken for one. */
	count(): void {
		if (this.#burst++ === 0)
			setImmediate(() => {
				this.#burst = 0;
			}).unref();
		if (this.#burst % this.#maxBurst === 0) for (const listener of [...this.#overflowListeners]) listener();
	}

	onOverflow(listener: () => void): () => void {
		this.#overflowListeners.add(listener);
		return () => this.#overflowListeners.delete(listener);
	}

	close(): void {
		this.#closed = true;
		for (const arrived of [...this.#waiting.values()]) arrived();
		this.#drop();
	}

	#open(): boolean {
		if (this.#closed || this.#watcher) return !this.#closed;
		try {
			this.#directory = mkdtempSync(join(this.parent, "pi-lsp-watch-"));
			writeFileSync(join(this.#directory, String(this.#serial)), "", { mode: 0o600 });
			this.#watcher = watch(this.#directory, { persistent: false }, (_, name) => {
				this.count();
				if (name) this.#waiting.get(name)?.();
			});
			this.#watcher.on("error", () => this.#drop());
			return true;
		} catch {
			this.#drop();
			return false;
		}
	}

	#drop(): void {
		this.#watcher?.close();
		this.#watcher = undefined;
		if (this.#directory) rmSync(this.#directory, { recursive: true, force: true });
		this.#directory = undefined;
	}
}

function queueLength(): number {
	try {
		return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) || 16_384;
	} catch {
		return 16_384;
	}
}
