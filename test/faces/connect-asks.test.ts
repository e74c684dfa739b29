import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { type CallToolResult, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test, vi } from "vitest";
import { typescriptServer } from "../../bench/bare-client.ts";
import { LspError } from "../../src/contract/errors.ts";
import { withPerson } from "../../src/faces/person.ts";
import { listenAt } from "../support/listening.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { answerTo, start } from "./mcp/bare.ts";
import { textOf, withMcp } from "./mcp/client.ts";
import { type Answer, askedClient, modern, withModern } from "./mcp/modern.ts";
import { withRpcPi } from "./pi/rpc-pi.ts";

const project = { ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a: number = 1;\n" };

/** Runs `body` while a real TypeScript 7 listens at an address of this user. */
async function withListening(ws: Workspace, body: (address: string, heard: Socket[]) => Promise<void>): Promise<void> {
	const address = join(ws.base, "somebody");
	const heard: Socket[] = [];
	const start = () => spawn(typescriptServer(), ["--lsp", "--stdio"], { cwd: ws.root, env: ws.env });
	const server = await listenAt(address, heard, start);
	try {
		await body(address, heard);
	} finally {
		for (const socket of heard) socket.destroy();
		server.close();
	}
}

test("a model over MCP that wants to connect to a server gets the question for the person", () =>
	withWorkspace(project, (ws) =>
		withListening(ws, (connect, heard) =>
			withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ call }) => {
				for (const address of ["localhost:9999", connect]) {
					const given = { root_dir: ws.root, language_id: "typescript", connect: address };
					const result = await call("start_lsp", given);
					expect(result.isError).toBe(true);
					expect(textOf(result)).toMatch(/would be sent the source of .*Ask the person.*connectAllowed/s);
				}
				// No argument of a model counts as the person's answer.
				const sly = { language: "typescript", connect, permits: { connect } };
				expect((await call("lsp", { operation: "start", input: sly })).isError).toBe(true);
				expect((await call("lsp", { operation: "start", input: {}, permits: { connect } })).isError).not.toBe(true);
				expect(heard).toHaveLength(0);
			}),
		),
	));

const answers: readonly [string, Answer, boolean][] = [
	["yes", { action: "accept", content: { allow: true } }, true],
	["no", { action: "accept", content: { allow: false } }, false],
	["refusal to answer", { action: "decline" }, false],
	["silence", { action: "cancel" }, false],
];

describe.each(answers)(
	"a client over MCP that supports questions gets the question, and the person's %s counts",
	(_, answer, isYes) => {
		const given = (connect: string) => ({ operation: "start", input: { language: "typescript", connect } });
		const judge = (result: CallToolResult, questions: readonly string[], address: string, heard: readonly Socket[]) => {
			expect(questions).toEqual([expect.stringContaining(`Whoever listens on ${address} would be sent the source of`)]);
			expect(textOf(result)).toContain(isYes ? "ready after" : "The person was asked, and refused.");
			expect(heard).toHaveLength(isYes ? 1 : 0);
		};

		test("in the older revisions", () =>
			withWorkspace(project, (ws) =>
				withListening(ws, (address, heard) => {
					const questions: string[] = [];
					const prepare = (client: OlderClient) =>
						client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
							questions.push(params.message);
							return answer;
						});
					const options = { capabilities: { elicitation: {} } };
					return withMcp(ws, { options, prepare }, async ({ call }) =>
						judge(await call("lsp", given(address)), questions, address, heard),
					);
				}),
			));

		test("in revision 2026-07-28", () =>
			withWorkspace(project, (ws) =>
				withListening(ws, (address, heard) => {
					const { client, questions } = askedClient(answer);
					return withModern(
						ws,
						[],
						async () => {
							const result = await client.callTool({ name: "lsp", arguments: given(address) });
							judge(result as CallToolResult, questions, address, heard);
						},
						client,
					);
				}),
			));
	},
);

