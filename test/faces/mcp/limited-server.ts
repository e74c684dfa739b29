import process from "node:process";
import { InMemoryServerEventBus, Server } from "@modelcontextprotocol/server";
import { printAside } from "../../../src/faces/cli/print.ts";
import { serveHttp } from "../../../src/faces/mcp/http-server.ts";
import { pause } from "../../../src/util/abort.ts";

/**
 * The product's HTTP server with the limits of its first argument, for http-limits.test.ts. Its one tool answers after
 * so many ms; a stream of notifications is sent more than a connection holds, and its end is printed.
 */

const bus = new InMemoryServerEventBus();

function serverFor(): Server {
	const server = new Server(
		{ name: "limits", version: "1" },
		{ capabilities: { tools: {}, resources: { subscribe: true } } },
	);
	server.setRequestHandler("tools/call", async ({ params }) => {
		await pause(Number(params.arguments?.ms));
		return { content: [{ type: "text" as const, text: "late" }] };
	});
	return server;
}

await serveHttp(
	serverFor,
	{ port: 0, address: "127.0.0.1", token: undefined, hosts: [] },
	{
		bus,
		limits: JSON.parse(process.argv[2] ?? ""),
		listens({ resourceSubscriptions: [uri = ""] = [] }, ended) {
			const sending = setInterval(() => bus.publish({ kind: "resource_updated", uri }), 1);
			void ended.then(() => {
				clearInterval(sending);
				printAside("a stream has ended");
			});
		},
	},
);
