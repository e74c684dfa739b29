import { type Profiler, Session } from "node:inspector";
import process from "node:process";
import { workerData } from "node:worker_threads";
import { sweepOrphans } from "../../process/orphans.ts";
import { Log } from "../../util/log.ts";
import { openLog } from "./address.ts";
import { writeEnd } from "./ended.ts";
import type { Watched } from "./watchdog.ts";

/** The thread beside the daemon's event loop: see `startWatchdog`. */

const { beats, beatMs, tellMs, endMs, identity, address } = workerData as Watched;
const log = new Log(address.log, openLog);
const profileMs = 100;
const maxFrames = 20;

let last = Atomics.load(beats, 0);
let missed = 0;
let place: string | undefined;

setInterval(() => {
	const now = Atomics.load(beats, 0);
	if (now !== last) {
		if (place !== undefined) log.write("the loop goes on", { ms: missed * beatMs });
		last = now;
		missed = 0;
		place = undefined;
		return;
	}
	missed++;
	const ms = missed * beatMs;
	if (place === undefined && ms >= tellMs) {
		place = "";
		placeOf((found) => {
			place = found;
			log.write("the loop is blocked", { ms, at: found });
		});
	}
	if (ms >= endMs) end(ms);
}, beatMs);

function end(ms: number): void {
	log.write("ended, since its loop was blocked", { ms, at: place ?? "" });
	try {
		writeEnd(address.ended, { identity, ms });
		// A server that ignores the end of its input would outlive the daemon.
		sweepOrphans(identity);
	} finally {
		process.kill(process.pid, "SIGKILL");
	}
}

/**
 * Tells the functions in which the loop stands, the innermost first. A profile and no pause of the debugger: a regular
 * expression reaches no statement at which it could pause.
 */
function placeOf(tell: (place: string) => void): void {
	const session = new Session();
	session.connectToMainThread();
	session.post("Profiler.enable");
	session.post("Profiler.start");
	setTimeout(() => {
		session.post("Profiler.stop", (error, result) => {
			session.disconnect();
			tell(error ? "" : mostFrequent(result.profile));
		});
	}, profileMs);
}

function mostFrequent({ nodes, samples = [] }: Profiler.Profile): string {
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