test("an answer counts for the question that it was given to, and only with the seal of the caller", () =>
	withWorkspace(project, (ws) =>
		withListening(ws, async (address, heard) => {
			const bare = start(ws, []);
			const meta = {
				"io.modelcontextprotocol/protocolVersion": modern,
				"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
				"io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
			};
			const call = (id: number, connect: string, more: object = {}) => {
				const params = { name: "lsp", arguments: { operation: "start", input: { language: "typescript", connect } } };
				bare.send({ id, method: "tools/call", params: { ...params, ...more, _meta: meta } });
				return answerTo(bare, id);
			};
			const yes = { allow: { action: "accept", content: { allow: true } } };
			const first = await call(1, "localhost:1");
			expect(first).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
			expect(first.inputRequests.allow.params.message).toContain("localhost:1");
			// The answers are a yes to another question, one without a question, and one to a question without a seal.
			const other = await call(2, address, { inputResponses: yes, requestState: first.requestState });
			expect(other).toMatchObject({ resultType: "input_required" });
			expect(await call(3, address, { inputResponses: yes })).toMatchObject({ resultType: "input_required" });
			const forged = `${other.requestState.slice(0, -4)}AAAA`;
			expect(await call(4, address, { inputResponses: yes, requestState: forged })).toMatchObject({ code: -32602 });
			expect(heard).toHaveLength(0);
			const allowed = await call(5, address, { inputResponses: yes, requestState: other.requestState });
			expect(allowed).toMatchObject({
				resultType: "complete",
				content: [{ text: expect.stringContaining("ready after") }],
			});
			expect(heard).toHaveLength(1);
			bare.child.stdin?.end();
			expect(await bare.exit).toBe(0);
		}),
	));

test("the command line without a terminal connects to no server, and gives no trust", () =>
	withWorkspace({ ...project, ".pi-lsp.json": '{ "servers": { "x": { "command": "./x", "match": ["x"] } } }' }, (ws) =>
		withListening(ws, async (connect, heard) => {
			const started = await ws.cli(["start", "--language", "typescript", "--connect", connect]);
			expect(started.stderr).toMatch(/^LSP_NEEDS_PERSON: .*a person has to allow it/);
			expect(started.code).toBe(3);
			expect(heard).toHaveLength(0);
			const trusted = await ws.cli(["trust", "add"]);
			expect(trusted.stderr).toMatch(/^LSP_NEEDS_PERSON: Only a person may allow/);
			expect((await ws.cli(["trust"])).stdout).toContain(`${ws.root}: untrusted`);
		}),
	));

test.each([
	["yes", true],
	["no", false],
])("the person is asked in pi, and their %s counts", (_, confirmed) =>
	withWorkspace(project, (ws) =>
		withListening(ws, async (connect, heard) => {
			const input = { language: "typescript", connect };
			const steps = [{ calls: [{ name: "lsp", arguments: { operation: "start", input } }] }, { text: "Done." }];
			await withRpcPi(ws, steps, async (pi) => {
				const asking = pi.ask("Go on.");
				const question = await pi.event("pi asks", ({ method }) => method === "confirm");
				expect(String(question.message)).toContain(connect);
				expect(heard).toHaveLength(0);
				pi.send({ type: "extension_ui_response", id: question.id, confirmed });
				await asking;
				const answer = pi.answerTo(0).messages.at(-1)?.text ?? "";
				expect(answer).toContain(confirmed ? "ready after" : "The person was asked, and refused.");
				expect(heard).toHaveLength(confirmed ? 1 : 0);
			});
		}),
	),
);

test("a call that needs a person is repeated with the text that they were shown, and only after a yes", async () => {
	const permits = { connect: "localhost:1" };
	const refused = new LspError("LSP_NEEDS_PERSON", "no", { question: "May it?", permits });
	const call = vi.fn(async (given?: object) => {
		if (!given) throw refused;
		return given;
	});
	expect(await withPerson(call, async () => true)).toEqual(permits);
	await expect(withPerson(call, async () => undefined)).rejects.toBe(refused);
	await expect(withPerson(call, async () => false)).rejects.toMatchObject({ code: "LSP_NEEDS_PERSON" });
	const other = new LspError("LSP_INTERNAL", "broken");
	const confirm = vi.fn(async () => true);
	await expect(withPerson(async () => Promise.reject(other), confirm)).rejects.toBe(other);
	expect(confirm).not.toHaveBeenCalled();
});
