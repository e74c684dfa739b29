import type { Caller } from "../../contract/caller.ts";
import type { OperationCalls } from "../operation-calls.ts";
import type { HttpOptions } from "./http-options.ts";
import { serveHttp } from "./http-server.ts";
import { mcpServers } from "./server.ts";
import { type McpOptions, McpSession } from "./session.ts";

/** A bundle of its own, with its own copy of the SDK. */
export function serveOverHttp(
	caller: Caller,
	options: McpOptions,
	calls: OperationCalls,
	http: HttpOptions,
): Promise<void> {
	return serveHttp((stateless) => mcpServers(new McpSession(caller, { ...options, stateless }, calls))(), http);
}
