import { type Profiler, Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { sweepOrphans } from "../../process/orphans.ts";
import { Log } from "../../util/log.ts";
import { openLog } from "./address.ts";
import { writeEnd } from "./ended.ts";
import type { Watched } from "./watchdog.ts";

const profileMs = 100;
const maxFrames = 20;

watch(workerData as Watched);

function watch({ beats, beatMs, logMs, endMs, identity, address }: Watched): void {
	const log = new Log(address.log, openLog);
	let last = Atomics.load(beats, 0);
	let missed = 0;
	let stack: string | undefined;

	setInterval(() => {
		const now = Atomics.load(beats, 0);
		if (now !== last) {
			if (stack !== undefined) log.write("the loop goes on", { ms: missed * beatMs });
			last = now;
			missed = 0;
			stack = undefined;
			return;
		}
		missed++;
		const ms = missed * beatMs;
		if (stack === undefined && ms >= logMs) {
			stack = "";
			profileMainThread((found) => {
				stack = found;
				log.write("the loop is blocked", { ms, at: found });
			});
		}
		if (ms >= endMs) end(ms);
	}, beatMs);

	function end(ms: number): void {
		log.write("ended, since its loop was blocked", { ms, at: stack ?? "" });
		try {
			writeEnd(address.ended, { identity, ms });
			// See docs/facts.md, 14.
			sweepOrphans(identity);
		} finally {
			process.kill(process.pid, "SIGKILL");
		}
	}
}

/** Innermost first, by a profile: a running regular expression cannot be paused. */
function profileMainThread(done: (stack: string) => void): void {
	const session = new Session();
	session.connectToMainThread();
	session.post("Profiler.enable");
	session.post("Profiler.start");
	setTimeout(() => {
		session.post("Profiler.stop", (error, result) => {
			session.disconnect();
			done(error ? "" : mostFrequentStack(result.profile));
		});
	}, profileMs);
}

function mostFrequentStack({ nodes, samples = [] }: Profiler.Profile): string {
	const counts = new Map<number, number>();
	for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
	const [top] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const frames: string[] = [];
	for (let id = top; id !== undefined && frames.length < maxFrames; id = parents.get(id)) {
		const { functionName = "", lineNumber = 0, columnNumber = 0, url = "" } = byId.get(id)?.callFrame ?? {};
		if (url !== "")
			frames.push(`${functionName || "(anonymous)"} ${url.split("/").at(-1)}:${lineNumber + 1}:${columnNumber + 1}`);
	}
	return frames.join(" < ");
}
