import { describe, expect, test } from "vitest";
import { LruMap } from "../../src/util/lru-map.ts";

describe("an LRU map", () => {
	test("drops at its limit the entry that was not read or written for the longest time", () => {
		const map = new LruMap<number>(2);
		map.set("a", 1).set("b", 2);
		expect(map.get("a")).toBe(1);
		map.set("c", 3);
		expect([...map]).toEqual([
			["a", 1],
			["c", 3],
		]);
	});

	test("keeps a written entry once, as the last one", () => {
		const map = new LruMap<number>(2);
		map.set("a", 1).set("b", 2).set("a", 3);
		expect([...map.values()]).toEqual([2, 3]);
	});

	test("finds nothing by a key that was dropped or deleted", () => {
		const map = new LruMap<number>(1);
		map.set("a", 1).set("b", 2);
		expect(map.get("a")).toBeUndefined();
		map.delete("b");
		expect(map.size).toBe(0);
	});
});
