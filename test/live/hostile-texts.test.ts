import { expect, test } from "vitest";
import { maxMs, stretchMs } from "../texts/measure.ts";
import { hostileTexts } from "../texts/shapes.ts";
import { calls } from "../texts/table.ts";

test.each(Object.entries(calls))(
	"%s takes any text of a megabyte without blocking the event loop",
	async (_, call) => {
		const slow: Record<string, number> = {};
		for (const [piece, text] of hostileTexts) {
			const ms = await stretchMs(() => call(text));
			if (ms > maxMs) slow[piece] = Math.round(ms);
		}
		expect(slow).toEqual({});
	},
	300_000,
);
