import { randomUUID } from "node:crypto";
import {
	type CallToolRequest,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
} from "@modelcontextprotocol/server";
import manifest from "../../../package.json" with { type: "json" };
import type { CallerConfig } from "../../config/caller-config.ts";
import { type Profile, readSettings, type Settings } from "../../config/read-settings.ts";
import type { Caller } from "../../contract/caller.ts";
import { LspError } from "../../contract/errors.ts";
import { harmlessData } from "../../render/harmless.ts";
import { OperationCalls } from "../operation-calls.ts";
import { commandWriter, readingOnly, toolCalled, toolsOf } from "../tools/profiles.ts";
import { invoke } from "../tools/tool-definitions.ts";
import { reportWaiting } from "./progress.ts";
import { ClientDirectories } from "./roots.ts";
import { errorResult, inTerminal, listed, successResult, withProblems } from "./tools.ts";

export interface McpOptions {
	/** Else the client's first root. */
	readonly cwd: string | undefined;
	/** Else the configuration's. */
	readonly profile: Profile | undefined;
	/** Off by default: many clients send data and text to the model. */
	readonly structured: boolean;
	readonly config?: CallerConfig;
}

const instructions = `These tools know the code as its compiler does, from real language servers that are kept warm.
- To find uses, definitions or types of a symbol, ask them instead of searching for text: they see through imports, overloads and equal names. For strings, comments and plain text, search.
- Name the symbol; add a line only if a name is ambiguous. Lines and columns count from 1.
- After you have changed files, run lsp_check on them before you go on. Only "clean" means that there is nothing: an answer that was not proven says so.`;

/** Those whose tools may name another tree. */
const namingProfiles: readonly Profile[] = ["agent-lsp", "all"];

/** No hook checks edits over MCP. */
const toolOptions = { withCheck: true };

/** What is the same for every client, and for as long as this process runs. */
const discoveryMs = 3_600_000;
/** Configuration files may change what is offered; a list is made anew for each client that asks. */
const listMs = 60_000;

/**
 * What makes the servers of one client, which carry calls out through `caller`. A client that tries `server/discover` and then
 * sends `initialize` gets a second one.
 */
export function mcpServers(
	caller: Caller,
	{ cwd, profile, structured, config }: McpOptions,
	calls = new OperationCalls(caller),
): () => Server {
	const enabled = process.env.PI_LSP !== "0";
	// They name tools of these profiles.
	const isInstructed = enabled && ["core", "read", "all"].includes(profile ?? "core");
	const conversation = { id: `mcp ${randomUUID()}`, begunAt: Date.now() };
	const directories = new ClientDirectories(cwd);
	// Calls report a configuration that cannot be read.
	const currentSettings = async () =>
		readSettings(await directories.first, { config, withoutTrust: true }).catch(() => undefined);
	const profileOf = (settings: Settings | undefined) => {
		if (settings?.enabled === false) return "none";
		return profile ?? (settings?.navigationTools === false ? "none" : (settings?.profile ?? "core"));
	};
	const told = new Set<string>();
	const listTools = async () => ({
		tools: enabled
			? toolsOf(profileOf(await currentSettings()), toolOptions).map((tool) => listed(tool, structured))
			: [],
	});
	const callTool = async ({ params }: CallToolRequest, { mcpReq: { signal, notify } }: ServerContext) => {
		const args = params.arguments ?? {};
		const settings = await currentSettings();
		const current = profileOf(settings);
		const tool = toolCalled(params.name, args, current, toolOptions);
		if (!tool)
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${harmlessData(params.name)}".`);
		const write = commandWriter(toolsOf(current, toolOptions), inTerminal);
		if (!enabled) return errorResult(new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0)."), tool, write);
		const place = await directories.of(args, namingProfiles.includes(current));
		const about = { ...place, conversation, ...(config ? { config } : {}) };
		const problems = () => [...(settings?.problems ?? []), ...[calls.audit.problem ?? []].flat()];
		const progressToken = params._meta?.progressToken;
		const stopProgress =
			progressToken === undefined
				? undefined
				: reportWaiting(caller, about.cwd, (progress, message) => {
						const params = { progressToken, progress, message: harmlessData(message) };
						// The client may have closed the connection.
						notify({ method: "notifications/progress", params }).catch(() => {});
					});
		try {
			const answer = await calls.run({ tool: params.name, args, profile: current, about, signal }, (request) => {
				const call = (current === "read" ? readingOnly(tool) : tool).parse(args, about.cwd);
				return invoke(call, (input) => request(call.operation, input), write);
			});
			return withProblems(successResult(answer, structured), problems(), told);
		} catch (thrown) {
			return withProblems(errorResult(thrown, tool, write), problems(), told);
		} finally {
			stopProgress?.();
		}
	};
	return () => {
		const server = new Server(
			{ name: manifest.name, title: "pi-lsp: the compiler's view of the code", version: manifest.version },
			{
				capabilities: { tools: {} },
				...(isInstructed ? { instructions } : {}),
				cacheHints: { "server/discover": { ttlMs: discoveryMs }, "tools/list": { ttlMs: listMs } },
			},
		);
		directories.follow(server);
		server.setRequestHandler("tools/list", listTools);
		server.setRequestHandler("tools/call", callTool);
		return server;
	};
}
