import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { get, request as httpsRequest } from "node:https";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { Client, type Progress, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../support/processes.ts";
import { runCommand } from "../../support/run-command.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { namedFake } from "./fake.ts";
import { ask, json, token, withHttp } from "./http-server.ts";
import { modern } from "./modern.ts";

const files: Files = { "a.fake": "one\n" };
const hover = { name: "lsp_hover", arguments: { file: "a.fake", line: 1, column: 1 } };
const authorization = `Bearer ${token}`;
const requestInit = { headers: { Authorization: authorization } };

/** The URL of a client, and its fetch if it is not the global one. */
interface There {
	readonly url: URL;
	readonly fetch?: typeof fetch;
}

async function withModern<T>({ url, fetch }: There, body: (client: Client) => Promise<T>): Promise<T> {
	const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: modern } } });
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit, ...(fetch && { fetch }) }));
	return body(client).finally(() => client.close());
}

async function withOlder<T>({ url, fetch }: There, body: (client: OlderClient) => Promise<T>, roots?: string[]) {
	const client = new OlderClient({ name: "test", version: "1" }, roots ? { capabilities: { roots: {} } } : {});
	if (roots)
		client.setRequestHandler(ListRootsRequestSchema, () => ({
			roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
		}));
	// The client's own types differ for optional properties.
	await client.connect(new OlderTransport(url, { requestInit, ...(fetch && { fetch }) }) as never);
	return body(client).finally(() => client.close());
}

test("the server prints where it listens, reports its health, and refuses other callers; a signal ends it", () =>
	withWorkspace(files, (ws) =>
		withHttp(ws, [], async (server) => {
			expect(server.stderr()).toBe(`listening on http://127.0.0.1:${server.port}/mcp\n`);
			const health = await ask(server, { path: "/health", method: "GET" });
			expect([health.status, health.text]).toEqual([200, '{"status":"ok"}']);
			const refused = await ask(server, {}, "{}");
			expect([refused.status, refused.text]).toEqual([401, '{"error":"unauthorized"}']);
			for (const { headers } of [health, refused])
				expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
		}),
	));

test("clients of both eras list, call, read, get progress, and cancel, at the same time", () =>
	withWorkspace(files, async (ws) => {
		const hangs = { method: "textDocument/hover", do: [{ never: true }] } as const;
		const fake = namedFake(ws, {
			on: [
				{ ...hangs, nth: 1 },
				{ ...hangs, nth: 2 },
			],
		});
		await withHttp(ws, [fake.pair], (server) =>
			withModern(server, (newer) =>
				withOlder(server, async (older) => {
					expect(newer.getNegotiatedProtocolVersion()).toBe(modern);
					expect(newer.getInstructions()).toBe(older.getInstructions());
					const [ours, theirs] = [await newer.listTools(), await older.listTools()];
					expect(ours.tools.map(({ name }) => name)).toEqual(theirs.tools.map(({ name }) => name));
					const heard: Progress[] = [];
					const onprogress = (progress: Progress) => void heard.push(progress);
					const [first, second] = [new AbortController(), new AbortController()];
					const asked = [
						expect(newer.callTool(hover, { signal: first.signal, onprogress })).rejects.toThrow(),
						expect(older.callTool(hover, undefined, { signal: second.signal, onprogress })).rejects.toThrow(),
					];
					await fake.received("textDocument/hover", 1);
					await until("a client gets progress", () => (heard.length > 0 ? met(true) : notYet("nothing")));
					first.abort();
					second.abort();
					await Promise.all(asked);
					await fake.received("$/cancelRequest", 1);
					await until("a hover is answered", async () => {
						const { content } = await newer.callTool(hover);
						return JSON.stringify(content).includes("one") ? met(true) : notYet(JSON.stringify(content));
					});
					expect(JSON.stringify((await older.callTool(hover)).content)).toContain("one");
					const { contents } = await newer.readResource({ uri: "lsp-status:///" });
					expect(contents).toEqual([
						{ uri: "lsp-status:///", mimeType: "application/json", text: expect.stringContaining('"node"') },
					]);
				}),
			),
		);
	}));

