import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client as NewerClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
	LoggingMessageNotificationSchema,
	ResourceUpdatedNotificationSchema,
	ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../../src/contract/caller.ts";
import { McpSession } from "../../../src/faces/mcp/session.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";
import { token, withHttp } from "./http-server.ts";
import { modern, withModern } from "./modern.ts";

/** The notifications of the server between calls. */

const project: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000 }',
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": 'import { greet } from "./greet.ts";\n\nexport const loud: string = greet("you");\n',
};
const broken = "export function greet(name: string): number {\n\treturn name.length;\n}\n";
const app = "lsp-diagnostics:///src/app.ts";
const requestInit = { headers: { Authorization: `Bearer ${token}` } };

/** A client that listens to URIs and to the list of tools. */
interface Ears {
	readonly updated: string[];
	readonly lists: string[];
	call(name: string, input: object): Promise<unknown>;
	tools(): Promise<readonly string[]>;
	read(uri: string): Promise<ReturnType<typeof JSON.parse>>;
	/** Resolves to a function that ends it. */
	listen(uris: readonly string[]): Promise<() => Promise<unknown>>;
}

type Listening = (ws: Workspace, body: (ears: Ears) => Promise<void>) => Promise<void>;

function newer(client: NewerClient): Ears {
	const [updated, lists]: [string[], string[]] = [[], []];
	client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
	client.setNotificationHandler("notifications/tools/list_changed", ({ method }) => void lists.push(method));
	return {
		...{ updated, lists },
		call: (name, input) => client.callTool({ name, arguments: { ...input } }),
		tools: async () => (await client.listTools()).tools.map(({ name }) => name),
		read: async (uri) =>
			JSON.parse((await client.readResource({ uri })).contents.map((each) => "text" in each && each.text).join("")),
		async listen(uris) {
			const listen = await client.listen({ toolsListChanged: true, resourceSubscriptions: [...uris] });
			return () => listen.close();
		},
	};
}

function older(client: OlderClient): Ears {
	const [updated, lists]: [string[], string[]] = [[], []];
	client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
	client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void lists.push(method));
	return {
		...{ updated, lists },
		call: (name, input) => client.callTool({ name, arguments: { ...input } }),
		tools: async () => (await client.listTools()).tools.map(({ name }) => name),
		read: async (uri) =>
			JSON.parse((await client.readResource({ uri })).contents.map((each) => "text" in each && each.text).join("")),
		async listen(uris) {
			for (const uri of uris) await client.subscribeResource({ uri });
			return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
		},
	};
}

const clients: readonly [string, Listening][] = [
	["2026-07-28, over stdio", (ws, body) => withModern(ws, [], (client) => body(newer(client)))],
	["2025-11-25, over stdio", (ws, body) => withMcp(ws, {}, ({ client }) => body(older(client)))],
	[
		"2026-07-28, over HTTP",
		(ws, body) =>
			withHttp(ws, [], async ({ url }) => {
				const client = new NewerClient(
					{ name: "test", version: "1" },
					{ versionNegotiation: { mode: { pin: modern } } },
				);
				await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
				await body(newer(client)).finally(() => client.close());
			}),
	],
	[
		"2025-11-25, over HTTP",
		(ws, body) =>
			withHttp(ws, [], async ({ url }) => {
				const client = new OlderClient({ name: "test", version: "1" });
				// The client's own types differ for optional properties.
				await client.connect(new OlderTransport(url, { requestInit }) as never);
				await body(older(client)).finally(() => client.close());
			}),
	],
];

function heard(list: readonly string[], what: string): Promise<unknown> {
	return until(`it hears of ${what}`, () => (list.includes(what) ? met(0) : notYet(list.join())));
}

describe.each(clients)("a client of %s", (_, withClient) => {
	test.concurrent("is notified when the content of a subscribed resource changes, and not before", () =>
		withWorkspace(project, (ws) =>
			withClient(ws, async (ears) => {
				const end = await ears.listen([app, "lsp-diagnostics:///", "lsp-status:///"]);
				expect((await ears.read(app)).files).toMatchObject([{ state: "fresh", diagnostics: [] }]);
				await heard(ears.updated, "lsp-status:///");
				expect(ears.updated).not.toContain(app);
				ws.write("src/greet.ts", broken);
				await heard(ears.updated, app);
				await heard(ears.updated, "lsp-diagnostics:///");
				expect((await ears.read(app)).files).toMatchObject([{ state: "fresh", diagnostics: [{ code: "2322" }] }]);
				await end();
				const many = ears.updated.length;
				const again = await ears.listen(["lsp-symbols:///src/greet.ts"]);
				await ears.read("lsp-symbols:///src/greet.ts");
				ws.write("src/greet.ts", `${broken}export const more = 1;\n`);
				await heard(ears.updated, "lsp-symbols:///src/greet.ts");
				expect(ears.updated.slice(many)).toEqual(["lsp-symbols:///src/greet.ts"]);
				await again();
			}),
		));

	test.concurrent("is notified when the configuration changes the lists", () =>
		withWorkspace(project, (ws) =>
			withClient(ws, async (ears) => {
				const end = await ears.listen(["lsp-status:///"]);
				expect(await ears.tools()).toContain("lsp_check");
				ws.write(".pi-lsp.json", '{ "lsp": false }');
				await heard(ears.lists, "notifications/tools/list_changed");
				expect(await ears.tools()).toEqual([]);
				await end();
			}),
		));
});

