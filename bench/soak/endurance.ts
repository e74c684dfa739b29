import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import type { Caller } from "../../test/faults/caller.ts";
import { backTo, holdingsOf } from "../../test/faults/oracle.ts";
import { appears, hasExited } from "../../test/faults/waits.ts";
import type { World } from "../../test/faults/world.ts";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { spreadOf } from "../statistics.ts";
import { echoServer, type OwnFile, ownFile, Tally } from "./crowd.ts";
import { growthOf, Meter, type Sample } from "./meter.ts";
import { startDaemon } from "./preloaded.ts";

export interface Burden {
	readonly requests: number;
	readonly restarts: number;
	readonly files: number;
	readonly connects: number;
}

/** `shortened` is for a try. */
export const full: Burden = { requests: 100_000, restarts: 1000, files: 10_000, connects: 10_000 };
export const shortened: Burden = { requests: 6000, restarts: 60, files: 2000, connects: 600 };

const heapMegabytes = 128;
const workers = 12;
/** Files in a directory, which a package-wide check covers: a Go package of a usual size. */
const together = 10;
/** The largest limit of the daemon's records of changes (src/watch/change-log.ts). */
const largestCap = 5000;

interface Status {
	readonly servers: readonly { readonly pid?: number; readonly documents?: number }[];
	readonly metrics?: Readonly<Record<string, { readonly starts: number; readonly crashes: number }>>;
}

/** L5: many requests, restarts, files and connections for a daemon with a small heap. */
export async function endurance(
	world: World,
	burden: Burden,
	log: (line: string) => void,
): Promise<{ readonly figures: Figure[]; readonly samples: readonly Sample[] }> {
	const { requests, restarts, files, connects } = burden;
	log(`L5: ${requests} requests, ${restarts} restarts, ${files} files, ${connects} connections`);
	echoServer(world, "gopls");
	const own = Array.from({ length: files }, (_, index) =>
		ownFile(`d${index % Math.ceil(files / together)}/own-${index}.go`, index),
	);
	for (const { file, text } of own) world.write(file, text);
	const probe = join(world.base, "probe.json");
	const node = [`--max-old-space-size=${heapMegabytes}`];
	const pid = await startDaemon(world, "probe.cjs", { node, env: { PI_LSP_PROBE: probe } });
	const control = await world.connect();
	await control.hover("a.go");

	const before = holdingsOf(pid);
	const tally = new Tally();
	const meter = new Meter(pid, () => tally.answered);
	const documents: number[] = [];
	let asked = 0;
	const working = Array.from({ length: workers }, async () => {
		while (asked < requests && !hasExited(pid)) {
			const session = String(asked);
			const caller = await world.connect();
			for (let round = 0; round < requests / connects && asked < requests; round++)
				await askOne(tally, caller, world.root, own[asked++ % files] as OwnFile, round, session);
			caller.close();
		}
	});
	let restarted = 0;
	const restarting = (async () => {
		while (restarted < restarts && !hasExited(pid)) {
			if (tally.answered + tally.lost >= requests) break;
			if (asked < (restarted * requests) / restarts) await pause(5);
			else documents.push(await restart(control, restarted++));
		}
	})();
	await Promise.all([...working, restarting]);
	meter.look();
	meter.stop();
	const { metrics } = await control.ask<Status>("status", {}).catch((): Status => ({ servers: [] }));
	log(`${restarted} restarts, ${JSON.stringify(metrics?.gopls)}`);
	for (const example of [...tally.examples, ...world.violations.slice(0, 3)]) log(example);

	const alive = !hasExited(pid);
	if (alive) await backTo(pid, before, heapMegabytes).catch(() => {});
	const after = alive ? holdingsOf(pid) : before;
	const heap = alive ? await heapOf(pid, probe) : { heapMegabytes: Number.NaN, largest: [] };
	log(`largest maps and sets: ${heap.largest.join(", ")}`);
	const { samples } = meter;
	const figures: Figure[] = [
		wrongAnswers("L5: daemons that died", alive ? 0 : 1, 1),
		wrongAnswers("L5: lost", tally.lost, requests),
		wrongAnswers("L5: crossed", tally.crossed + world.violations.length, requests),
		{ what: "L5: from a request to its answer", unit: "ms", ours: spreadOf(tally.ms) },
		wrongAnswers("L5: restarts that did not happen", restarts - restarted, restarts),
		growth(requests, growthOf(meter.lastHalf())),
		{ what: "L5: memory", unit: "MB", ours: spreadOf(samples.map(({ megabytes }) => megabytes)) },
		{ what: "L5: heap afterwards, collected", unit: "MB", ours: spreadOf([heap.heapMegabytes]) },
		// The importers of each file of the project are known; `a.go` and `go.mod` are two more files.
		atMost("L5: the largest map or set of the daemon", "", heap.largest[0] ?? 0, Math.max(largestCap, files + 2)),
		atMost("L5: documents open in one server", "", Math.max(0, ...documents), 64),
		atMost("L5: descriptors, difference", "", Math.abs(after.descriptors - before.descriptors), 2),
	];
	return { figures, samples };
}

/** Judged only with enough requests; before, the heap grows to its working size. */
function growth(requests: number, megabytes: number): Figure {
	const what = "L5: memory, more in 10,000 requests, over the last half";
	return requests < full.requests
		? { what, unit: "MB", ours: spreadOf([megabytes]) }
		: atMost(what, "MB", megabytes, 1);
}

/** Mostly hovers; in each connection one check, and one edit with its own session. */
function askOne(tally: Tally, caller: Caller, cwd: string, own: OwnFile, round: number, session: string) {
	if (round === 3) return tally.check(caller, own);
	if (round === 6) return tally.edit(caller, own, { cwd, session, call: `call-${session}` });
	return tally.hover(caller, own, (round % 50) + 1);
}

/** Restarts the server, by request and by a crash in turn; returns how many documents it had open. */
async function restart(control: Caller, nth: number): Promise<number> {
	const { servers } = await control.ask<Status>("status", {});
	const [server] = servers;
	if (nth % 2 === 0) await control.ask("restart", {});
	else if (server?.pid !== undefined) process.kill(server.pid, "SIGKILL");
	return server?.documents ?? 0;
}

interface Heap {
	readonly heapMegabytes: number;
	readonly largest: readonly number[];
}

async function heapOf(pid: number, probe: string): Promise<Heap> {
	if (existsSync(probe)) rmSync(probe);
	process.kill(pid, "SIGUSR2");
	await appears(probe, 30_000);
	return JSON.parse(readFileSync(probe, "utf8")) as Heap;
}
