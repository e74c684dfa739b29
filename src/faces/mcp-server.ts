import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import manifest from "../../package.json" with { type: "json" };
import { LspError } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import { operations } from "../operations/index.ts";
import type { CallerConfig } from "../workspace/caller-config.ts";
import type { Caller } from "./caller.ts";
import { tellWaiting } from "./mcp-progress.ts";
import { workingDirectory } from "./mcp-roots.ts";
import { answered, failed, toolFor } from "./mcp-tools.ts";
import { toolName } from "./profile.ts";

/** What `pi-lsp mcp` was told on its command line. */
export interface McpOptions {
	/** The working directory; without it the client's first root. */
	readonly cwd: string | undefined;
	/** Those that are offered. */
	readonly tools: readonly AnyOperation[];
	/** True: results also as data, with their schemas. Many clients feed both to the model. */
	readonly structured: boolean;
	readonly config?: CallerConfig;
}

const instructions = `These tools know the code as its compiler does, from real language servers that are kept warm.
- To find uses, definitions or types of a symbol, ask them instead of searching for text: they see through imports, overloads and equal names. For strings, comments and plain text, search.
- Name the symbol; add a line only if a name is ambiguous. Lines and columns count from 1.
- After you have changed files, run lsp_check on them before you go on. Only "clean" means that there is nothing: an answer that was not proven says so.`;

/** An MCP server whose tools are operations, each call carried out by `caller`. */
export function createMcpServer(caller: Caller, { cwd, tools, structured, config }: McpOptions): Server {
	const enabled = process.env.PI_LSP !== "0";
	const server = new Server(
		{ name: manifest.name, title: "pi-lsp: the compiler's view of the code", version: manifest.version },
		{ capabilities: { tools: {} }, ...(enabled ? { instructions } : {}) },
	);
	const directory = workingDirectory(server, cwd);
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: enabled ? tools.map((operation) => toolFor(operation, structured)) : [],
	}));
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
		// One that is not offered works all the same: an answer may name it as the next step.
		const operation = operations.find((each) => toolName(each) === params.name);
		if (!operation) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}".`);
		if (!enabled) return failed(new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0)."));
		const input = params.arguments ?? {};
		const asked = { cwd: await directory(), ...(config ? { config } : {}) };
		const progressToken = params._meta?.progressToken;
		const end =
			progressToken === undefined
				? undefined
				: tellWaiting(caller, asked.cwd, (progress, message) => {
						const told = { method: "notifications/progress", params: { progressToken, progress, message } } as const;
						// The client may have gone.
						sendNotification(told).catch(() => {});
					});
		try {
			const output = await caller.call(operation.name, { ...asked, input }, signal);
			return answered(operation, output, input, structured);
		} catch (thrown) {
			return failed(thrown);
		} finally {
			end?.();
		}
	});
	return server;
}
