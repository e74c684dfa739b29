import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import { waitUntil } from "../../test/faults/waits.ts";
import type { World } from "../../test/faults/world.ts";
import { processesOf } from "../../test/support/processes.ts";
import { processorMs } from "../../test/support/processor.ts";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { echoServer, ownFile, Tally } from "./crowd.ts";
import { startDaemon } from "./preloaded.ts";

/** Of one processor; the daemon checks its socket and its lock every five seconds. */
const maxShare = 0.001;
const hours = 24;

/**
 * L7: a warm daemon with a server and an idle client, first for some real seconds, then for 24 hours of a clock that runs
 * `factor` times as fast.
 */
export async function idle(
	world: World,
	{ seconds, factor }: { readonly seconds: number; readonly factor: number },
	log: (line: string) => void,
): Promise<Figure[]> {
	log(`L7: ${seconds} s in real time, ${hours} h ${factor} times as fast`);
	echoServer(world, "gopls");
	const own = ownFile("own.go", 1);
	world.write(own.file, own.text);
	const pid = await startDaemon(world, "warp.cjs", { env: { PI_LSP_WARP: String(factor) } });
	const tally = new Tally();
	const caller = await world.connect();
	await tally.hover(caller, own, 1);
	// Some 8 s after an answer V8 collects its garbage.
	await pause(15_000);
	const servers = processesOf(world.ws.runId).filter((found) => found.pid !== pid);
	const before = [pid, ...servers.map((server) => server.pid)].map((each) => processorMs(each));
	await pause(seconds * 1000);
	const [daemonMs = 0, ...serverMs] = [pid, ...servers.map((server) => server.pid)].map(
		(each, index) => processorMs(each) - (before[index] ?? 0),
	);
	log(`the fake server took ${serverMs.map((ms) => ms.toFixed(1)).join(", ")} ms meanwhile`);
	process.kill(pid, "SIGUSR1");
	const began = performance.now();
	await waitUntil(
		"every process has ended",
		() => processesOf(world.ws.runId).length === 0,
		(hours * 3_600_000) / factor,
	).catch(() => {});
	const left = processesOf(world.ws.runId);
	log(`every process had ended after ${(((performance.now() - began) * factor) / 3_600_000).toFixed(1)} h`);
	await tally.hover(await world.connect(), own, 2);
	for (const example of tally.examples) log(example);
	return [
		atMost(`L7: processor time in ${seconds} idle seconds`, "ms", daemonMs, seconds * 1000 * maxShare),
		wrongAnswers(`L7: processes after ${hours} idle hours`, left.length, 1),
		wrongAnswers("L7: wrong answers before and after", tally.lost + tally.crossed, 2),
	];
}
