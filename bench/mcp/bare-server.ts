import process from "node:process";
import { Server } from "@modelcontextprotocol/server";
import { serveHttp } from "../../src/faces/mcp/http-server.ts";
import { listed } from "../../src/faces/mcp/tools.ts";
import { OfferedTools } from "../../src/faces/tools/profiles.ts";
import { statusText } from "../../src/render/status/status.ts";

/**
 * The SDK with the product's own HTTP server and tools, each of which answers at once with a status of fifty servers: the
 * time of a request before pi-lsp does anything for it. The token is in PI_LSP_TOKEN.
 */

const tools = new OfferedTools({ withCheck: true })
	.of("all")
	.map((tool) => listed(tool, { structured: false, slim: false }));
const text = statusText({
	daemon: { pid: 1, upMs: 60_000, memoryBytes: 90_000_000 },
	servers: Array.from({ length: 50 }, (_, index) => ({
		id: "gopls",
		root: `/tmp/pi-lsp-test-abcdef/project/ws-${index}`,
		state: "active" as const,
		strategy: "push",
		pid: 10_000 + index,
		memoryBytes: 45_000_000,
		upMs: 60_000,
		documents: 4,
	})),
	problems: [],
});

function serverFor(): Server {
	const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", () => ({ tools }));
	server.setRequestHandler("tools/call", () => ({ content: [{ type: "text" as const, text }] }));
	return server;
}

await serveHttp(serverFor, { port: 0, address: "127.0.0.1", token: process.env.PI_LSP_TOKEN, hosts: [] });
