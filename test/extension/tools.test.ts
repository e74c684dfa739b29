import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { createSession } from "../../src/faces/api/session.ts";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { token, withHttp } from "../faces/mcp/http-server.ts";
import { modern } from "../faces/mcp/modern.ts";
import { answerTo, runPi } from "../faces/pi/run-pi.ts";
import { isThere, withServers } from "../live/languages.ts";
import { REPOSITORY } from "../support/repository.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { EXAMPLE, FILES, installExample, TWICE, use } from "./example.ts";

const SECTIONS = "[server] port, port\n  The key port stands twice in [server].";
const DONE = { text: "Done." };
const input = { file: "a.ini" };

/** The example with other fields in its tool `ini-sections`. */
function changed(ws: Workspace, fields: object): string {
	const folder = ws.path("../own");
	cpSync(EXAMPLE, folder, { recursive: true });
	const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	Object.assign(manifest["pi-lsp"].tools["ini-sections"], fields);
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
	return folder;
}

/** `updated` gets the addresses that the server says have changed. */
async function withHttpClient(
	ws: Workspace,
	body: (connected: { readonly client: Client; readonly updated: readonly string[] }) => Promise<void>,
): Promise<void> {
	await withHttp(ws, [], async ({ url }) => {
		const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: modern } } });
		const headers = { Authorization: `Bearer ${token}` };
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
		const updated: string[] = [];
		client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
		try {
			await body({ client, updated });
		} finally {
			await client.close();
		}
	});
}

describe("the tools of a package", () => {
	test("are run, listed and completed in a shell once the user's configuration names the package", () =>
		withWorkspace(FILES, async (ws) => {
			expect((await ws.cli(["--help"])).stdout).not.toContain("ini-sections");
			use(ws, await installExample(ws));
			const { stdout, code } = await ws.cli(["ini-sections", "a.ini"]);
			expect([stdout.trimEnd(), code]).toEqual([SECTIONS, 0]);
			const { data } = JSON.parse((await ws.cli(["ini-sections", "a.ini", "--json"])).stdout);
			expect(data.sections).toMatchObject([{ name: "server", line: 1 }]);
			expect((await ws.cli(["--help"])).stdout).toContain("ini-sections FILE");
			expect((await ws.cli(["ini-dedupe", "--help"])).stdout).toContain("--dry-run");
			expect((await ws.cli(["completions", "bash"])).stdout).toContain("ini-dedupe");
			expect((await ws.cli(["ini-section"])).stderr).toContain('Did you mean "ini-sections"?');
			expect((await ws.cli(["ini-sections", "b.ini"])).stderr).toContain("LSP_FILE_NOT_FOUND");
		}));

	test("have their changes of files written whole, checked and undone like any other change", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			expect((await ws.cli(["ini-dedupe", "a.ini", "--dry-run"])).stdout).toContain("Nothing was written.");
			expect(ws.read("a.ini")).toBe(TWICE);
			const { stdout, code } = await ws.cli(["ini-dedupe", "a.ini"]);
			expect(stdout).toContain("taken out: port\n1 file: a.ini");
			expect(stdout).toContain("Checked: nothing new is wrong.");
			expect([code, ws.read("a.ini")]).toEqual([0, "[server]\nport = 2\n"]);
			expect((await ws.cli(["ini-dedupe", "a.ini"])).stdout.trimEnd()).toBe("No key stands twice.");
			await ws.cli(["undo"]);
			expect(ws.read("a.ini")).toBe(TWICE);
		}));

	test("are listed for an MCP client by its profile, and under profile read only if they change no files", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			await withMcp(ws, {}, async ({ client, text, call }) => {
				const names = (await client.listTools()).tools.map(({ name }) => name);
				expect(names).not.toContain("lsp_ini-sections");
				expect(await text("lsp", { operation: "help" })).toContain("ini-sections: The sections of an INI file");
				expect(await text("lsp", { operation: "ini-sections", input })).toBe(SECTIONS);
				expect(await call("lsp", { operation: "ini-sections", input: {} })).toMatchObject({ isError: true });
				use(ws, changed(ws, { core: true }));
				expect((await client.listTools()).tools.map(({ name }) => name)).toContain("lsp_ini-sections");
				expect(await text("lsp_ini-sections", input)).toBe(SECTIONS);
			});
			await withMcp(ws, { args: ["--profile", "read"] }, async ({ text, call }) => {
				expect(await text("lsp", { operation: "ini-sections", input })).toBe(SECTIONS);
				for (const name of ["lsp", "lsp_ini-dedupe"]) {
					const given = name === "lsp" ? { operation: "ini-dedupe", input } : input;
					expect(await call(name, given)).toMatchObject({ isError: true });
				}
				expect(ws.read("a.ini")).toBe(TWICE);
			});
		}));

	test("are bound by an active skill like any other writer if they change files, and never if they read", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			await withMcp(ws, {}, async ({ text, call }) => {
				await text("lsp", { operation: "activate_skill", input: { name: "lsp-rename" } });
				expect(await text("lsp", { operation: "ini-sections", input })).toContain(SECTIONS);
				const refused = await call("lsp", { operation: "ini-dedupe", input });
				expect(refused.isError).toBe(true);
				expect(textOf(refused)).toContain("phase_violation");
				expect(ws.read("a.ini")).toBe(TWICE);
			});
		}));

	test("are given to pi's model, those of the core as tools of their own", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, changed(ws, { core: true }));
			const calls = [
				{ name: "lsp_ini-sections", arguments: input },
				{ name: "lsp", arguments: { operation: "ini-dedupe", input } },
			];
			const run = await runPi(ws, [{ calls: [calls[0] as never] }, { calls: [calls[1] as never] }, DONE]);
			expect(run.requests[0]?.tools.map(({ name }) => name)).toContain("lsp_ini-sections");
			expect(answerTo(run, 0).messages.at(-1)?.text).toBe(SECTIONS);
			expect(answerTo(run, 1).messages.at(-1)?.text).toContain("taken out: port");
			expect(ws.read("a.ini")).toBe("[server]\nport = 2\n");
		}));

	test.skipIf(!isThere("just-lsp"))(
		"use the server that pi-lsp has for their files if the package has none of its own",
		() =>
			withWorkspace({ justfile: "a:\n  ls\n\nb: a\n  ls\n" }, async (ws) => {
				use(ws, join(REPOSITORY, "test/extension/just-recipes"));
				const { stdout } = await ws.cli(["just-unused", "justfile"], { env: withServers(ws.env) });
				expect(stdout.trimEnd()).toBe("b");
			}),
	);
});

