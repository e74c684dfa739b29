import { treeUsage } from "../process/usage.ts";
import { statOf } from "../util/files.ts";
import type { WriteEvent } from "../util/log.ts";
import type { PoolLimits } from "./limits.ts";
import { named, type ServerEntry } from "./server-entry.ts";

const rootsMs = 5000;

export interface EvictionOptions {
	/** All slots there are. */
	readonly slots: () => readonly ServerEntry[];
	readonly end: (slot: ServerEntry) => Promise<void>;
	readonly limits: PoolLimits;
	readonly log: WriteEvent;
}

/** Looks now and then after servers that nobody should have to think of: those that hold too much, and those without a root. */
export class Eviction {
	readonly #options: EvictionOptions;
	#weighing: NodeJS.Timeout | undefined;
	#roots: NodeJS.Timeout | undefined;

	constructor(options: EvictionOptions) {
		this.#options = options;
	}

	/** Begins; without effect if it has begun. */
	begin(): void {
		this.#weighing ??= setInterval(() => this.#weigh(), this.#options.limits.weighMs).unref();
		this.#roots ??= setInterval(() => void this.#lookAfterRoots(), rootsMs).unref();
	}

	end(): void {
		clearInterval(this.#weighing);
		clearInterval(this.#roots);
		this.#weighing = undefined;
		this.#roots = undefined;
	}

	/** One that holds too much goes when it is asked no more. */
	#weigh(): void {
		const { slots, limits, end, log } = this.#options;
		const weights = slots()
			.filter(({ ready }) => ready)
			.map((slot) => ({ slot, bytes: treeUsage(slot.ready?.pid ?? -1)?.memoryBytes ?? 0 }));
		let total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
		weights.sort((a, b) => a.slot.lastUsed - b.slot.lastUsed);
		for (const { slot, bytes } of weights) {
			const tooMuch = bytes > limits.serverBytes || (total > limits.totalBytes && slot.uses === 0);
			if (!tooMuch) continue;
			total -= bytes;
			slot.overweight = true;
			log("holds too much", { ...named(slot), bytes });
			if (slot.uses === 0) void end(slot);
		}
	}

	/** Ends the servers of roots that were moved away or deleted: nobody will ask them again, and they hold the place. */
	async #lookAfterRoots(): Promise<void> {
		const { slots, end, log } = this.#options;
		for (const slot of slots())
			if (slot.ready && slot.uses === 0 && !(await statOf(slot.route.root))) {
				log("root is gone", named(slot));
				await end(slot);
			}
	}
}
