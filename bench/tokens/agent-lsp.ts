import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { pause } from "../../test/faults/waits.ts";
import { findProgram } from "../../test/live/languages.ts";
import { REPOSITORY } from "../../test/support/repository.ts";
import type { Workspace } from "../../test/support/workspace.ts";

/** How long its first answers may take: it waits for a push of every file that it opens. */
const patienceMs = 120_000;
/** How long it gets to read the project: until then its server knows the files that are open and no other. */
const readyMs = 60_000;

/** agent-lsp's two ways to write an answer; `gcf` is its default. */
export type AgentFormat = "gcf" | "json";

/** Asks agent-lsp a question, and gives all that a model would read. */
export type AskAgent = (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;

/**
 * Runs `body` with an agent-lsp in a workspace, with the typescript-language-server that pi-lsp brings behind it, once
 * `isReady` has held: it says that it is ready, and has been seen to answer for some seconds from open files only.
 */
export async function withAgentLsp<T>(
	ws: Workspace,
	format: AgentFormat,
	isReady: (ask: AskAgent) => Promise<boolean>,
	body: (ask: AskAgent) => Promise<T>,
): Promise<T> {
	const command = findProgram("agent-lsp") ?? "";
	const server = join(REPOSITORY, "node_modules/.bin/typescript-language-server");
	const env = { ...ws.env, ...(format === "json" ? { AGENT_LSP_OUTPUT_FORMAT: "json" } : {}) };
	const transport = new StdioClientTransport({
		command,
		args: [`typescript:${server},--stdio`],
		cwd: ws.root,
		env,
		stderr: "ignore",
	});
	const client = new Client({ name: "bench", version: "1" });
	await client.connect(transport);
	const ask: AskAgent = async (tool, input) => {
		const told = await client.callTool({ name: tool, arguments: { ...input } }, undefined, { timeout: patienceMs });
		return textOf(told as CallToolResult);
	};
	try {
		await ask("start_lsp", { root_dir: ws.root, language_id: "typescript", ready_timeout_seconds: readyMs / 1000 });
		for (const began = performance.now(); !(await isReady(ask)); await pause(500))
			if (performance.now() - began > readyMs) throw new Error(`agent-lsp (${format}) was not ready in time`);
		return await body(ask);
	} finally {
		await client.close();
		// A server of its own outlives it.
		execFileSync(command, ["daemon-stop", "--all"], { env, stdio: "ignore" });
	}
}

/** All of a result's text: hints and notes are read by the model as well. */
function textOf({ content }: CallToolResult): string {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