describe("the resources and prompts of a package", () => {
	test("are listed and read by a client, which is notified when the content of one that it has subscribed to changes", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			await withMcp(ws, {}, async ({ client }) => {
				const updated: string[] = [];
				client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
				const { resourceTemplates } = await client.listResourceTemplates();
				expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("ini-sections:///{path}");
				const uri = "ini-sections:///a.ini";
				const { contents } = await client.readResource({ uri });
				expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ text: SECTIONS });
				await client.subscribeResource({ uri });
				await client.readResource({ uri });
				ws.write("a.ini", TWICE.replace("port = 2", "host = x"));
				await until("it hears of the change", () => (updated.includes(uri) ? met(0) : notYet(updated.join())));
				await expect(client.readResource({ uri: "ini-others:///a.ini" })).rejects.toThrow(/Resource/);
			});
		}));

	test("are read by a client over HTTP in its first request", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			await withHttpClient(ws, async ({ client }) => {
				const { contents } = await client.readResource({ uri: "ini-sections:///a.ini" });
				expect(JSON.stringify(contents)).toContain("stands twice");
			});
		}));

	test("are announced to a client over HTTP if their package is added after the server's start", () =>
		withWorkspace(FILES, async (ws) => {
			await withHttpClient(ws, async ({ client, updated }) => {
				use(ws, EXAMPLE);
				const uri = "ini-sections:///a.ini";
				const listen = await client.listen({ resourceSubscriptions: [uri] });
				let port = 1;
				await until("it hears of a change", () => {
					ws.write("a.ini", `[server]\nport${port++} = 1\n`);
					return updated.includes(uri) ? met(0) : notYet(updated.join());
				});
				await listen.close();
			});
		}));

	test("are announced to a client over HTTP if their package is added after it began to listen", () =>
		withWorkspace(FILES, async (ws) => {
			await withHttpClient(ws, async ({ client, updated }) => {
				const uri = "ini-sections:///a.ini";
				const listen = await client.listen({ resourceSubscriptions: [uri] });
				// The client knows from the answer that the resource does not exist yet.
				await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
				use(ws, EXAMPLE);
				await until("it hears that it is there", () => (updated.includes(uri) ? met(0) : notYet(updated.join())));
				const { contents } = await client.readResource({ uri });
				expect(JSON.stringify(contents)).toContain("stands twice");
				const before = updated.length;
				let port = 1;
				await until("it hears of a change", () => {
					ws.write("a.ini", `[server]\nport${port++} = 1\n`);
					return updated.length > before ? met(0) : notYet(updated.join());
				});
				await listen.close();
			});
		}));

	test("give as a prompt their text with the given arguments, without characters that could pass for a frame of the host", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, EXAMPLE);
			await withMcp(ws, {}, async ({ client }) => {
				const { prompts } = await client.listPrompts();
				const own = { name: "ini-tidy", arguments: [{ name: "file", description: "Its path" }] };
				expect(prompts.find(({ name }) => name === "ini-tidy")).toMatchObject(own);
				const textWith = async (file?: string) => {
					const given = file === undefined ? {} : { arguments: { file } };
					const { messages } = await client.getPrompt({ name: "ini-tidy", ...given });
					return messages.map(({ content }) => ("text" in content ? content.text : "")).join("");
				};
				expect(await textWith("a.ini")).toContain("Read the sections of a.ini with `ini-sections`.");
				expect(await textWith()).toContain("Read the sections of FILE with");
				expect(await textWith("</tool_result>")).not.toContain("</tool_result>");
			});
		}));
});

test("A program runs a package's tool by the API", () =>
	withWorkspace(FILES, async (ws) => {
		use(ws, EXAMPLE);
		const { XDG_CONFIG_HOME } = process.env;
		process.env.XDG_CONFIG_HOME = ws.env.XDG_CONFIG_HOME;
		const session = createSession({ cwd: ws.root, daemon: false });
		try {
			expect(await session.ask("ini-sections", input)).toBe(SECTIONS);
			expect(await session.run("ini-sections", input)).toMatchObject({ data: { sections: [{ name: "server" }] } });
		} finally {
			await session.close();
			if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
			else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
		}
	}));
