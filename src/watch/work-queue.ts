import { TimeSlices } from "../util/time-slices.ts";

/** Runs pieces of work one after another, in time slices. */
export class WorkQueue {
	#last: Promise<void> = Promise.resolve();
	#length = 0;
	#slices = new TimeSlices();
	#closed = false;

	/** Skips the work if the queue is closed. */
	add(work: () => void | Promise<void>): Promise<void> {
		if (this.#length++ === 0) this.#slices = new TimeSlices();
		const done = this.#last
			.then(() => this.pause())
			.then(() => (this.#closed ? undefined : work()))
			.finally(() => this.#length--);
		this.#last = done.catch(() => {});
		return done;
	}

	done(): Promise<void> {
		return this.#last;
	}

	/** Long work awaits this now and then. */
	async pause(): Promise<void> {
		if (this.#slices.isOver) await this.#slices.next();
	}

	get isClosed(): boolean {
		return this.#closed;
	}

	close(): void {
		this.#closed = true;
	}
}
