import { TimeSlices } from "../util/time-slices.ts";

export class WorkQueue {
	#last: Promise<void> = Promise.resolve();
	#length = 0;
	#slices = new TimeSlices();
	isClosed = false;

	add(work: () => void | Promise<void>): Promise<void> {
		if (this.#length++ === 0) this.#slices = new TimeSlices();
		const done = this.#last
			.then(() => this.pause())
			.then(() => (this.isClosed ? undefined : work()))
			.finally(() => this.#length--);
		this.#last = done.catch(() => {});
		return done;
	}

	done(): Promise<void> {
		return this.#last;
	}

	async pause(): Promise<void> {
		if (this.#slices.isOver) await this.#slices.next();
	}

	close(): void {
		this.isClosed = true;
	}
}
