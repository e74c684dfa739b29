import process from "node:process";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { CLI } from "../../support/repository.ts";
import type { Workspace } from "../../support/workspace.ts";

/** A client of `pi-lsp mcp`, the official one, over its standard input and output. */
export interface Mcp {
	readonly client: Client;
	/** Calls a tool; rejects only for what the protocol calls an error. */
	call(name: string, input: object): Promise<CallToolResult>;
	/** The text that the model reads; fails if the tool did. */
	text(name: string, input: object): Promise<string>;
}

export interface McpSetting {
	readonly args?: readonly string[];
	/** Where the server is started; the project without it. */
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly options?: ClientOptions;
	/** What starts the server, without it this process. */
	readonly command?: readonly [string, ...string[]];
	/** To be called before the handshake: handlers for what the server asks. */
	readonly prepare?: (client: Client) => void;
}

/** Runs a test with a connected client; at its end the connection is closed, and nothing it was told of was unreadable. */
export async function withMcp<T>(
	ws: Workspace,
	{ args = [], cwd = ws.root, env = ws.env, options, prepare, command }: McpSetting,
	body: (mcp: Mcp) => Promise<T>,
): Promise<T> {
	const client = new Client({ name: "test", version: "1" }, options);
	const mistakes: string[] = [];
	client.onerror = (error) => void mistakes.push(error.message);
	prepare?.(client);
	const transport = new StdioClientTransport({
		command: command?.[0] ?? process.execPath,
		args: command?.slice(1) ?? [CLI, "mcp", ...args],
		cwd,
		env: { ...env },
		stderr: "pipe",
	});
	transport.stderr?.on("data", (chunk: Buffer) => ws.record(`mcp: ${chunk}`));
	await client.connect(transport);
	const call = async (name: string, input: object) =>
		(await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
	try {
		const value = await body({
			client,
			call,
			async text(name, input) {
				const result = await call(name, input);
				if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
				return textOf(result);
			},
		});
		if (mistakes.length > 0) throw new Error(`the client complains: ${mistakes.join("; ")}`);
		return value;
	} finally {
		await client.close();
	}
}

/** All that a result says, as one text. */
export function textOf({ content }: CallToolResult): string {
	return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
