import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { goesThroughLink } from "../../src/launch/links.ts";
import { withTree } from "../config/tree.ts";

test("A path goes through a link if one of its parts is one, and not if the root itself is one", () =>
	withTree(["ws/build/", "far/"], async (tree) => {
		expect(goesThroughLink(tree.path("ws"), "build/query/a.json")).toBe(false);
		symlinkSync(tree.path("far"), tree.path("ws/build/query"));
		expect(goesThroughLink(tree.path("ws"), "build/query/a.json")).toBe(true);
		expect(goesThroughLink(tree.path("ws"), "build")).toBe(false);
		symlinkSync(tree.path("ws/build"), tree.path("root"));
		expect(goesThroughLink(tree.path("root"), "a.json")).toBe(false);
	}));
