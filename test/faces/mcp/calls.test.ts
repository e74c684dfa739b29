import process from "node:process";
import type { CallToolResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { daemonOf } from "../../daemon/daemon.ts";
import type { Rule } from "../../fakes/script.ts";
import { met, notYet, until } from "../../support/until.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";

const files = { "a.fake": "one\n" };
const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };

test("a call that the client cancels is cancelled in the server, and the next one is answered", () =>
	withWorkspace(files, async (ws) => {
		const fake = namedFake(ws, { on: [{ method: "textDocument/hover", nth: 1, do: [{ never: true }] }] });
		await withMcp(ws, { args: [fake.pair] }, async ({ client, text }) => {
			const controller = new AbortController();
			const asked = client.callTool(hover, undefined, { signal: controller.signal });
			const ended = expect(asked).rejects.toThrow();
			await fake.received("textDocument/hover");
			controller.abort();
			await ended;
			await fake.received("$/cancelRequest");
			expect(await text(hover.name, hover.arguments)).toContain("one");
		});
	}));

const indexing = { token: "t", value: { kind: "begin", title: "Indexing", percentage: 42 } };
const further = { token: "t", value: { kind: "report", percentage: 60 } };
const waits: readonly [string, Rule, RegExp, number?][] = [
	["the server starts", { method: "initialize", do: [{ never: true }] }, /^node is starting$/],
	[
		"the server reports its percentage",
		{
			method: "textDocument/hover",
			do: [
				{ notify: "$/progress", params: indexing },
				{ delay: 3000 },
				{ notify: "$/progress", params: further },
				{ never: true },
			],
		},
		/^node: Indexing 60%$/,
		100,
	],
	["the reason is unknown", { method: "textDocument/hover", do: [{ never: true }] }, /^waiting for the answer$/],
];

test("start_lsp waits as long as requested until a server has read the project, and reports whether it has", () =>
	withWorkspace(files, async (ws) => {
		const begun = [{ notify: "$/progress", params: indexing }, { reply: { contents: "one" } }];
		const end = { notify: "$/progress", params: { token: "t", value: { kind: "end" } } };
		for (const [name, reading, expected] of [
			["reads", [...begun, { delay: 1500 }, end], / in \.: ready after \d+ ms$/],
			["never-ends", begun, / in \.: started after \d+ ms, still reading the project$/],
		] as const) {
			const fake = namedFake(ws, { on: [{ method: "textDocument/hover", do: reading }] }, name);
			await withMcp(ws, { args: [fake.pair, "--profile", "agent-lsp"] }, async ({ text }) => {
				await text(hover.name, hover.arguments);
				expect(await text("start_lsp", { root_dir: ws.root })).toMatch(/ready after/);
				const began = performance.now();
				expect(await text("start_lsp", { root_dir: ws.root, ready_timeout_seconds: 3 })).toMatch(expected);
				expect(performance.now() - began).toBeGreaterThan(300);
			});
		}
	}));

test.each(waits)(
	"a client that requests progress gets a notification every second about the wait: %s",
	(_, rule, wanted, total) =>
		withWorkspace(files, async (ws) => {
			const fake = namedFake(ws, { on: [rule] });
			await withMcp(ws, { args: [fake.pair] }, async ({ client }) => {
				const heard: Progress[] = [];
				const controller = new AbortController();
				const onprogress = (progress: Progress) => void heard.push(progress);
				const asked = client.callTool(hover, undefined, { signal: controller.signal, onprogress });
				const ended = expect(asked).rejects.toThrow();
				await until("it is reported twice", () => {
					const fitting = heard.filter(({ message }) => wanted.test(message ?? ""));
					return fitting.length > 1 ? met(true) : notYet(JSON.stringify(heard));
				});
				controller.abort();
				await ended;
				const sent = heard.map(({ progress }) => progress);
				expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b));
				for (const { progress, total: reportedTotal, message = "" } of heard) {
					const [, percents] = / (\d+)%$/.exec(message) ?? [];
					expect(reportedTotal, message).toBe(percents === undefined ? undefined : total);
					if (percents !== undefined) expect(Math.floor(progress)).toBe(Number(percents));
					else expect(Number.isInteger(progress), `seconds, not ${progress}`).toBe(true);
				}
				expect(heard.some((each) => each.total === total)).toBe(true);
			});
		}),
);

test("a daemon that was stopped, or killed in the middle of a call, is started again", () =>
	withWorkspace(files, async (ws) => {
		const fake = namedFake(ws, { on: [{ method: "textDocument/hover", generation: 2, do: [{ never: true }] }] });
		await withMcp(ws, { args: [fake.pair] }, async ({ client, text }) => {
			expect(await text(hover.name, hover.arguments)).toContain("one");
			await ws.cli(["stop"]);
			const asked = client.callTool(hover);
			await fake.received("textDocument/hover", 2);
			const second = daemonOf(ws).pid;
			process.kill(second, "SIGKILL");
			expect(textOf((await asked) as CallToolResult)).toContain("one");
			expect(daemonOf(ws).pid).not.toBe(second);
		});
	}));
