import { expect, test } from "vitest";
import { plainLinks } from "../../../src/render/answers/links.ts";

const shown = (uri: string) => uri.replace("file:///p/", "");

test.each([
	["passed to [catchAll](file:///p/src/a.ts#L37%2C1).", "passed to catchAll (src/a.ts:37:1)."],
	["[`Sum`](file:///p/src/a.go#12,3)", "`Sum` (src/a.go:12:3)"],
	["[a](file:///p/src/a.ts#L3) and [b](file:///p/src/b.ts)", "a (src/a.ts:3) and b (src/b.ts)"],
	["[a](file:///p/src/a.ts#part)", "a (src/a.ts)"],
	["[the manual](https://example.org/a#L3) and `x[0](1)`", "[the manual](https://example.org/a#L3) and `x[0](1)`"],
])("%s", (markdown, expected) => {
	expect(plainLinks(markdown, shown)).toBe(expected);
});
