import { describe, expect, test } from "vitest";
import { calls } from "../../../src/operations/calls.ts";
import { types } from "../../../src/operations/types.ts";

const given = { file: "a.ts", symbol: "a" };
const steps = (omitted: number) => ({ steps: [], omitted });

describe("the next call after a hierarchy", () => {
	test.each([
		["calls", calls, { incoming: steps(3), outgoing: steps(4) }, {}, 107],
		["calls", calls, { outgoing: steps(4) }, { limit: 5 }, 9],
		["types", types, { super: steps(0), sub: steps(1) }, {}, 101],
	] as const)(
		"%s has a limit that includes the omitted steps of both directions",
		(operation, { next }, fields, more, limit) => {
			const answer = { symbols: [], ...fields };
			expect(next?.(answer as never, { ...given, ...more } as never)).toEqual({
				operation,
				input: { ...given, limit },
				why: "All of them",
			});
		},
	);

	test("a hierarchy without omitted steps has no next call", () => {
		expect(calls.next?.({ symbols: [], incoming: steps(0) } as never, given as never)).toBeUndefined();
		expect(types.next?.({ symbols: [], super: steps(0), sub: steps(0) } as never, given as never)).toBeUndefined();
	});
});
