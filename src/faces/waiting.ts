import type { Caller } from "../contract/caller.ts";
import type { ServerStatus, Status } from "../operations/servers.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";

const everyMs = 1000;

/** Each second, until the returned function is called. */
export function reportWaiting(
	caller: Caller,
	cwd: string,
	report: (seconds: number, message: string) => void,
): () => void {
	let seconds = 0;
	let message = "waiting for the answer";
	let isAsking = false;
	let ended = false;
	const askStatus = async () => {
		isAsking = true;
		const status = await caller.call<Status>("status", { cwd, input: {} }).catch(() => undefined);
		message = (status && describe(status.servers, (await realPathOf(cwd)) ?? cwd)) || "waiting for the answer";
		isAsking = false;
	};
	const timer = setInterval(async () => {
		const now = ++seconds;
		if (!isAsking)
			await Promise.race([askStatus(), new Promise((resolve) => setTimeout(resolve, everyMs / 2).unref())]);
		if (!ended) report(now, message);
	}, everyMs);
	return () => {
		ended = true;
		clearInterval(timer);
	};
}

function describe(servers: readonly ServerStatus[], cwd: string): string {
	return servers
		.filter(({ root }) => isInside(root, cwd) || isInside(cwd, root))
		.flatMap(({ id, state, busy }) => {
			if (state === "starting") return [`${id} is starting`];
			return busy === undefined ? [] : [`${id}: ${busy}`];
		})
		.join("; ");
}
