import { connectDaemon } from "../daemon/connect.ts";
import { createInProcess } from "../daemon/in-process.ts";
import type { Caller } from "./caller.ts";

/** The daemon, started if need be, or with `daemon: false` this process itself. */
export async function callerFor({ daemon }: { readonly daemon: boolean }): Promise<Caller> {
	if (!daemon) return createInProcess();
	const client = await connectDaemon();
	return { call: (method, params, signal) => client.call(method, params, signal), close: async () => client.close() };
}
