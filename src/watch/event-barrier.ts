import { type FSWatcher, mkdtempSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that the event of the cookie may take. */
const cookieMs = 200;

/**
 * Waits for file events that are on their way. All watches of an event loop share one inotify queue (libuv on Linux), so
 * after the event of a file that we renamed ourselves, every older event has been delivered. Watchman calls such a file
 * a cookie; it lies in a private directory, never in a repository.
 */
export class EventBarrier {
	/** Holds the private directory. */
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

	/**
	 * Resolves with true when every event from before the call has been delivered; with false if that is not known, since no
	 * watch was to be had or no cookie came within 200 ms. Calls of one turn of the event loop share a cookie.
	 */
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
		// A new name each time: equal events in a row are one event to inotify.
		const name = String(++this.#serial);
		return new Promise<boolean>((resolve) => {
			const end = (inTime: boolean) => {
				clearTimeout(timer);
				this.#waiting.delete(name);
				resolve(inTime);
			};
			// After a long turn of the event loop the timer is due before the events are read.
			const timer = setTimeout(() => setImmediate(() => setImmediate(end, false)), cookieMs);
			this.#waiting.set(name, () => end(true));
			try {
				renameSync(before, join(this.#directory!, name));
			} catch {
				// The temporary directory was cleaned up; the next call makes another one.
				this.#drop();
				end(false);
			}
		});
	}

	/**
	 * Counts an event. The kernel drops events that do not fit into its queue, which Node does not report, so every half
	 * of the queue's length within one turn of the event loop counts as an overflow.
	 */
	count(): void {
		if (this.#burst++ === 0)
			setImmediate(() => {
				this.#burst = 0;
			}).unref();
		if (this.#burst % this.#maxBurst === 0) for (const listener of [...this.#overflowListeners]) listener();
	}

	/** Calls `listener` whenever events may have been lost, until the returned function is called. */
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

/** The number of events that the kernel keeps until they are read. */
function queueLength(): number {
	try {
		return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) || 16_384;
	} catch {
		return 16_384;
	}
}
