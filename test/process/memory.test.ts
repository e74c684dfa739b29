import { expect, test } from "vitest";
import { heapMegabytes } from "../../src/process/memory.ts";

const gigabyte = 1024 ** 3;

test.each([
	[2 * gigabyte, 1024],
	[8 * gigabyte, 2048],
	[64 * gigabyte, 4096],
])("a machine of %d bytes gives a heap of %d MB", (memory, heap) => expect(heapMegabytes(memory)).toBe(heap));
