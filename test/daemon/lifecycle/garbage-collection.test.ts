import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GarbageCollection } from "../../../src/daemon/lifecycle/garbage-collection.ts";
import { collectGarbage } from "../../../src/util/collect-garbage.ts";

vi.mock("../../../src/util/collect-garbage.ts", () => ({ collectGarbage: vi.fn() }));

const mega = 1024 * 1024;
const collected = vi.mocked(collectGarbage);
let held = 50 * mega;

beforeEach(() => {
	vi.useFakeTimers();
	vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => held);
	held = 50 * mega;
	collected.mockReset();
});

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** A collector that has seen a burst of so many megabytes. */
function calmAfter(megabytes: number, release = () => false): GarbageCollection {
	const calm = new GarbageCollection(release);
	calm.ends();
	held += megabytes * mega;
	calm.begins();
	return calm;
}

test("GarbageCollection: garbage is collected after an idle time, several times", () => {
	calmAfter(100);
	vi.advanceTimersByTime(2900);
	expect(collected).not.toHaveBeenCalled();
	vi.advanceTimersByTime(200);
	expect(collected).toHaveBeenCalledTimes(1);
	vi.advanceTimersByTime(60_000);
	expect(collected).toHaveBeenCalledTimes(5);
});

test("GarbageCollection: little memory, or memory that stayed after all collections, is not collected", () => {
	const calm = calmAfter(10);
	vi.advanceTimersByTime(60_000);
	expect(collected).not.toHaveBeenCalled();
	held += 100 * mega;
	calm.begins();
	vi.advanceTimersByTime(60_000);
	collected.mockClear();
	calm.begins();
	vi.advanceTimersByTime(60_000);
	expect(collected).not.toHaveBeenCalled();
});

test("GarbageCollection: work stops the collections, and the end of the work restarts the idle time", () => {
	const calm = calmAfter(100);
	vi.advanceTimersByTime(2000);
	calm.ends();
	vi.advanceTimersByTime(60_000);
	expect(collected).not.toHaveBeenCalled();
	calm.begins();
	vi.advanceTimersByTime(2000);
	calm.ends();
	calm.begins();
	vi.advanceTimersByTime(2000);
	expect(collected).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1100);
	expect(collected).toHaveBeenCalledTimes(1);
	// The query comes between two collections: the next one waits as long as the first.
	calm.ends();
	calm.begins();
	vi.advanceTimersByTime(2000);
	expect(collected).toHaveBeenCalledTimes(1);
});

test("GarbageCollection: loadable data is released after a longer idle time, and collected", () => {
	const release = vi.fn(() => true);
	const calm = calmAfter(1, release);
	vi.advanceTimersByTime(15_000);
	calm.ends();
	calm.begins();
	vi.advanceTimersByTime(15_000);
	expect(release).not.toHaveBeenCalled();
	expect(collected).not.toHaveBeenCalled();
	vi.advanceTimersByTime(60_000);
	expect(release).toHaveBeenCalledTimes(1);
	expect(collected).toHaveBeenCalledTimes(5);
});
