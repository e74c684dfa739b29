import { expect, test } from "vitest";
import { processesOf } from "../../support/processes.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { answerTo, printed, start } from "./bare.ts";
import { namedFake } from "./fake.ts";

const files = { "a.fake": "one\n" };
const initialize = {
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const hover = {
	id: 2,
	method: "tools/call",
	params: {
		name: "lsp_hover",
		arguments: { file: "a.fake", line: 1, column: 1 },
		_meta: { progressToken: "p" },
	},
};

function mcpProcesses(ws: Workspace): number[] {
	return processesOf(ws.runId).flatMap(({ pid, argv }) => (argv.includes("mcp") ? [pid] : []));
}

test.each([
	["", [] as string[]],
	[" without a daemon", ["--no-daemon"]],
])("the server exits with its input%s, also during a call, and has printed nothing but messages", (_, args) =>
	withWorkspace(files, async (ws) => {
		const fake = namedFake(ws, { on: [{ method: "textDocument/hover", do: [{ never: true }] }] });
		const bare = start(ws, [...args, fake.pair]);
		bare.send(initialize);
		bare.send({ method: "notifications/initialized" });
		// The line is not JSON and no message: it is answered, and the next one is read.
		bare.child.stdin?.write("hello?\n\n");
		bare.send(hover);
		await fake.received("textDocument/hover");
		await printed(bare, /notifications\/progress/);
		expect(mcpProcesses(ws)).toEqual([bare.child.pid]);
		bare.child.stdin?.end();
		await fake.received("$/cancelRequest");
		expect(await bare.exit).toBe(0);
		expect(mcpProcesses(ws)).toEqual([]);
		for (const line of bare.stdout().trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
	}),
);

test.each([
	["that was begun before", true],
	["that is just beginning", false],
])("the server exits with its input, in a skill %s", (_, isBegun) =>
	withWorkspace({}, async (ws) => {
		const bare = start(ws, []);
		bare.send(initialize);
		bare.send({ method: "notifications/initialized" });
		const skill = { operation: "activate_skill", input: { name: "lsp-rename" } };
		bare.send({ id: 2, method: "tools/call", params: { name: "lsp", arguments: skill } });
		if (isBegun) await answerTo(bare, 2);
		bare.child.stdin?.end();
		expect(await bare.exit).toBe(0);
	}),
);

test("the server exits when its reader has exited", () =>
	withWorkspace({}, async (ws) => {
		const bare = start(ws, []);
		bare.send(initialize);
		await printed(bare, /serverInfo/);
		bare.child.stdout?.destroy();
		bare.send({ id: 3, method: "tools/list" });
		expect(await bare.exit).toBe(0);
	}));

test("a signal ends the server", () =>
	withWorkspace({}, async (ws) => {
		const bare = start(ws, []);
		bare.send(initialize);
		await printed(bare, /serverInfo/);
		bare.child.kill("SIGTERM");
		expect(await bare.exit).toBe(0);
	}));

test("a line that is no message is answered with the protocol's error, and the next message is read", () =>
	withWorkspace(files, async (ws) => {
		const bare = start(ws, []);
		bare.send(initialize);
		bare.send({ method: "notifications/initialized" });
		const ping = { id: 9, method: "ping" };
		for (const odd of [
			"{",
			"[]",
			`[${JSON.stringify({ jsonrpc: "2.0", ...ping })}]`,
			"5",
			"null",
			'{"jsonrpc":"2.0","id":{},"method":"ping"}',
			'{"id":"x","method":"ping"}',
		])
			bare.child.stdin?.write(`${odd}\n`);
		bare.child.stdin?.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
		bare.send({
			id: 8,
			method: "tools/call",
			params: { name: "lsp_hover", arguments: { file: "x".repeat(12 << 20) } },
		});
		bare.send({ id: "long", method: "tools/call", params: { name: "x".repeat(17 << 20) } });
		bare.send(ping);
		await printed(bare, /"id":9/);
		const answers = bare
			.stdout()
			.trimEnd()
			.split("\n")
			.map((each) => JSON.parse(each));
		const errors = answers.filter(({ error }) => error);
		expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
			[null, -32700],
			[null, -32600],
			[null, -32600],
			[null, -32600],
			[null, -32600],
			[null, -32600],
			["x", -32600],
			[null, -32700],
			["long", -32600],
		]);
		expect(answers.find(({ id }) => id === 9)).toMatchObject({ result: {} });
		// A call of 12 MB is answered like any other.
		await printed(bare, /"id":8/);
		bare.child.stdin?.end();
		expect(await bare.exit).toBe(0);
	}));
