import process from "node:process";
import { InMemoryServerEventBus, Server } from "@modelcontextprotocol/server";
import { serveHttp } from "../../../../../src/faces/mcp/http-server.ts";
import { serveStandardStreams } from "../../../../../src/faces/mcp/stdio.ts";
import { complete, prompts, read, resources, sealed, templates, tools } from "./fixtures.ts";

/**
 * The server that the official suite calls, behind the product's own transports: a program for conformance.test.ts.
 * `--stdio` is for standard input and output.
 */

const bus = new InMemoryServerEventBus();

function serverFor(): Server {
	const changes = { listChanged: true };
	const server: Server = new Server(
		{ name: "conformance", version: "1" },
		{
			capabilities: {
				tools: changes,
				prompts: changes,
				resources: { ...changes, subscribe: true },
				completions: {},
				logging: {},
			},
			cacheHints: { "tools/list": { ttlMs: 1000 } },
			requestState: sealed,
		},
	);
	server.setRequestHandler("tools/list", () => ({ tools: Object.values(tools).map(({ tool }) => tool) }));
	server.setRequestHandler(
		"tools/call",
		({ params }, { mcpReq }) =>
			tools[params.name]?.call(params.arguments ?? {}, { request: mcpReq, server, bus }) ??
			Promise.resolve({ isError: true, content: [{ type: "text" as const, text: "There is no such tool." }] }),
	);
	server.setRequestHandler("resources/list", () => ({ resources }));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: templates }));
	server.setRequestHandler("resources/read", ({ params }) => read(params.uri));
	server.setRequestHandler("resources/subscribe", () => ({}));
	server.setRequestHandler("resources/unsubscribe", () => ({}));
	server.setRequestHandler("completion/complete", complete);
	server.setRequestHandler("prompts/list", () => ({ prompts: Object.values(prompts).map(({ prompt }) => prompt) }));
	server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
		const found = prompts[params.name];
		if (!found) throw new Error("There is no such prompt.");
		return found.get(params.arguments ?? {}, mcpReq);
	});
	return server;
}

if (process.argv.includes("--stdio")) await serveStandardStreams(serverFor, () => undefined);
else await serveHttp(serverFor, { port: 0, address: "127.0.0.1", token: undefined, hosts: [] }, { bus });
