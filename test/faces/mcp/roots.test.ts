import { pathToFileURL } from "node:url";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type McpSetting, withMcp } from "./client.ts";

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

test("the client's first root is the working directory, and another one when it says so", () =>
	withWorkspace(projects, async (ws) => {
		const [one, two] = [ws.path("one"), ws.path("two")].map((path) => pathToFileURL(path).href) as [string, string];
		const roots = [one, two];
		await withMcp(ws, rooted(ws, roots), async ({ client, text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_one");
			roots.splice(0, 1);
			await client.sendRootsListChanged();
			expect(await text("lsp_symbols", outline)).toContain("from_two");
			// No root is no reason to forget the one that was there.
			roots.splice(0, 1);
			await client.sendRootsListChanged();
			expect(await text("lsp_symbols", outline)).toContain("from_two");
		});
	}));

test("a root that is no directory of this machine is passed over", () =>
	withWorkspace(projects, async (ws) => {
		const roots = ["file:///gone%00", `file://${ws.base}/gone`, `file://${ws.path("two")}`];
		await withMcp(ws, rooted(ws, roots), async ({ text }) => {
			expect(await text("lsp_symbols", outline)).toContain("from_two");
		});
	}));

test("--cwd wins over the roots, and without either the working directory is the server's own", () =>
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
