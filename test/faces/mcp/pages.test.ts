import { describe, expect, test } from "vitest";
import { pageOf } from "../../../src/faces/mcp/server.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { answerTo, start } from "./bare.ts";

test("the pages of a long list hold each of its items once, in order, and are the same each time", () => {
	for (const count of [0, 1, 99, 100, 101, 200, 250]) {
		const all = Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));
		const walk = () => {
			const pages = [pageOf(all, undefined)];
			for (let next = pages[0]?.nextCursor; next !== undefined; next = pages.at(-1)?.nextCursor)
				pages.push(pageOf(all, next));
			return pages;
		};
		const pages = walk();
		expect(pages.flatMap(({ page }) => page)).toEqual(all);
		expect(pages.map(({ page }) => page.length).filter((length) => length > 100)).toEqual([]);
		expect(pages).toHaveLength(Math.max(Math.ceil(count / 100), 1));
		expect(walk()).toEqual(pages);
	}
});

describe("the lists of every profile", () => {
	const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];

	test.each(["core", "all", "agent-lsp"])("fit on one page, and refuse an unknown cursor: %s", (profile) =>
		withWorkspace({}, async (ws) => {
			const bare = start(ws, ["--profile", profile]);
			const clientInfo = { name: "test", version: "1" };
			bare.send({
				id: 0,
				method: "initialize",
				params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
			});
			await answerTo(bare, 0);
			bare.send({ method: "notifications/initialized" });
			for (const [index, method] of lists.entries()) {
				bare.send({ id: 2 * index + 1, method });
				expect(await answerTo(bare, 2 * index + 1), method).not.toHaveProperty("nextCursor");
				bare.send({ id: 2 * index + 2, method, params: { cursor: "nothing" } });
				expect(await answerTo(bare, 2 * index + 2), method).toEqual({
					code: -32602,
					message: "There is no such page.",
				});
			}
			bare.child.stdin?.end();
			expect(await bare.exit).toBe(0);
		}),
	);
});
