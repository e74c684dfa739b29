import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { FAKE_SERVER } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";

/** A workspace of a language whose one server follows a script. */
function withScript(
	script: Script | ((ws: Workspace) => Script),
	body: (ws: Workspace) => Promise<void>,
	files: Files = { "a.fake": "one two\n" },
) {
	return withWorkspace(files, async (ws) => {
		const config = join(ws.base, "config/pi-lsp");
		mkdirSync(config, { recursive: true });
		const args = [FAKE_SERVER, JSON.stringify(typeof script === "function" ? script(ws) : script)];
		const server = { id: "fake", match: ["fake"], command: process.execPath, args, rootMarkers: [], looseFiles: true };
		writeFileSync(join(config, "config.json"), JSON.stringify({ servers: [{ ...server, languageId: "fake" }] }));
		await body(ws);
	});
}

const searching = { workspaceSymbolProvider: true, documentSymbolProvider: true };
const at = (line: number, character: number) => ({ line, character });
const range = (line: number, endLine: number, endCharacter = 1) => ({
	start: at(line, 0),
	end: at(endLine, endCharacter),
});

test("results that are empty, not supported, missing and untrusted are different answers", async () => {
	const reply = { method: "workspace/symbol", do: [{ reply: null }] };
	await withScript({ capabilities: searching, on: [reply] }, async (ws) => {
		const found = await ws.cli(["find", "one"]);
		expect([found.code, found.stdout]).toEqual([0, 'Nothing in the workspace is called "one".\n']);
	});
	await withScript({}, async (ws) => {
		const unsupported = await ws.cli(["find", "one"]);
		expect([unsupported.code, unsupported.stderr]).toEqual([3, expect.stringContaining("LSP_UNSUPPORTED_REQUEST")]);
	});
	await withWorkspace({ "go.mod": "module a\n", "a.go": "package a\n" }, async (ws) => {
		const missing = await ws.cli(["workspace_symbols"], { env: { ...ws.env, PATH: "/usr/bin:/bin" } });
		expect(missing.stderr).toMatch(/^LSP_(SERVER_UNAVAILABLE|PREREQUISITE_MISSING): /);
	});
	await withWorkspace({ "stack.yaml": "", "a.hs": "main = print 1\n" }, async (ws) => {
		const untrusted = await ws.cli(["find", "main"]);
		expect(untrusted.stderr).toMatch(/^LSP_SERVER_UNTRUSTED: [\s\S]*pi-lsp trust add/u);
	});
});

test("the answer of a server that is still reading its project is marked as possibly incomplete", () =>
	withScript(
		{
			capabilities: searching,
			on: [
				{
					method: "initialized",
					do: [{ notify: "$/progress", params: { token: 1, value: { kind: "begin", title: "Indexing" } } }],
				},
				{ method: "workspace/symbol", do: [{ reply: [] }] },
				{ method: "textDocument/documentSymbol", do: [{ reply: [] }] },
			],
		},
		async (ws) => {
			// Each waits for the server, so they wait at the same time.
			const [found, listed] = await Promise.all([
				ws.cli(["find", "one", "--json"]),
				ws.cli(["workspace_symbols", "one"]),
			]);
			expect(JSON.parse(found.stdout)).toMatchObject({
				total: 0,
				incomplete: expect.stringContaining("fake is still busy: Indexing"),
			});
			expect(listed.stdout).toContain("The answer may be incomplete: fake");
		},
	));

const hovering = { ...searching, hoverProvider: true };
const inFile = (ws: Workspace, name: string, line: number, character = 0) => ({
	name,
	kind: 12,
	location: { uri: `file://${ws.path("a.fake")}`, range: { start: at(line, character), end: at(line + 1, 0) } },
});

