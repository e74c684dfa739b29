import { TimeSlices } from "../util/time-slices.ts";

/** Runs pieces of work one after another, in time slices. */
export class WorkQueue {
	#last: Promise<void> = Promise.resolve();
	#length = 0;
	#slices = new TimeSlices();
	#closed = false;

	/** Adds a piece of work; resolves when it is over, or left out because the queue is closed. */
	add(work: () => void | Promise<void>): Promise<void> {
		if (this.#length++ === 0) this.#slices = new TimeSlices();
		this.#last = this.#last.then(async () => {
			await this.pause();
			if (!this.#closed) await work();
			this.#length--;
		});
		return this.#last;
	}

	/** Resolves when all that has been added is done. */
	done(): Promise<void> {
		return this.#last;
	}

	/** Lets the event loop have its turn, if it is time; work that goes on for long awaits this now and then. */
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
