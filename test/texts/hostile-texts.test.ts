import { expect, test } from "vitest";
import { visibleChange } from "../../src/impact/visible-change.ts";
import { textFunctions } from "./exported.ts";
import { maxMs, stretchMs } from "./measure.ts";
import { hostileTexts } from "./shapes.ts";
import { calls } from "./table.ts";
import { isNoText, withoutText } from "./without-text.ts";

const functionOf = (name: string) => name.replace(/,.*/s, "");

test("every function that gets a foreign text is tested with one in test/live, or has a reason not to be", () => {
	const all = textFunctions();
	const functions = all.filter(({ parameters }) => !parameters.every(isNoText));
	const covered = new Set([...Object.keys(calls).map(functionOf), ...Object.values(withoutText).flat()]);
	const uncovered = functions.filter(({ name }) => !covered.has(name));
	expect(uncovered.map(({ name, parameters }) => `${name}(${parameters.join(", ")})`)).toEqual([]);
	const there = new Set(all.map(({ name }) => name));
	expect([...covered].filter((name) => !there.has(name))).toEqual([]);
}, 300_000);

test("A token without an end does not keep the parser reading: line continuations in Python", async () => {
	const text = hostileTexts.get(JSON.stringify("\\\n")) ?? "";
	expect(await stretchMs(() => visibleChange("/a.py", "", text))).toBeLessThan(maxMs);
});
