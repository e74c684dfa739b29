import { type FSWatcher, mkdtempSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long a cookie may take, in milliseconds; its usual time is a fraction of one. */
const cookieMs = 200;

/**
 * The kernel's queue of file events, as far as this process can know it. On Linux all watches of an event loop share
 * one inotify queue (libuv), so events come in the order in which things happened: once the event of a file that we
 * touched ourselves has come, everything older has come as well. Watchman calls such a file a cookie. Ours lies in a
 * private directory of its own, never in a repository.
 */
export class EventBarrier {
	readonly #parent: string;
	readonly #overflown = new Set<() => void>();
	readonly #waiting = new Map<string, () => void>();
	readonly #limit: number;
	#directory: string | undefined;
	#watcher: FSWatcher | undefined;
	#unusable = process.platform !== "linux";
	#serial = 0;
	#next: Promise<boolean> | undefined;
	#burst = 0;

	/** `parent` holds the private directory while this lives. */
	constructor(parent: string = tmpdir()) {
		this.#parent = parent;
		this.#limit = Math.floor(queueLength() / 2);
	}

	/**
	 * Resolves with true when every event of what happened before the call has been delivered, with false if that
	 * cannot be known: another platform, no watch to be had, or no cookie within 200 ms. Callers who come before the
	 * cookie of this turn is made share it: a crowd needs no more than one.
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
		// A new name each time: equal events in a row are one event to inotify, and nobody could tell which cookie it is.
		const name = String(++this.#serial);
		return new Promise<boolean>((resolve) => {
			const end = (inTime: boolean) => {
				clearTimeout(timer);
				this.#waiting.delete(name);
				resolve(inTime);
			};
			// The loop may have been busy for longer than the cookie's time: it reads its events once more before we judge.
			const timer = setTimeout(() => setImmediate(() => setImmediate(end, false)), cookieMs);
			this.#waiting.set(name, () => end(true));
			try {
				renameSync(before, join(this.#directory!, name));
			} catch {
				// Somebody has tidied the temporary directory up; the next call makes another one.
				this.#drop();
				end(false);
			}
		});
	}

	/**
	 * Counts an event. The kernel drops what does not fit into its queue and Node does not pass that on, so a burst of
	 * half of the queue's length is taken for an overflow, and every further half for another one.
	 */
	count(): void {
		// Everything that had queued up is delivered in one turn of the loop, and the next immediate ends that turn.
		if (this.#burst++ === 0)
			setImmediate(() => {
				this.#burst = 0;
			}).unref();
		if (this.#burst % this.#limit === 0) for (const listener of [...this.#overflown]) listener();
	}

	/** Calls `listener` whenever events may have been lost, until the returned function is called. */
	onOverflow(listener: () => void): () => void {
		this.#overflown.add(listener);
		return () => this.#overflown.delete(listener);
	}

	close(): void {
		this.#unusable = true;
		for (const arrived of [...this.#waiting.values()]) arrived();
		this.#drop();
	}

	#open(): boolean {
		if (this.#unusable || this.#watcher) return !this.#unusable;
		try {
			this.#directory = mkdtempSync(join(this.#parent, "pi-lsp-watch-"));
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
