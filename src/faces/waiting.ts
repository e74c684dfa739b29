import type { Caller } from "../contract/caller.ts";
import type { Status } from "../operations/servers.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";

const everyMs = 1000;
const partsOfPercent = 1000;

interface Progress {
	/** Grows always: percents, else seconds. */
	readonly progress: number;
	/** Only of percents. */
	readonly total?: number;
	readonly message: string;
}

interface Waiting {
	readonly message: string;
	readonly percentage?: number;
}

const unknown: Waiting = { message: "waiting for the answer" };

/** Each second, until the result is called. */
export function reportWaiting(caller: Caller, cwd: string, report: (progress: Progress) => void): () => void {
	let progress = 0;
	let waiting = unknown;
	let isAsking = false;
	let ended = false;
	const askStatus = async () => {
		isAsking = true;
		const status = await caller.call<Status>("status", { cwd, input: {} }).catch(() => undefined);
		waiting = (status && describe(status, (await realPathOf(cwd)) ?? cwd)) ?? unknown;
		isAsking = false;
	};
	const timer = setInterval(async () => {
		if (!isAsking)
			await Promise.race([askStatus(), new Promise((resolve) => setTimeout(resolve, everyMs / 2).unref())]);
		if (ended) return;
		const next = progressAfter(progress, waiting);
		progress = next.progress;
		report(next);
	}, everyMs);
	return () => {
		ended = true;
		clearInterval(timer);
	};
}

/** Each step may count from 0: its scale is another. */
export function progressAfter(before: number, { message, percentage }: Waiting): Progress {
	if (percentage === undefined) return { progress: Math.floor(before) + 1, message };
	const progress = Math.max(percentage, Math.round(before * partsOfPercent + 1) / partsOfPercent);
	const isServers = progress < percentage + 1 && progress <= 100;
	return { progress, ...(isServers ? { total: 100 } : {}), message };
}

function describe({ daemon: { checks = [] }, servers }: Status, cwd: string): Waiting | undefined {
	const waitedFor = servers.filter(
		({ root, state, busy }) =>
			(isInside(root, cwd) || isInside(cwd, root)) && (state === "starting" || busy !== undefined),
	);
	if (waitedFor.length === 0) {
		const check = checks.find(({ directory, files }) => directory === cwd && files > 1);
		if (check === undefined) return undefined;
		const { files, done } = check;
		return {
			message: `${done} of ${files} files are checked`,
			percentage: Math.floor((100 * done) / files),
		};
	}
	const message = waitedFor
		.map(({ id, state, busy }) => (state === "starting" ? `${id} is starting` : `${id}: ${busy}`))
		.join("; ");
	const percentages = waitedFor.flatMap(({ percentage }) => percentage ?? []);
	return { message, ...(percentages.length === waitedFor.length ? { percentage: Math.min(...percentages) } : {}) };
}
