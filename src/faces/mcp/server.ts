import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import manifest from "../../../package.json" with { type: "json" };
import type { CallerConfig } from "../../config/caller-config.ts";
import { readSettings } from "../../config/read-settings.ts";
import type { Caller } from "../../contract/caller.ts";
import { LspError } from "../../contract/errors.ts";
import { harmlessData } from "../../render/harmless.ts";
import { commandWriter, type Profile, toolCalled, toolsOf } from "../tools/profiles.ts";
import { invoke } from "../tools/tool-definitions.ts";
import { tellWaiting } from "./progress.ts";
import { workingDirectory } from "./roots.ts";
import { answered, failed, inTerminal, listed } from "./tools.ts";

/** What `pi-lsp mcp` was told on its command line. */
export interface McpOptions {
	/** The working directory; without it the client's first root. */
	readonly cwd: string | undefined;
	/** Which tools are offered; without it as the configuration says. */
	readonly profile: Profile | undefined;
	/** True: results also as data, with their schemas. Many clients feed both to the model. */
	readonly structured: boolean;
	readonly config?: CallerConfig;
}

const instructions = `These tools know the code as its compiler does, from real language servers that are kept warm.
- To find uses, definitions or types of a symbol, ask them instead of searching for text: they see through imports, overloads and equal names. For strings, comments and plain text, search.
- Name the symbol; add a line only if a name is ambiguous. Lines and columns count from 1.
- After you have changed files, run lsp_check on them before you go on. Only "clean" means that there is nothing: an answer that was not proven says so.`;

const ours: readonly Profile[] = ["core", "all"];

/** Nobody checks what this agent edits. */
const unchecked = { checks: true };

/** An MCP server whose tools are operations, each call carried out by `caller`. */
export function createMcpServer(caller: Caller, { cwd, profile, structured, config }: McpOptions): Server {
	const enabled = process.env.PI_LSP !== "0";
	const server = new Server(
		{ name: manifest.name, title: "pi-lsp: the compiler's view of the code", version: manifest.version },
		// They name tools of ours; who chose another product's has its words.
		{ capabilities: { tools: {} }, ...(enabled && ours.includes(profile ?? "core") ? { instructions } : {}) },
	);
	const directory = workingDirectory(server, cwd);
	const profileNow = async () => {
		if (profile) return profile;
		// What is wrong with a configuration is told by the calls.
		const settings = await readSettings(await directory(), { config, withoutTrust: true }).catch(() => undefined);
		return settings?.navigationTools === false ? "none" : (settings?.profile ?? "core");
	};
	server.setRequestHandler(ListToolsRequestSchema, async () => ({
		tools: enabled ? toolsOf(await profileNow(), unchecked).map((tool) => listed(tool, structured)) : [],
	}));
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
		const given = params.arguments ?? {};
		// One that is not offered works all the same: an answer may name it as the next step.
		const current = await profileNow();
		const tool = toolCalled(params.name, given, current, unchecked);
		if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${harmlessData(params.name)}".`);
		const write = commandWriter(toolsOf(current, unchecked), inTerminal);
		if (!enabled) return failed(new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0)."), tool, write);
		const asked = { cwd: await directory(), ...(config ? { config } : {}) };
		const progressToken = params._meta?.progressToken;
		const end =
			progressToken === undefined
				? undefined
				: tellWaiting(caller, asked.cwd, (progress, message) => {
						const params = { progressToken, progress, message: harmlessData(message) };
						const told = { method: "notifications/progress", params } as const;
						// The client may have gone.
						sendNotification(told).catch(() => {});
					});
		try {
			const call = tool.read(given, asked.cwd);
			const told = await invoke(call, (input) => caller.call(call.operation, { ...asked, input }, signal), write);
			return answered(told, structured);
		} catch (thrown) {
			return failed(thrown, tool, write);
		} finally {
			end?.();
		}
	});
	return server;
}
