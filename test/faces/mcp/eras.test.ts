import type { Progress } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { met, notYet, until } from "../../support/until.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { answerTo, start } from "./bare.ts";
import { namedFake } from "./fake.ts";
import { modern, withModern } from "./modern.ts";

/** The protocol's revision of 2026-07-28, which has no handshake, and the older ones. */

const files = { "a.fake": "one\n" };
const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };
const clientInfo = { name: "test", version: "1" };
const meta = {
	"io.modelcontextprotocol/protocolVersion": modern,
	"io.modelcontextprotocol/clientInfo": clientInfo,
	"io.modelcontextprotocol/clientCapabilities": {},
};
const serverInfo = { "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "pi-lsp" }) };
const discover = { id: 1, method: "server/discover", params: { _meta: meta } };
const initialize = (protocolVersion: string) => ({
	id: 2,
	method: "initialize",
	params: { protocolVersion, capabilities: {}, clientInfo },
});

test("a client of the newest revision lists, calls, gets progress, and cancels", () =>
	withWorkspace(files, async (ws) => {
		const fake = namedFake(ws, { on: [{ method: "textDocument/hover", nth: 1, do: [{ never: true }] }] });
		await withModern(ws, [fake.pair], async (client) => {
			expect(client.getNegotiatedProtocolVersion()).toBe(modern);
			expect(client.getServerVersion()).toMatchObject({ name: "pi-lsp" });
			expect(client.getInstructions()).toMatch(/lsp_check/);
			const names = (await client.listTools()).tools.map(({ name }) => name);
			expect(names).toContain("lsp_hover");
			const heard: Progress[] = [];
			const controller = new AbortController();
			const onprogress = (progress: Progress) => void heard.push(progress);
			const asked = client.callTool(hover, { signal: controller.signal, onprogress });
			const ended = expect(asked).rejects.toThrow();
			await fake.received("textDocument/hover");
			await until("it gets progress", () => (heard.length > 0 ? met(true) : notYet("nothing")));
			controller.abort();
			await ended;
			await fake.received("$/cancelRequest");
			const { content, isError } = await client.callTool(hover);
			expect([content, isError]).toEqual([[{ type: "text", text: expect.stringContaining("one") }], undefined]);
		});
	}));

test("each answer of the newest revision names the server, and how long a list is valid; the same list comes twice", () =>
	withWorkspace(files, async (ws) => {
		const bare = start(ws, []);
		bare.send(discover);
		expect(await answerTo(bare, 1)).toMatchObject({
			resultType: "complete",
			supportedVersions: [modern],
			capabilities: { tools: {} },
			instructions: expect.stringContaining("lsp_check"),
			ttlMs: expect.any(Number),
			cacheScope: "private",
			_meta: serverInfo,
		});
		for (const id of [2, 3]) bare.send({ id, method: "tools/list", params: { _meta: meta } });
		const [first, second] = [await answerTo(bare, 2), await answerTo(bare, 3)];
		expect(first).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "private", _meta: serverInfo });
		expect(JSON.stringify(second)).toBe(JSON.stringify(first));
		bare.send({ id: 4, method: "tools/call", params: { ...hover, arguments: { file: "gone.ts" }, _meta: meta } });
		expect(await answerTo(bare, 4)).toMatchObject({
			resultType: "complete",
			isError: true,
			_meta: { ...serverInfo, "pi-lsp/error": { code: expect.stringMatching(/^LSP_/) } },
		});
		bare.send({ id: 5, method: "tools/list", params: {} });
		expect(await answerTo(bare, 5)).toMatchObject({ code: -32602 });
		bare.send({ id: 6, method: "tools/nothing", params: { _meta: meta } });
		expect(await answerTo(bare, 6)).toMatchObject({ code: -32601 });
		bare.child.stdin?.end();
		expect(await bare.exit).toBe(0);
	}));

test("an unknown revision is refused with a list of the known ones, and the connection is kept", () =>
	withWorkspace(files, async (ws) => {
		const bare = start(ws, []);
		const unknown = { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
		bare.send({ ...discover, params: { _meta: unknown } });
		expect(await answerTo(bare, 1)).toMatchObject({ code: -32022, data: { supported: [modern] } });
		bare.send({ ...discover, id: 2 });
		expect(await answerTo(bare, 2)).toMatchObject({ supportedVersions: [modern] });
		bare.send({ id: 3, method: "tools/list", params: { _meta: meta } });
		expect(await answerTo(bare, 3)).toHaveProperty("tools");
		bare.send({ id: 4, method: "tools/list", params: { _meta: unknown } });
		expect(await answerTo(bare, 4)).toMatchObject({ code: -32022, data: { supported: [modern] } });
		bare.child.stdin?.end();
		expect(await bare.exit).toBe(0);
	}));

// One of the largest clients behaves so.
test.each(["2025-11-25", "2025-06-18", "2024-11-05"])(
	"a client that gets an answer to server/discover and still sends initialize is served in %s",
	(version) =>
		withWorkspace(files, async (ws) => {
			const fake = namedFake(ws, { on: [] });
			const bare = start(ws, [fake.pair]);
			bare.send(discover);
			expect(await answerTo(bare, 1)).toMatchObject({ supportedVersions: [modern] });
			bare.send(initialize(version));
			const initialized = await answerTo(bare, 2);
			expect(initialized).toMatchObject({ protocolVersion: version, serverInfo: { name: "pi-lsp" } });
			expect(initialized).not.toHaveProperty("resultType");
			bare.send({ method: "notifications/initialized" });
			bare.send({ id: 3, method: "tools/list" });
			const list = await answerTo(bare, 3);
			expect(Object.keys(list)).toEqual(["tools"]);
			bare.send({ id: 4, method: "tools/call", params: hover });
			expect(await answerTo(bare, 4)).toEqual({ content: [{ type: "text", text: expect.stringContaining("one") }] });
			bare.child.stdin?.end();
			expect(await bare.exit).toBe(0);
		}),
);
