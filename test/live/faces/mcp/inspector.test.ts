import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { operations } from "../../../../src/operations/index.ts";
import { daemonOf } from "../../../daemon/daemon.ts";
import { HOSTS_FOLDER } from "../../../faces/pi/hosts.ts";
import { CLI } from "../../../support/repository.ts";
import { runCommand } from "../../../support/run-command.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../../support/workspace.ts";

const modules = join(HOSTS_FOLDER, "node_modules");
const inspector = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
/** The inspector requires another Node than this repository. */
const node = join(modules, `node-${process.platform}-${process.arch}/bin/node`);
const isThere = existsSync(inspector) && existsSync(node);

// Its command line makes one request and exits: it subscribes to nothing, cancels nothing, and gets no progress.
test.for(["legacy", "modern"])(
	"the MCP inspector's command line lists, calls and reads in its %s era",
	(era, { skip }) => {
		if (!isThere) skip("the MCP inspector is not installed: node scripts/install-hosts.mjs");
		return withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": "export function greet() {}\n" }, async (ws) => {
			const inspect = async (...method: string[]) => {
				// The inspector passes on little of its own environment, and a daemon must not outlive its workspace.
				const env = Object.entries(ws.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
				const server = [process.execPath, CLI, "mcp", "--profile", "all"];
				const command = [inspector, "--cli", ...env, ...server, "--protocol-era", era, "--method", ...method];
				const { code, stdout, stderr } = await runCommand(node, command, { cwd: ws.root, env: ws.env });
				expect(code, stderr).toBe(0);
				return JSON.parse(stdout);
			};
			const { tools } = await inspect("tools/list");
			expect(tools.map(({ name }: { name: string }) => name)).toEqual(operations.map(({ name }) => `lsp_${name}`));
			const { content } = await inspect("tools/call", "--tool-name", "lsp_symbols", "--tool-arg", "file=src/a.ts");
			expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("greet") }]);
			const { resources } = await inspect("resources/list");
			expect(resources.map(({ uri }: { uri: string }) => uri)).toContain("lsp-status:///");
			const { contents } = await inspect("resources/read", "--uri", "lsp-symbols:///src/a.ts");
			expect(contents).toMatchObject([{ text: expect.stringContaining("greet") }]);
			const { prompts } = await inspect("prompts/list");
			expect(prompts.map(({ name }: { name: string }) => name)).toContain("lsp-verify");
			// The daemon that answered belongs to this workspace, and ends with it.
			expect(daemonOf(ws).pid).toBeGreaterThan(0);
		});
	},
);
