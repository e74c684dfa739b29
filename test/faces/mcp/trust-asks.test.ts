import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { met, notYet, until } from "../../support/until.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";
import { token, withHttp } from "./http-server.ts";
import { type Answer, askedClient, withModern } from "./modern.ts";

/** The question to the person, through the client, whether a repository's program may run. */

const yes: Answer = { action: "accept", content: { allow: true } };
const no: Answer = { action: "decline" };
const check = { name: "lsp_check", arguments: { files: ["a.own"] } };

type Calling = (check: () => Promise<CallToolResult>) => Promise<void>;

/** The questions that a client of that revision gets while `body` calls. */
type Asked = (ws: Workspace, answer: Answer, body: Calling) => Promise<string[]>;

const clients: readonly [string, Asked][] = [
	[
		"2025-11-25",
		async (ws, answer, body) => {
			const questions: string[] = [];
			const prepare = (client: OlderClient) =>
				client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
					questions.push(params.message);
					return answer;
				});
			const options = { capabilities: { elicitation: {} } };
			await withMcp(ws, { options, prepare }, ({ call }) => body(() => call(check.name, check.arguments)));
			return questions;
		},
	],
	[
		"2026-07-28",
		async (ws, answer, body) => {
			const { client, questions } = askedClient(answer);
			await withModern(ws, [], () => body(async () => (await client.callTool(check)) as CallToolResult), client);
			return questions;
		},
	],
	[
		"2026-07-28 over HTTP",
		async (ws, answer, body) => {
			const { client, questions } = askedClient(answer);
			await withHttp(ws, [], async ({ url }) => {
				const requestInit = { headers: { Authorization: `Bearer ${token}` } };
				await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
				const calling = body(async () => (await client.callTool(check)) as CallToolResult);
				await calling.finally(() => client.close());
			});
			return questions;
		},
	],
];

/** A repository whose configuration names its own server. */
function withOwnServer(body: (ws: Workspace, command: readonly string[]) => Promise<void>): Promise<void> {
	return withWorkspace({ "a.own": "one\n" }, async (ws) => {
		const { command } = namedFake(ws, {});
		configure(ws, command);
		await body(ws, command);
	});
}

function configure(ws: Workspace, command: readonly string[]): void {
	const [program, ...args] = command;
	const own = { id: "own", command: program, args, extensions: [".own"], languageId: "own", rootMarkers: [] };
	ws.write(".pi-lsp.json", JSON.stringify({ servers: [own], warmMs: 20_000, coldMs: 20_000 }));
}

describe.each(clients)("a client of %s", (_, asked) => {
	test("gets one question with the exact command line; a yes counts for this call, later ones and other clients", () =>
		withOwnServer(async (ws, command) => {
			const questions = await asked(ws, yes, async (call) => {
				expect(textOf(await call())).not.toContain("untrusted");
				expect(textOf(await call())).not.toContain("untrusted");
			});
			expect(questions).toEqual([expect.stringContaining(command.join(" "))]);
			expect(questions[0]).toMatch(/^May pi-lsp run what .* brings\?\n/);
			const later = await asked(ws, no, async (call) => expect(textOf(await call())).not.toContain("untrusted"));
			expect(later).toEqual([]);
			// The yes is pinned to the shown text.
			configure(ws, [...command, "--other"]);
			const stale = await asked(ws, no, async (call) => {
				await until("it is untrusted again", async () => {
					const text = textOf(await call());
					return text.includes("untrusted") ? met(0) : notYet(text);
				});
			});
			expect(stale).toEqual([expect.stringMatching(/^What this repository would run has changed\. .*--other/s)]);
		}));

	test("gets one question if the person says no, and the answer reports that the file is not proven", () =>
		withOwnServer(async (ws) => {
			const questions = await asked(ws, no, async (call) => {
				for (const result of [await call(), await call()]) {
					expect(textOf(result)).toMatch(/untrusted: .*Only a person may allow it/);
				}
			});
			expect(questions).toHaveLength(1);
		}));
});

test("a no counts for the session that it was given in, and the person of another session is asked too", () =>
	withOwnServer((ws) =>
		withHttp(ws, [], async ({ url }) => {
			const questions: string[] = [];
			const asking = async (answer: Answer) => {
				const client = new OlderClient({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
				client.setRequestHandler(ElicitRequestSchema, () => {
					questions.push(answer.action);
					return answer;
				});
				const requestInit = { headers: { Authorization: `Bearer ${token}` } };
				// The client's own types differ for optional properties.
				await client.connect(new OlderTransport(url, { requestInit }) as never);
				const results = [await client.callTool(check), await client.callTool(check)] as CallToolResult[];
				await client.close();
				return results.map(textOf);
			};
			expect(await asking(no)).toEqual([expect.stringMatching(/untrusted/), expect.stringMatching(/untrusted/)]);
			expect(await asking(yes)).toEqual([
				expect.not.stringMatching(/untrusted/),
				expect.not.stringMatching(/untrusted/),
			]);
			expect(questions).toEqual(["decline", "accept"]);
		}),
	));

test("a client that cannot ask gets the instruction to ask the person", () =>
	withOwnServer((ws) =>
		withMcp(ws, {}, async ({ call }) => {
			expect(textOf(await call(check.name, check.arguments))).toContain(
				"Only a person may allow it: ask them to run `pi-lsp trust add`.",
			);
		}),
	));
