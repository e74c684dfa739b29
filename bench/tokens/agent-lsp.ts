import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { pause } from "../../src/util/abort.ts";
import { findProgram } from "../../test/live/languages.ts";
import { REPOSITORY } from "../../test/support/repository.ts";
import type { Workspace } from "../../test/support/workspace.ts";

/** agent-lsp waits for a push of every file that it opens, in milliseconds. */
const maxWaitMs = 120_000;
/** The time to read the project, in milliseconds; until then its server knows only the open files. */
const readyMs = 60_000;

/** agent-lsp's two formats; `gcf` is its default. */
export type AgentFormat = "gcf" | "json";

/** Asks agent-lsp a question; resolves with all text for the model. */
export type AskAgent = (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;

/**
 * Runs `body` with an agent-lsp and the typescript-language-server of pi-lsp in a workspace, once `isReady` has held: after
 * agent-lsp reports that it is ready, it answers from open files only for some seconds.
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
		const result = await client.callTool({ name: tool, arguments: { ...input } }, undefined, { timeout: maxWaitMs });
		return textOf(result as CallToolResult);
	};
	try {
		await ask("start_lsp", { root_dir: ws.root, language_id: "typescript", ready_timeout_seconds: readyMs / 1000 });
		for (const began = performance.now(); !(await isReady(ask)); await pause(500))
			if (performance.now() - began > readyMs) throw new Error(`agent-lsp (${format}) was not ready in time`);
		return await body(ask);
	} finally {
		await client.close();
		// agent-lsp's own background server outlives it.
		execFileSync(command, ["daemon-stop", "--all"], { env, stdio: "ignore" });
	}
}

/** Hints and notes are part of a result, since the model reads them as well. */
function textOf({ content }: CallToolResult): string {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