test("clients of both eras are served at / as at /mcp", () =>
	withWorkspace(files, (ws) =>
		withHttp(ws, [], async (server) => {
			const there = { ...server, url: new URL("/", server.url) };
			const names = await withModern(there, async (client) => (await client.listTools()).tools.map(({ name }) => name));
			expect(names).toContain("lsp_check");
			expect(
				await withOlder(there, async (client) => (await client.listTools()).tools.map(({ name }) => name)),
			).toEqual(names);
		}),
	));

test("each session has its own roots, and ends when its client ends it", () => {
	const project = (name: string) =>
		Object.fromEntries([
			...Object.entries(TYPESCRIPT_PROJECT).map(([file, text]) => [`${name}/${file}`, text]),
			[`${name}/src/a.ts`, `export function from_${name}() {}\n`],
		]);
	return withWorkspace({ ...project("one"), ...project("two") }, (ws) =>
		withHttp(ws, [], (server) => {
			const outline = { name: "lsp_symbols", arguments: { file: "src/a.ts" } };
			const at = (name: string) =>
				withOlder(server, async (client) => JSON.stringify((await client.callTool(outline)).content), [ws.path(name)]);
			return Promise.all(
				["one", "two", "one", "two"].map(async (name) => expect(await at(name)).toContain(`from_${name}`)),
			).then(() => {});
		}),
	);
});

test("a body without an end is refused when it is too large, and a client that disconnects during a request costs nothing", () =>
	withWorkspace(files, (ws) =>
		withHttp(ws, [], async (server) => {
			const piece = "x".repeat(1 << 20);
			const { status } = await ask(server, { headers: { ...json, "Transfer-Encoding": "chunked" } }, (sent) => {
				sent.on("error", () => {});
				for (let megabytes = 0; megabytes < 9; megabytes++) sent.write(piece);
			}).catch(() => ({ status: 413 }));
			expect(status).toBe(413);
			await ask(server, { headers: { ...json, "Content-Length": "100" } }, (sent) => {
				sent.write("{", () => sent.destroy());
			}).catch(() => {});
			expect((await ask(server, { path: "/health", method: "GET" })).status).toBe(200);
		}),
	));

test("a signal lets calls in flight end, for five seconds", () =>
	withWorkspace(files, async (ws) => {
		const slow = {
			method: "textDocument/hover",
			nth: 1,
			do: [{ delay: 1000 }, { reply: { contents: "late" } }],
		} as const;
		const hangs = { method: "textDocument/hover", do: [{ never: true }] } as const;
		const fake = namedFake(ws, { on: [slow, hangs] });
		const other = { ...hover, arguments: { ...hover.arguments, column: 2 } };
		await withHttp(ws, [fake.pair], (server) =>
			withModern(server, async (client) => {
				const asked = client.callTool(hover);
				await fake.received("textDocument/hover");
				const hanging = expect(client.callTool(other)).rejects.toThrow();
				server.child.kill("SIGTERM");
				expect(JSON.stringify((await asked).content)).toContain("late");
				await hanging;
				expect(await server.exit).toBe(0);
			}),
		);
	}));

/** A fetch that trusts one certificate: Node's own reads them at its start alone. */
function trusting(ca: Buffer): typeof fetch {
	return (url, { method = "GET", headers, body, signal } = {}) =>
		new Promise((resolve, reject) => {
			const options = { method, headers: Object.fromEntries(new Headers(headers)), ca, family: 4, agent: false };
			const sent = httpsRequest(String(url), { ...options, ...(signal && { signal }) }, (answer) => {
				const { statusCode: status = 0 } = answer;
				const text = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream);
				const [type = ""] = [answer.headers["content-type"] ?? []].flat();
				const session = answer.headers["mcp-session-id"];
				resolve(
					new Response(text, {
						status,
						headers: { "content-type": type, ...(session ? { "mcp-session-id": String(session) } : {}) },
					}),
				);
			});
			sent.once("error", reject).end(body);
		});
}

