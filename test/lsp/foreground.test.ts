import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Foreground } from "../../src/lsp/foreground.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Foreground.whenQuiet resolves at once if no work runs", async () => {
	await new Foreground().whenQuiet(5000);
	expect(vi.getTimerCount()).toBe(0);
});

test("Foreground.whenQuiet waits until no work has begun for a while after the last one", async () => {
	const foreground = new Foreground();
	const first = withResolvers();
	const second = withResolvers();
	const ended = foreground.run(() => first.promise);
	const quiet = vi.fn();
	void foreground.whenQuiet(5000).then(quiet);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(quiet).not.toHaveBeenCalled();
	first.resolve();
	await ended;
	await vi.advanceTimersByTimeAsync(4000);
	const next = foreground.run(() => second.promise);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(quiet).not.toHaveBeenCalled();
	second.resolve();
	await next;
	await vi.advanceTimersByTimeAsync(4999);
	expect(quiet).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(quiet).toHaveBeenCalled();
});

function withResolvers() {
	let resolve = () => {};
	const promise = new Promise<void>((done) => {
		resolve = done;
	});
	return { promise, resolve: () => resolve() };
}
