import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type McpSetting, textOf, withMcp } from "./client.ts";

const projects = Object.fromEntries(
	["one", "two"].flatMap((name) => [
		...Object.entries(TYPESCRIPT_PROJECT).map(([file, text]) => [`${name}/${file}`, text]),
		[`${name}/src/a.ts`, `export function from_${name}() {}\n`],
	]),
);
const outline = { file: "src/a.ts" };

/** A client with roots, which may change, and a server that is started elsewhere. */
function rooted(ws: Workspace, roots: string[], args: readonly string[] = []): McpSetting {
	return {
		args,
		cwd: ws.base,
		options: { capabilities: { roots: { listChanged: true } } },
		prepare: (client) =>
			client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) })),
	};
}

test("the client's first root is the working directory, and another one after a notification", () =>
	withWorkspace(projects, async (ws) => {
		const [one, two] = [ws.path("one"), ws.path("two")].map((path) => pathToFileURL(path).href) as [string, string];
		const roots = [one, two];
		await withMcp(ws, rooted(ws, roots), async ({ client, text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_one");
			roots.splice(0, 1);
			await client.sendRootsListChanged();
			expect(await text("lsp_symbols", outline)).toContain("from_two");
			// An empty list of roots keeps the earlier root.
			roots.splice(0, 1);
			await client.sendRootsListChanged();
			expect(await text("lsp_symbols", outline)).toContain("from_two");
		});
	}));

test("a path in any of the client's roots is answered there, a directory outside of them only if it may be named", () =>
	withWorkspace(projects, async (ws) => {
		const roots = ["one", "two"].map((name) => pathToFileURL(ws.path(name)).href);
		ws.write("three/tsconfig.json", "{}\n");
		ws.write("three/c.ts", "export function from_three(): void {}\n");
		ws.write("bare/d.ts", "export const d = 1;\n");
		const three = { file_path: pathToFileURL(ws.path("three/c.ts")).href };
		await withMcp(ws, rooted(ws, roots), async ({ text }) => {
			expect(await text("lsp_symbols", { file: ws.path("two/src/a.ts") })).toContain("from_two");
			expect(await text("lsp_symbols", { file: pathToFileURL(ws.path("one/src/a.ts")).href })).toContain("from_one");
			await expect(text("start_lsp", { root_dir: ws.path("three") })).rejects.toThrow("LSP_OUTSIDE_WORKSPACE");
		});
		await withMcp(ws, rooted(ws, roots, ["--profile", "agent-lsp"]), async ({ text }) => {
			await expect(text("get_document_symbols", three)).rejects.toThrow("LSP_OUTSIDE_WORKSPACE");
			expect(await text("start_lsp", { root_dir: ws.path("three") })).toContain("ready");
			expect(await text("get_document_symbols", three)).toContain("from_three");
			for (const refused of ["/", "/usr/lib", ws.path("bare"), ws.path("gone")])
				await expect(text("start_lsp", { root_dir: refused }), refused).rejects.toThrow("LSP_OUTSIDE_WORKSPACE");
		});
	}));

test("restart_lsp_server stops the servers of the root that it names, and no others", () =>
	withWorkspace(projects, async (ws) => {
		const roots = ["one", "two"].map((name) => pathToFileURL(ws.path(name)).href);
		await withMcp(ws, rooted(ws, roots, ["--profile", "agent-lsp"]), async ({ text }) => {
			for (const name of ["one", "two"])
				expect(await text("list_symbols", { file_path: ws.path(name, "src/a.ts") })).toContain(`from_${name}`);
			const restart = (name: string) => text("restart_lsp_server", { root_dir: ws.path(name) });
			expect(await restart("two")).toMatch(/^Stopped 1 server;/);
			expect(await restart("two")).toBe("No language server is running.");
			expect(await restart("one")).toMatch(/^Stopped 1 server;/);
		});
	}));

const another = "another owner's project";
const unnamable: readonly [string, (ws: Workspace) => string][] = [
	["the home directory", (ws) => join(ws.base, "home")],
	["a folder of installed packages", (ws) => ws.path("three/node_modules/three")],
	[another, (ws) => join(ws.base, "theirs")],
];

// Only root can give a directory to another owner.
const tried = unnamable.filter(([what]) => what !== another || process.getuid?.() === 0);

test.skipIf(tried.length === unnamable.length)(`no tool may name ${another} as a workspace`, () => {});

test.each(tried)("no tool may name %s as a workspace", (what, directoryIn) =>
	withWorkspace(projects, async (ws) => {
		const directory = directoryIn(ws);
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, "tsconfig.json"), "{}\n");
		writeFileSync(join(directory, "d.ts"), "export const d = 1;\n");
		if (what === another) chownSync(directory, 65_534, 65_534);
		const setting = rooted(ws, [pathToFileURL(ws.path("one")).href], ["--profile", "agent-lsp"]);
		await withMcp(ws, setting, async ({ text }) => {
			for (const [tool, given] of [
				["start_lsp", { root_dir: directory }],
				["add_workspace_folder", { path: directory }],
			] as const)
				await expect(text(tool, given), tool).rejects.toThrow("LSP_OUTSIDE_WORKSPACE");
		});
	}),
);

test("profile llxprt stays in its workspace, whatever tool is called", () =>
	withWorkspace({ ...projects, "three/tsconfig.json": "{}\n", "three/c.ts": "export const c = 1;\n" }, (ws) =>
		withMcp(ws, rooted(ws, [pathToFileURL(ws.path("one")).href], ["--profile", "llxprt"]), async ({ call }) => {
			for (const [tool, given] of [
				["open_document", { file_path: ws.path("three/c.ts") }],
				["start_lsp", { root_dir: ws.path("three") }],
				["add_workspace_folder", { path: ws.path("three") }],
			] as const)
				expect(textOf(await call(tool, given)), tool).toContain("LSP_OUTSIDE_WORKSPACE");
		}),
	));

test("roots that arrive after a call has stopped waiting for them count for later calls", () =>
	withWorkspace(projects, async (ws) => {
		let answer = () => {};
		const asked = new Promise<void>((resolve) => {
			answer = resolve;
		});
		const prepare = (client: Client) =>
			client.setRequestHandler(ListRootsRequestSchema, async () => {
				await asked;
				return { roots: [{ uri: pathToFileURL(ws.path("two")).href }] };
			});
		const setting = { cwd: ws.path("one"), options: { capabilities: { roots: {} } }, prepare };
		await withMcp(ws, setting, async ({ text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_one");
			answer();
			await until("the roots count", async () => {
				const found = await text("lsp_symbols", outline);
				return found.includes("from_two") ? met(undefined) : notYet(found);
			});
		});
	}));

test("a root that is no directory of this machine is skipped", () =>
	withWorkspace(projects, async (ws) => {
		const roots = ["file:///gone%00", `file://${ws.base}/gone`, `file://${ws.path("two")}`];
		await withMcp(ws, rooted(ws, roots), async ({ text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_two");
		});
	}));

test("--cwd overrides the roots, and the working directory without either is the server's own", () =>
	withWorkspace(projects, async (ws) => {
		const roots = [pathToFileURL(ws.path("two")).href];
		await withMcp(ws, rooted(ws, roots, ["--cwd", "ws/one"]), async ({ text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_one");
		});
		await withMcp(ws, { cwd: ws.path("one") }, async ({ text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_one");
		});
		const wrong = await ws.cli(["mcp", "--cwd", "nowhere"]);
		expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--cwd nowhere: no such directory") });
	}));