test("a hover that fails is left out of its symbol, and does not affect the others", () =>
	withScript(
		(ws) => ({
			capabilities: hovering,
			on: [
				{ method: "workspace/symbol", do: [{ reply: ["one", "two", "three"].map((name, i) => inFile(ws, name, i)) }] },
				{ method: "textDocument/hover", nth: 1, do: [{ error: { code: -32603, message: "no" } }] },
				{ method: "textDocument/hover", nth: 2, do: [{ reply: { contents: "Says\nit." } }] },
				{ method: "textDocument/hover", do: [{ reply: null }] },
			],
		}),
		async (ws) => {
			const { stdout } = await ws.cli(["workspace_symbols", "--hover", "3"]);
			expect(stdout.split("\n").filter((line) => /^ {2}\d/.test(line))).toHaveLength(3);
			expect(stdout.split("\n").filter((line) => line.startsWith("    "))).toEqual(["    Says", "    it."]);
		},
		{ "a.fake": "one\ntwo\nthree\n" },
	));

test("a hover is that of the name, wherever the symbol's range begins", () => {
	const declared = { name: "three", kind: 12, range: range(2, 3), selectionRange: { start: at(3, 9), end: at(3, 14) } };
	return withScript(
		(ws) => ({
			capabilities: hovering,
			on: [
				{
					method: "workspace/symbol",
					do: [{ reply: [inFile(ws, "one", 0), inFile(ws, "two", 1, 4), inFile(ws, "three", 2)] }],
				},
				{ method: "textDocument/documentSymbol", do: [{ reply: [declared] }] },
				{ method: "textDocument/hover", do: [{ echo: true }] },
			],
		}),
		async (ws) => {
			const { stdout } = await ws.cli(["workspace_symbols", "--hover", "3", "--json"]);
			const positions = JSON.parse(stdout).symbols.map(({ hover }: { hover: string }) => hover.split(/\s/)[0]);
			expect(positions).toEqual(["1:10", "2:5", "4:10"]);
		},
		{ "a.fake": "function one() {}\ntwo two() {}\n@mark\nfunction three() {}\n" },
	);
});

test("a flat list is nested, and a symbol is found by its container", () => {
	const uri = "file:///nowhere";
	const flat = [
		{ name: "inner", kind: 6, location: { uri, range: range(1, 1) } },
		{ name: "Outer", kind: 5, location: { uri, range: range(0, 2) } },
		{ name: "inner", kind: 12, location: { uri, range: range(3, 3) } },
	];
	const on = [{ method: "textDocument/documentSymbol", do: [{ reply: flat }] }];
	return withScript(
		{ capabilities: { documentSymbolProvider: true }, on },
		async (ws) => {
			expect((await ws.cli(["symbols", "a.fake"])).stdout).toBe(
				"class Outer  1-3\n  method inner  2\nfunction inner  4\n",
			);
			expect((await ws.cli(["source", "a.fake", "Outer.inner"])).stdout).toContain("a.fake:2\n");
			expect((await ws.cli(["source", "a.fake", "inner"])).stdout).toContain("a.fake:4\n");
			const context = await ws.cli(["context", "a.fake"]);
			expect(context.stdout).toContain("The server does not answer: callees.");
		},
		{ "a.fake": "{\n{}\n}\n{}\n" },
	);
});

test("symbols outside of the workspace are counted, not listed", () => {
	const symbol = (path: string) => ({ name: "one", kind: 12, location: { uri: `file://${path}`, range: range(0, 0) } });
	const places = (ws: Workspace) => ["/usr/lib/one.fake", ws.path("node_modules/x/one.fake"), ws.path("a.fake")];
	return withScript(
		(ws) => ({
			capabilities: searching,
			on: [{ method: "workspace/symbol", do: [{ reply: places(ws).map(symbol) }] }],
		}),
		async (ws) => {
			const { stdout } = await ws.cli(["workspace_symbols", "one"]);
			expect(stdout).toBe('1 symbol like "one"\na.fake\n  1: function one\n2 more in libraries.\n');
		},
	);
});