interface Message {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** The log messages that an older client gets. */
async function withLog(
	ws: Workspace,
	args: readonly string[],
	body: (client: OlderClient, log: Message[]) => Promise<void>,
	env: Readonly<Record<string, string>> = {},
): Promise<void> {
	const log: Message[] = [];
	const prepare = (client: OlderClient) =>
		client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
			log.push({ level: params.level, ...(params.data as Message) });
		});
	await withMcp(ws, { args, prepare, env: { ...ws.env, ...env } }, ({ client }) => body(client, log));
}

function logged(log: readonly Message[], type: string): Promise<Message> {
	return until(`${type} is logged`, () => {
		const found = log.find((message) => message.type === type);
		return found ? met(found) : notYet(JSON.stringify(log));
	});
}

describe("log messages", () => {
	test.concurrent("report that a project is read, that files have changed, and the effect on their diagnostics", () =>
		withWorkspace(project, (ws) =>
			withLog(ws, ["--profile", "agent-lsp"], async (client, log) => {
				await client.callTool({ name: "start_lsp", arguments: { root_dir: ws.root } });
				const file_path = join(ws.root, "src/app.ts");
				await client.callTool({ name: "open_document", arguments: { file_path, language_id: "typescript" } });
				expect(await logged(log, "workspace_ready")).toMatchObject({
					...{ level: "info", server: "typescript", root: ws.root },
				});
				ws.write("src/greet.ts", broken);
				expect(await logged(log, "stale_references")).toEqual({
					...{ level: "info", type: "stale_references", files_changed: 1 },
					message: "1 file has changed: references found before may be stale.",
				});
				expect((await logged(log, "diagnostics")).updates).toEqual([
					{ uri: pathToFileURL(file_path).href, errors: 1, warnings: 0 },
				]);
			}),
		));

	test.concurrent("are sent without a request if the configuration names the profile agent-lsp, unless an option names another", () =>
		withWorkspace({ "a.fake": "one\n", ".pi-lsp.json": '{ "profile": "agent-lsp" }' }, async (ws) => {
			const fake = namedFake(ws, { on: [] });
			const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };
			await withLog(ws, [fake.pair, "--profile", "core"], async (silent, none) => {
				await withLog(ws, [fake.pair], async (client, log) => {
					await silent.callTool(hover);
					await client.callTool(hover);
					expect(await logged(log, "workspace_ready")).toMatchObject({ level: "info", root: ws.root });
				});
				expect(none).toEqual([]);
			});
		}));

	test.concurrent("report that a server has crashed, and that it runs again; none are sent without a level", () =>
		withWorkspace({ "a.fake": "one\n" }, async (ws) => {
			const fake = namedFake(ws, {
				on: [{ method: "textDocument/hover", nth: 2, do: [{ crash: 1 }] }],
			});
			const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };
			await withLog(ws, [fake.pair], async (client, log) => {
				await client.setLoggingLevel("debug");
				await client.callTool(hover);
				await logged(log, "workspace_ready");
				await withLog(ws, [fake.pair], async (silent, none) => {
					await silent.callTool(hover);
					expect(await logged(log, "server_crashed")).toMatchObject({ level: "error", root: ws.root });
					expect(await logged(log, "server_recovered")).toMatchObject({ level: "info", root: ws.root });
					expect(none).toEqual([]);
				});
			});
		}));

	test.concurrent.each(["error", "critical"])(
		"are limited by LOG_LEVEL=%s, and by a level that a client sets instead",
		(level) =>
			withWorkspace({ "a.fake": "one\n" }, async (ws) => {
				const fake = namedFake(ws, { on: [{ method: "textDocument/hover", nth: 2, do: [{ crash: 1 }] }] });
				const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };
				const env = { LOG_LEVEL: level };
				const held = async (client: OlderClient, log: Message[]) => {
					const limited = async (other: OlderClient, all: Message[]) => {
						await other.setLoggingLevel("info");
						await other.callTool(hover);
						await logged(all, "workspace_ready");
						await client.callTool(hover);
						await logged(all, "server_recovered");
						if (level === "error") await logged(log, "server_crashed");
						expect(log.map(({ type }) => type)).toEqual(level === "error" ? ["server_crashed"] : []);
					};
					await withLog(ws, [fake.pair], limited, env);
				};
				await withLog(ws, [fake.pair], held, env);
			}),
	);
});

test.concurrent("are sent if they are at least as urgent as the level that was set, and never without a level", () => {
	const caller = { call: async () => undefined, close: async () => {} } as unknown as Caller;
	const session = new McpSession(caller, { cwd: "/", profile: "core", structured: false });
	// The order is that of RFC 5424.
	const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
	expect(levels.filter((each) => session.logs(each))).toEqual([]);
	for (const [index, level] of levels.entries()) {
		session.logLevel = level;
		expect(
			levels.filter((each) => session.logs(each)),
			level,
		).toEqual(levels.slice(index));
	}
});

test.concurrent("a subscription to a URI that is no resource is refused", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async ({ client }) => {
			await expect(client.subscribeResource({ uri: "lsp-nothing:///src/app.ts" })).rejects.toThrow(/Resource/);
		}),
	));
