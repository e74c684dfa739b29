import type { Caller } from "../../contract/caller.ts";
import { DaemonLink } from "../daemon-link.ts";

/**
 * The daemon, started if need be, or with `daemon: false` this process itself. With `wait: false` it is started at the first
 * call, if it is not there already.
 */
export async function callerFor({
	daemon,
	wait = true,
}: {
	readonly daemon: boolean;
	readonly wait?: boolean;
}): Promise<Caller> {
	if (!daemon) {
		// Not static: with a daemon the engine would be read for nothing, at every command.
		const { createInProcess } = await import("../../daemon/in-process.ts");
		return createInProcess();
	}
	const link = new DaemonLink();
	if (wait) await link.get();
	else link.join();
	return { call: (method, params, signal) => link.call(method, params, signal), close: async () => link.close() };
}
