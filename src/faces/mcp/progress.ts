import type { Caller } from "../../contract/caller.ts";
import type { ShownServer, ShownStatus } from "../../render/status/status.ts";
import { realPathOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";

const everyMs = 1000;

/** The seconds that a call has been waiting for, and for what. */
export type TellProgress = (seconds: number, message: string) => void;

/** Tells every second what a call is waiting for, as far as the daemon knows, until the returned function is called. */
export function tellWaiting(caller: Caller, cwd: string, tell: TellProgress): () => void {
	let seconds = 0;
	let message = "waiting for the answer";
	let looking = false;
	let ended = false;
	const look = async () => {
		looking = true;
		const status = await caller.call<ShownStatus>("status", { cwd, input: {} }).catch(() => undefined);
		message = (status && describe(status.servers, (await realPathOf(cwd)) ?? cwd)) || "waiting for the answer";
		looking = false;
	};
	const timer = setInterval(async () => {
		const now = ++seconds;
		// A daemon that is slow to say holds up no tick.
		if (!looking) await Promise.race([look(), new Promise((resolve) => setTimeout(resolve, everyMs / 2).unref())]);
		if (!ended) tell(now, message);
	}, everyMs);
	return () => {
		ended = true;
		clearInterval(timer);
	};
}

/** The servers of a directory's projects that are not ready, each with what it is doing. */
function describe(servers: readonly ShownServer[], cwd: string): string {
	return servers
		.filter(({ root }) => isInside(root, cwd) || isInside(cwd, root))
		.flatMap(({ id, state, busy }) => {
			if (state === "starting") return [`${id} is starting`];
			return busy === undefined ? [] : [`${id}: ${busy}`];
		})
		.join("; ");
}