test("the server speaks TLS with clients of both eras if it has a certificate", async ({ skip }) =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": "export function over_tls() {}\n" }, async (ws) => {
		const [key, cert] = [join(ws.base, "key.pem"), join(ws.base, "cert.pem")];
		const subject = ["-subj", "/CN=localhost", "-days", "2"];
		const made = await runCommand(
			"openssl",
			["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject],
			{ cwd: ws.base, env: ws.env },
		).catch(() => undefined);
		if (made?.code !== 0) skip("openssl is not installed");
		await withHttp(ws, ["--tls-cert", cert, "--tls-key", key], async (server) => {
			expect(server.url.protocol).toBe("https:");
			const status = await new Promise((resolve, reject) => {
				const options = { port: server.port, host: "localhost", family: 4, path: "/health", ca: readFileSync(cert) };
				get(options, (answer) => resolve(answer.resume().statusCode)).once("error", reject);
			});
			expect(status).toBe(200);
			const there = { url: new URL(`https://localhost:${server.port}/mcp`), fetch: trusting(readFileSync(cert)) };
			const outline = { name: "lsp_symbols", arguments: { file: "src/a.ts" } };
			const answers = [
				await withModern(there, (client) => client.callTool(outline)),
				await withOlder(there, (client) => client.callTool(outline)),
			];
			for (const { content } of answers) expect(JSON.stringify(content)).toContain("over_tls");
		});
	}));

describe("the server does not start", () => {
	const refusals: readonly [readonly string[], RegExp][] = [
		[["--http"], /--http needs a token: PI_LSP_TOKEN or --token-file/],
		[["--http", "--no-auth", "--listen-addr", "0.0.0.0"], /--no-auth is for a loopback address only/],
		[["--http", "--no-auth", "--listen-addr", "localhost"], /--listen-addr is an IP address/],
		[["--http", "--token-file", "none"], /--token-file none: cannot be read/],
		[["--http", "--no-auth", "--port", "70000"], /--port is a number from 0 to 65535/],
		[["--http", "--no-auth", "--tls-cert", "package.json"], /--tls-cert and --tls-key go together/],
		[["--port", "1"], /--port needs --http/],
	];

	test.each(refusals)("with %j", (args, words) =>
		withWorkspace({ ...files, "package.json": "{}" }, async (ws) => {
			const { code, stdout, stderr } = await ws.cli(["mcp", ...args]);
			expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
			expect(stderr).toMatch(words);
		}),
	);
});

test("a token comes from a file, from either variable, or with a warning from the command line, and no other process has it", () =>
	withWorkspace(files, async (ws) => {
		const fake = namedFake(ws, { on: [] });
		const file = join(ws.base, "token");
		writeFileSync(file, `${token}\n`);
		const works = (args: readonly string[], env: Readonly<Record<string, string>>, warns = false) =>
			withHttp(
				ws,
				[fake.pair, ...args],
				async (server) => {
					expect(server.stderr().includes("--token can be read by other users")).toBe(warns);
					expect(server.stderr().includes("PI_LSP_TOKEN")).toBe(warns);
					expect(JSON.stringify(await withModern(server, (client) => client.callTool(hover)))).toContain("one");
					expect(server.stderr()).not.toContain(token);
				},
				env,
			);
		await works(["--token-file", file], {});
		await works([], { AGENT_LSP_TOKEN: token });
		await works(["--token", token], {}, true);
		await works([], { PI_LSP_TOKEN: token });
		for (const { pid, argv } of processesOf(ws.runId)) {
			expect(argv.join(" ")).not.toContain(token);
			const environment = `/proc/${pid}/environ`;
			if (existsSync(environment)) expect(readFileSync(environment, "utf8"), argv.join(" ")).not.toContain(token);
		}
	}));
