import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { proveDocument, repeatUntilUnchanged } from "../../src/diagnostics/sources/prove.ts";
import { collectPushes } from "../../src/diagnostics/sources/push.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { Pool } from "../../src/pool/pool.ts";
import { listLocations, UriNames } from "../../src/query/locations.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { listenAt } from "../support/listening.ts";

/** A server of another process: each connection speaks with a fake of its own, which is counted. */
interface Listening {
	readonly fake: Fake;
	readonly pool: Pool;
	readonly sockets: Socket[];
	readonly path: string;
	use<T>(work: (server: LanguageServer) => Promise<T>): Promise<T>;
	listen(): Promise<Server>;
}

function withListening(
	script: Script,
	body: (listening: Listening) => Promise<void>,
	over: (root: string) => Partial<ServerConfig> = () => ({}),
	listens = true,
): Promise<void> {
	return withFake(script, async (fake) => {
		const path = join(fake.root, "../socket");
		const sockets: Socket[] = [];
		const pool = new Pool((event, facts) => void fake.log.push(`${event} ${JSON.stringify(facts ?? {})}`));
		pool.onStarted = collectPushes;
		const config = { ...fake.config, command: "/no/such/program", connect: path, ...over(fake.root) };
		const listen = () =>
			listenAt(path, sockets, () => spawn(fake.config.command, [...fake.config.args], { env: fake.env }));
		const server = listens ? await listen() : undefined;
		const use = <T>(work: (server: LanguageServer) => Promise<T>) =>
			pool.use({ ...fake.route, config }, { workspace: fake.root, env: async () => fake.env }, work);
		try {
			await body({ fake, pool, sockets, path, use, listen });
		} finally {
			await pool.close();
			for (const socket of sockets) socket.destroy();
			server?.close();
		}
	});
}

const open = (server: LanguageServer, path: string) =>
	repeatUntilUnchanged(server, path, "fake", async (document) => document);

describe("a server that another process started", () => {
	test("gets all requests, and is only disconnected at the end", () =>
		withListening({}, async ({ fake, pool, sockets, use }) => {
			const path = fake.write("a.fake", "WRONG\n");
			const found = await use((server) =>
				repeatUntilUnchanged(
					server,
					path,
					"fake",
					async (document) => (await proveDocument(server, document)).diagnostics,
				),
			);
			expect(found).toMatchObject([{ line: 1, code: "wrong" }]);
			expect(fake.received("initialize")).toMatchObject([{ params: { processId: null, rootPath: fake.root } }]);
			expect(fake.received("initialized")).toHaveLength(1);
			expect(pool.list()).toMatchObject([{ id: "fake", state: "active", version: "1.0.0" }]);
			expect(pool.list()[0]).not.toHaveProperty("pid");
			await use(async () => {});
			expect(sockets).toHaveLength(1);
			await pool.stop();
			await expect.poll(() => sockets[0]?.closed).toBe(true);
			expect([...fake.received("shutdown"), ...fake.received("exit")]).toEqual([]);
		}));

	test("is unavailable with its address while it does not listen, and is found as soon as it does", () =>
		withListening(
			{},
			async ({ path, use, listen }) => {
				const refused = { code: "LSP_SERVER_UNAVAILABLE", message: expect.stringContaining(path) };
				await expect(use(async () => {})).rejects.toMatchObject(refused);
				expect(existsSync(path)).toBe(false);
				const server = await listen();
				expect(await use(async ({ state }) => state)).toBe("ready");
				server.close();
			},
			undefined,
			false,
		));

	test.each(["nowhere", "localhost:0", "localhost:99999", "127.0.0.1:1"])("on %s is unavailable", (address) =>
		withListening(
			{},
			async ({ use }) => {
				const refused = { code: "LSP_SERVER_UNAVAILABLE", message: expect.stringContaining(address) };
				await expect(use(async () => {})).rejects.toMatchObject(refused);
			},
			() => ({ connect: address }),
		),
	);

	test("counts as crashed when its connection is lost: the request is repeated, and each new connection waits longer", () =>
		withListening({}, async ({ fake, sockets, use, pool }) => {
			let lost = 0;
			const answered = await use(async (server) => {
				if (lost++ > 0) return server.request("textDocument/hover", { textDocument: { uri: "file:///a" } });
				const asked = server.request("textDocument/hover", { textDocument: { uri: "file:///a" } });
				sockets[0]?.destroy();
				return asked;
			});
			expect(answered).toMatchObject({ contents: {} });
			expect(lost).toBe(2);
			expect(fake.log.join("\n")).toMatch(/^ended .*the connection to .* was lost/m);
			const began = performance.now();
			sockets[1]?.destroy();
			await expect.poll(() => pool.list()[0]?.state).toBe("broken");
			await use(async () => {});
			// One crash costs 250 ms, a second one a whole second.
			expect(performance.now() - began).toBeGreaterThan(900);
		}));

	test("gets its own paths and sends ours if its files have other paths", () => {
		const reply = [{ uri: "file:///remote/ws/b.fake", range: { start: at(0, 0), end: at(0, 1) } }];
		const diagnostics = { uri: "file:///remote/ws/a.fake", version: 1, diagnostics: [] };
		const script: Script = {
			on: [
				{ method: "textDocument/definition", do: [{ reply }] },
				{
					method: "textDocument/didOpen",
					do: [
						{ notify: "textDocument/publishDiagnostics", params: diagnostics },
						{ ask: "workspace/workspaceFolders", id: "folders" },
					],
				},
			],
		};
		return withListening(
			script,
			async ({ fake, use }) => {
				const path = fake.write("a.fake", "file:///not/a/uri\n");
				const other = fake.write("b.fake", "two\n");
				await use(async (server) => {
					const pushed: unknown[] = [];
					server.on("textDocument/publishDiagnostics", (params) => pushed.push(params));
					const { uri } = await open(server, path);
					const found = await server.request<typeof reply>("textDocument/definition", { textDocument: { uri } });
					const { places } = await listLocations(found, {
						names: new UriNames(fake.root, fake.root),
						encoding: server.encoding,
					});
					expect(places).toMatchObject([{ path: basename(other), text: "two" }]);
					expect(pushed).toEqual([{ ...diagnostics, uri }]);
					server.notify("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 2 }] });
					await server.request("textDocument/hover", { textDocument: { uri } });
				});
				const remote = "file:///remote/ws";
				expect(fake.received("initialize")[0]?.params).toMatchObject({
					rootUri: remote,
					rootPath: "/remote/ws",
					workspaceFolders: [{ uri: remote }],
				});
				const document = { uri: `${remote}/a.fake`, text: "file:///not/a/uri\n" };
				expect(fake.received("textDocument/didOpen")[0]?.params).toMatchObject({ textDocument: document });
				const changes = [{ uri: `${remote}/a.fake`, type: 2 }];
				expect(fake.received("workspace/didChangeWatchedFiles")[0]?.params).toEqual({ changes });
				// The server's own request may be answered after ours.
				const folders = () => fake.record().find(({ got }) => got?.id === "folders")?.got?.result;
				await expect.poll(folders, { timeout: 5000 }).toMatchObject([{ uri: remote }]);
			},
			(root) => ({ paths: { [root]: "/remote/ws" } }),
		);
	});
});

function at(line: number, character: number) {
	return { line, character };
}
