import { TimeSlices } from "../util/time-slices.ts";

export class WorkQueue {
	/** Resolves when all that was added is done. */
	done: Promise<void> = Promise.resolve();
	#length = 0;
	#slices = new TimeSlices();
	isClosed = false;

	add(work: () => void | Promise<void>): Promise<void> {
		if (this.#length++ === 0) this.#slices = new TimeSlices();
		const done = this.done
			.then(() => this.pause())
			.then(() => (this.isClosed ? undefined : work()))
			.finally(() => this.#length--);
		this.done = done.catch(() => {});
		return done;
	}

	async pause(): Promise<void> {
		if (this.#slices.isOver) await this.#slices.next();
	}

	close(): void {
		this.isClosed = true;
	}
}
