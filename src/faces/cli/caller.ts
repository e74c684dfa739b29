import { resolve } from "node:path";
import type { CallerConfig } from "../../config/caller-config.ts";
import type { Caller } from "../../contract/caller.ts";
import { DaemonLink } from "../daemon-link.ts";

/** With `wait: false` the daemon starts at the first call. */
export async function callerFor({
	daemon,
	wait = true,
}: {
	readonly daemon: boolean;
	readonly wait?: boolean;
}): Promise<Caller> {
	if (!daemon) {
		const { createInProcess } = await import("../../daemon/in-process.ts");
		return createInProcess();
	}
	const link = new DaemonLink();
	if (wait) await link.get();
	else link.join();
	return { call: (method, params, signal) => link.call(method, params, signal), close: async () => link.close() };
}

export function callerConfig(
	file: string | undefined,
	servers: readonly string[] = [],
): { readonly config?: CallerConfig } {
	if (file === undefined && servers.length === 0) return {};
	const parts = { ...(file === undefined ? {} : { file: resolve(file) }), ...(servers.length > 0 ? { servers } : {}) };
	return { config: { ...parts, directory: process.cwd() } };
}
