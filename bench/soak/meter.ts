import { holdingsOf } from "../../test/faults/oracle.ts";

/** A daemon's memory and descriptors at one moment. */
export interface Sample {
	/** Since the meter's start. */
	readonly seconds: number;
	/** Requests answered by then. */
	readonly done: number;
	readonly megabytes: number;
	readonly descriptors: number;
}

/** Samples a process once a second. */
export class Meter {
	readonly samples: Sample[] = [];
	readonly #pid: number;
	readonly #done: () => number;
	readonly #began = performance.now();
	readonly #timer: NodeJS.Timeout;

	constructor(pid: number, done: () => number) {
		this.#pid = pid;
		this.#done = done;
		this.look();
		this.#timer = setInterval(() => this.look(), 1000);
	}

	look(): void {
		const seconds = (performance.now() - this.#began) / 1000;
		this.samples.push({ seconds, done: this.#done(), ...holdingsOf(this.#pid) });
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	/** The samples of the last half of the requests. */
	lastHalf(): Sample[] {
		const half = (this.samples.at(-1)?.done ?? 0) / 2;
		return this.samples.filter(({ done }) => done >= half);
	}
}

/** The growth of memory in 10,000 requests, in megabytes: the slope of the line of least squares. */
export function growthOf(samples: readonly Sample[]): number {
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(samples.map(({ done }) => done)), mean(samples.map(({ megabytes }) => megabytes))];
	const both = samples.map(({ done, megabytes }) => (done - x) * (megabytes - y));
	const square = samples.map(({ done }) => (done - x) ** 2);
	return (10_000 * mean(both)) / mean(square);
}
