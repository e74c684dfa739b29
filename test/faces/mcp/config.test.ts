import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";

const files = { "a.fake": "one\n" };
const position = { file: "a.fake", line: 1, column: 1 };
const saying = (text: string) => ({ on: [{ method: "textDocument/hover", do: [{ reply: { contents: text } }] }] });

test("servers are named in the forms of agent-lsp (arguments, its file, both) for that caller alone", () =>
	withWorkspace(files, async (ws) => {
		const named = namedFake(ws, saying("by argument"), "argument");
		const filed = namedFake(ws, saying("by file"), "file");
		const config = join(ws.base, "agent-lsp.json");
		const entry = { extensions: ["fake"], command: filed.command, language_id: "fake" };
		writeFileSync(config, JSON.stringify({ servers: [entry] }));
		const pair = named.command.join(",");
		await withMcp(ws, { args: [`fake:${pair}`] }, async (byArgument) => {
			expect(await byArgument.text("lsp_hover", position)).toBe("by argument");
			await withMcp(ws, { args: ["--config", "../agent-lsp.json"] }, async (byFile) => {
				expect(await byFile.text("lsp_hover", position)).toBe("by file");
				// The daemon, the root and the id are the same, and still the server is another one.
				expect(await byArgument.text("lsp_hover", position)).toBe("by argument");
			});
			await withMcp(ws, { args: ["--merge-config", "../agent-lsp.json"] }, async ({ text }) => {
				expect(await text("lsp_hover", position)).toBe("by file");
			});
			await withMcp(ws, { args: ["fake", ...named.command, "--stdio"] }, async ({ text }) => {
				expect(await text("lsp_hover", position)).toBe("by argument");
			});
			await withMcp(ws, {}, async ({ call }) => {
				const result = await call("lsp_hover", position);
				expect(result.isError).toBe(true);
				expect(textOf(result)).toMatch(/^LSP_UNSUPPORTED_FILE/);
			});
		});
		const asked = await ws.cli(["hover", "a.fake:1:1", "--config", config]);
		expect(asked.stdout).toBe("by file\n");
		const alone = await ws.cli(["hover", "a.fake:1:1", "--config", config, "--no-daemon"]);
		expect(alone.stdout).toBe("by file\n");
	}));

test("a file in pi-lsp's own form overrides the user's and the repository's, and needs no trust", () =>
	withWorkspace(files, async (ws) => {
		const [repository, typed] = [
			namedFake(ws, saying("the repository's"), "repository"),
			namedFake(ws, saying("the caller's"), "caller"),
		];
		const servers = (command: readonly string[]) => JSON.stringify({ servers: { mine: { command, match: ["fake"] } } });
		ws.write(".pi-lsp.json", servers(repository.command));
		writeFileSync(join(ws.base, "typed.json"), servers(typed.command));
		const refused = await ws.cli(["hover", "a.fake:1:1"]);
		expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("LSP_SERVER_UNTRUSTED") });
		const asked = await ws.cli(["hover", "a.fake:1:1", "--config", "../typed.json"]);
		expect(asked.stdout).toBe("the caller's\n");
	}));

test("mistakes in the arguments are reported at the start, and mistakes in the file in the status", () =>
	withWorkspace(files, async (ws) => {
		const mistakes: readonly [readonly string[], RegExp][] = [
			[["--config", "none.json"], /--config none\.json: no such file/],
			[["go:"], /"go:" is not LANGUAGE:PROGRAM/],
			[["gopls"], /"gopls" is not LANGUAGE:PROGRAM/],
			[["--merge-config", "none.json"], /--merge-config none\.json: no such file/],
			[["--config", "bad.json", "--merge-config", "bad.json"], /--config and --merge-config are the same/],
			[["--profile", "tiny"], /--profile "tiny" is none of core, read, all/],
			[["--frob"], /--frob/],
		];
		for (const [args, message] of mistakes) {
			const { code, stdout, stderr } = await ws.cli(["mcp", ...args]);
			expect({ code, stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
			expect(stderr).toMatch(message);
		}
		const gone = await ws.cli(["hover", "a.fake:1:1", "--config", "none.json"]);
		expect(gone).toMatchObject({ code: 2, stderr: expect.stringMatching(/^LSP_CONFIG_INVALID: .*none\.json/) });
		ws.write("bad.json", '{\n  "servers": [{ "extensions": ["x"] }]\n}\n');
		await withMcp(ws, { args: ["--config", "bad.json", "--profile", "all"] }, async ({ text }) => {
			expect(await text("lsp_status", {})).toMatch(/bad\.json:2: "servers\[0\]\.id" is missing/);
		});
	}));

test("`lsp: false` removes the tools, and a mistake in the configuration is reported with the first answer", () =>
	withWorkspace(
		{ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": '{ "lsp": false }', "src/a.ts": "export {};\n" },
		async (ws) => {
			for (const args of [[], ["--profile", "sah"]])
				await withMcp(ws, { args }, async ({ client }) => expect((await client.listTools()).tools).toEqual([]));
			ws.write(".pi-lsp.json", '{ "severty": "hint", "warmMs": 50000, "coldMs": 50000 }');
			const mistake = expect.stringMatching(/\.pi-lsp\.json:1: "severty" is not a setting/);
			await withMcp(ws, {}, async ({ text }) => {
				const first = await text("lsp_check", { files: ["src/a.ts"] });
				expect(first.split("\n")).toEqual(["src/a.ts: clean", mistake]);
				expect(await text("lsp_check", { files: ["src/a.ts"] })).toBe("src/a.ts: clean");
			});
			const { stdout, stderr } = await ws.cli(["check", "src/a.ts"]);
			expect([stdout, stderr]).toEqual(["src/a.ts: clean\n", mistake]);
		},
	));
