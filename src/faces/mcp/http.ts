import { InMemoryServerEventBus, type SubscriptionFilter } from "@modelcontextprotocol/server";
import type { Caller } from "../../contract/caller.ts";
import type { OperationCalls } from "../operation-calls.ts";
import type { HttpOptions } from "./http-options.ts";
import { serveHttp } from "./http-server.ts";
import { News } from "./news.ts";
import { Resources } from "./resources.ts";
import { mcpServers } from "./server.ts";
import { type McpOptions, McpSession } from "./session.ts";

export async function serveOverHttp(
	caller: Caller,
	options: McpOptions,
	calls: OperationCalls,
	http: HttpOptions,
): Promise<void> {
	const bus = new InMemoryServerEventBus();
	/** Stateless clients have no roots, so listeners share a directory. */
	const all = new McpSession(caller, { ...options, stateless: true }, calls);
	const profile = all.profile(await all.settings());
	const news = new News(all, new Resources(all), {
		updated: (uri) => bus.publish({ kind: "resource_updated", uri }),
		listsChanged() {
			for (const kind of ["tools_list_changed", "prompts_list_changed", "resources_list_changed"] as const)
				bus.publish({ kind });
		},
		log: undefined,
	});
	const serverFor = (stateless: boolean) => {
		// Clients without sessions look alike: what one declines, none is asked.
		const declined = stateless ? all.declined : undefined;
		const session = new McpSession(caller, { ...options, stateless }, calls, declined);
		return mcpServers(session, profile)({ era: stateless ? "modern" : "legacy" });
	};
	const listens = (filter: SubscriptionFilter, ended: Promise<void>) => {
		news.listen(ended, filter);
		void ended.then(() => news.unlisten(ended));
	};
	return serveHttp(serverFor, http, { bus, listens }).finally(() => news.end());
}
