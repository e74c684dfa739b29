import { expect, test } from "vitest";
import { ByteRing } from "../../src/util/byte-ring.ts";

test("a byte ring keeps the last bytes, however they arrive", () => {
	const text = Array.from({ length: 5000 }, (_, index) => `${index} `).join("");
	for (const size of [1, 7, 99, 100, 101, 4096, text.length]) {
		const ring = new ByteRing(100);
		for (let at = 0; at < text.length; at += size) {
			ring.add(Buffer.from(text.slice(at, at + size)));
			expect(ring.toString()).toBe(text.slice(0, at + size).slice(-100));
		}
	}
});

test("a byte ring keeps less than its limit unchanged", () => {
	const ring = new ByteRing(64 * 1024);
	expect(ring.toString()).toBe("");
	ring.add(Buffer.from("one "));
	ring.add(Buffer.from("two"));
	expect(ring.toString()).toBe("one two");
});
