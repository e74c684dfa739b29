import { defaultIdleMinutes } from "../config/read-settings.ts";
import { treeUsage } from "../process/usage.ts";
import { statOf } from "../util/files.ts";
import type { WriteEvent } from "../util/log.ts";
import type { PoolLimits } from "./limits.ts";
import type { ServerEntry } from "./server-entry.ts";

const rootsMs = 5000;

export interface EvictionOptions {
	readonly entries: () => readonly ServerEntry[];
	readonly endServer: (entry: ServerEntry) => Promise<void>;
	readonly limits: PoolLimits;
	readonly log: WriteEvent;
}

export class Eviction {
	readonly #options: EvictionOptions;
	#timers: NodeJS.Timeout[] = [];

	constructor(options: EvictionOptions) {
		this.#options = options;
	}

	watch(): void {
		if (this.#timers.length > 0) return;
		const { weighMs, weighOftenMs } = this.#options.limits;
		this.#timers = [
			setInterval(() => this.#checkMemory(), weighMs).unref(),
			setInterval(() => this.#killLargest(), weighOftenMs).unref(),
			setInterval(() => void this.#checkRoots(), rootsMs).unref(),
		];
	}

	unwatch(): void {
		for (const timer of this.#timers) clearInterval(timer);
		this.#timers = [];
	}

	restartIdleTimer(entry: ServerEntry): void {
		if (entry.uses > 0) return;
		clearTimeout(entry.idleTimer);
		const minutes = entry.route.config.idleMinutes ?? defaultIdleMinutes;
		entry.idleTimer = setTimeout(() => {
			if (entry.uses === 0) void this.#options.endServer(entry);
		}, minutes * 60_000).unref();
	}

	#checkMemory(): void {
		const { limits, endServer, log } = this.#options;
		const sizes = this.#sizes();
		let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
		sizes.sort((a, b) => a.entry.lastUsed - b.entry.lastUsed);
		for (const { entry, bytes } of sizes) {
			const isTooMuch = bytes > limits.serverBytes || (total > limits.totalBytes && entry.uses === 0);
			if (!isTooMuch) continue;
			total -= bytes;
			entry.isOverMemoryLimit = true;
			log("holds too much", { ...entry.logFacts, bytes });
			if (entry.uses === 0) void endServer(entry);
		}
	}

	/** A few lines of text can make a server take all memory before its request times out. */
	#killLargest(): void {
		const { limits, log } = this.#options;
		const sizes = this.#sizes();
		const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
		if (total <= limits.killBytes) return;
		const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
		log("killed for its memory", { ...largest?.entry.logFacts, bytes: largest?.bytes });
		largest?.entry.ready?.kill("it took too much memory");
	}

	#sizes(): { readonly entry: ServerEntry; readonly bytes: number }[] {
		const ready = this.#options.entries().filter((entry) => entry.ready);
		return ready.map((entry) => ({ entry, bytes: treeUsage(entry.ready?.pid ?? -1)?.memoryBytes ?? 0 }));
	}

	async #checkRoots(): Promise<void> {
		const { entries, endServer, log } = this.#options;
		for (const entry of entries())
			if (entry.ready && entry.uses === 0 && !(await statOf(entry.route.root))) {
				log("root is gone", entry.logFacts);
				await endServer(entry);
			}
	}
}