test("a server of a file that had no answer is named if the answers of several are combined", () =>
	withWorkspace({ "a.fake": "one two\n" }, async (ws) => {
		const config = join(ws.base, "config/pi-lsp");
		mkdirSync(config, { recursive: true });
		const capabilities = { ...searching, codeActionProvider: true, documentFormattingProvider: true };
		const asked = ["textDocument/codeAction", "textDocument/documentSymbol", "textDocument/formatting"];
		const on = asked.map((method) => ({ method, do: [{ error: { code: -32603, message: "no more memory" } }] }));
		const server = (id: string, script: Script, over: object = {}) => ({
			...{ id, match: ["fake"], command: process.execPath, args: [FAKE_SERVER, JSON.stringify(script)] },
			...{ rootMarkers: [], looseFiles: true, languageId: "fake", ...over },
		});
		const answering = server("answering", { capabilities });
		const failing = { capabilities, on };
		const configure = (...servers: object[]) => writeFileSync(join(config, "config.json"), JSON.stringify({ servers }));
		configure(answering, server("failing", failing, { role: "linter" }));
		const actions = await ws.cli(["code_actions", "a.fake", "--line", "1"]);
		expect(actions.stdout).toContain("No server that answered has a fix");
		expect(actions.stdout).toMatch(/The answer may be incomplete: failing\b.*no more memory/);
		expect((await ws.cli(["format", "a.fake"])).stdout).toMatch(/failing\b.*no more memory/);
		configure(answering, server("failing", failing));
		expect((await ws.cli(["symbols", "a.fake"])).stdout).toMatch(/may be incomplete: failing\b.*no more memory/);
		// A server that does not offer the operation had no answer.
		configure(answering, server("failing", { capabilities: { ...capabilities, codeActionProvider: undefined } }));
		expect((await ws.cli(["code_actions", "a.fake", "--line", "1"])).stdout).toBe(
			"No server has a fix or a refactoring for this place.\n",
		);
	}));

test("a name is renamed by a server that has no references", () =>
	withScript(
		(ws) => {
			const edit = { range: { start: at(0, 0), end: at(0, 3) }, newText: "uno" };
			const changes = { [`file://${ws.path("a.fake")}`]: [edit] };
			return {
				capabilities: { ...searching, renameProvider: true, referencesProvider: false },
				on: [{ method: "textDocument/rename", do: [{ reply: { changes } }] }],
			};
		},
		async (ws) => {
			const { stdout } = await ws.cli(["rename", "a.fake", "--line", "1", "--column", "1", "--new-name", "uno"]);
			expect(stdout).toContain("renamed one → uno");
			expect(ws.read("a.fake")).toBe("uno two\n");
		},
	));

test("context lists the methods of all impl blocks in Rust, each with its signature and without its body", () => {
	const symbol = (name: string, kind: number, line: number, children: readonly object[] = []) => ({
		...{ name, kind, range: range(line, line, 80), selectionRange: range(line, line, 80), children },
	});
	const lines = [
		...["struct Client;", "impl Client {", "    fn get(&self) -> u8 { 1 }", "}"],
		...["impl Client {", "    fn put(&self, by: fn(u8) -> u8) {}", "}"],
		...["impl Named for Client {", '    fn name(&self) -> String { format!("{}", 1) }', "}"],
	];
	const [struct, block, method] = [23, 19, 6];
	const tree = [
		symbol("Client", struct, 0),
		symbol("impl Client", block, 1, [symbol("get", method, 2)]),
		symbol("impl Client", block, 4, [symbol("put", method, 5)]),
		symbol("impl Named for Client", block, 7, [symbol("name", method, 8)]),
		symbol('describe("x") callback', 12, 9),
	];
	return withScript(
		{
			capabilities: { documentSymbolProvider: true },
			on: [{ method: "textDocument/documentSymbol", do: [{ reply: tree }] }],
		},
		async (ws) => {
			const { stdout } = await ws.cli(["context", "a.fake", "--json"]);
			const { symbols } = JSON.parse(stdout) as { readonly symbols: readonly { symbol: string; signature: string }[] };
			expect(symbols.map(({ symbol: path }) => path)).toEqual(["Client", "Client.get", "Client.put", "Client.name"]);
			expect(symbols.map(({ signature }) => signature)).toEqual([
				...["struct Client;", "fn get(&self) -> u8", "fn put(&self, by: fn(u8) -> u8)", "fn name(&self) -> String"],
			]);
		},
		{ "a.fake": `${lines.join("\n")}\n` },
	);
});
