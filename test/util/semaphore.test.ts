import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { Semaphore } from "../../src/util/semaphore.ts";

/** Work that runs until a test ends it. */
function held(semaphore: Semaphore, signal: AbortSignal, order: string[], name: string) {
	let end = () => {};
	const done = semaphore.run(signal, () => {
		order.push(name);
		return new Promise<void>((resolve) => {
			end = resolve;
		});
	});
	return { done, end: () => end() };
}

test("Waiting calls are served in order, and an abort removes only the one with its signal", async () => {
	const semaphore = new Semaphore(1);
	const [mine, other] = [new AbortController(), new AbortController()];
	const order: string[] = [];
	const first = held(semaphore, mine.signal, order, "first");
	const aborted = [1, 2].map((each) => held(semaphore, other.signal, order, `aborted ${each}`));
	const second = held(semaphore, mine.signal, order, "second");
	const third = held(semaphore, mine.signal, order, "third");
	expect(getEventListeners(mine.signal, "abort")).toHaveLength(1);
	const rejected = Promise.all(aborted.map(({ done }) => expect(done).rejects.toThrow("over")));
	other.abort(new Error("over"));
	await rejected;
	await expect(semaphore.run(other.signal, async () => {})).rejects.toThrow("over");
	first.end();
	await first.done;
	second.end();
	await second.done;
	third.end();
	await third.done;
	expect(order).toEqual(["first", "second", "third"]);
	expect(getEventListeners(mine.signal, "abort")).toEqual([]);
	await expect(semaphore.run(mine.signal, async () => "free")).resolves.toBe("free");
});
