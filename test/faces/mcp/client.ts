import process from "node:process";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { CLI } from "../../support/repository.ts";
import type { Workspace } from "../../support/workspace.ts";

/** The official client over the standard input and output of `pi-lsp mcp`. */
export interface Mcp {
	readonly client: Client;
	/** Calls a tool; rejects only for an error of the protocol. */
	call(name: string, input: object): Promise<CallToolResult>;
	/** The text that the model reads; fails if the tool did. */
	text(name: string, input: object): Promise<string>;
}

export interface McpSetting {
	readonly args?: readonly string[];
	/** The directory in which the server is started, by default the project. */
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly options?: ClientOptions;
	/** The program that starts the server, by default this process. */
	readonly command?: readonly [string, ...string[]];
	/** Called before the handshake, to set handlers for requests of the server. */
	readonly prepare?: (client: Client) => void;
}

/**
 * Runs a test with a connected client; at its end the connection is closed, and no message may have been unreadable.
 */
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

/** All of a result's content, as one text. */
export function textOf({ content }: CallToolResult): string {
	return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
