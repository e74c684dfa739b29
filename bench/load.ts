import { backTo, type Holdings, holdingsOf } from "../test/faults/oracle.ts";
import type { World } from "../test/faults/world.ts";
import { atMost, type Benchmark, type Figure, wrongAnswers } from "./figures.ts";
import { echoServer, type OwnFile, ownFile, Tally } from "./soak/crowd.ts";
import { inWorld } from "./soak/in-world.ts";
import { quantile, spreadOf } from "./statistics.ts";

const clients = 200;
const requestsOfEach = 50;
const maxMoreMegabytes = 50;
/** The most minutes until the memory is freed. */
const maxMinutes = 2;

/** 200 clients of one warm daemon send 10,000 requests; each asks about its own file, every tenth time by a check. */
export const load: Benchmark = {
	name: "load",
	run: async (log) => {
		log(`${clients} clients at once, ${clients * requestsOfEach} requests`);
		return inWorld((world) => crowdOf(world, log));
	},
};

async function crowdOf(world: World, log: (line: string) => void): Promise<Figure[]> {
	echoServer(world, "gopls");
	const files = Array.from({ length: clients }, (_, index) => ownFile(`own-${index}.go`, index));
	for (const { file, text } of files) world.write(file, text);
	await (await world.connect()).hover("a.go");
	const pid = world.daemon();
	const before = holdingsOf(pid);
	const callers = await Promise.all(files.map(() => world.connect()));
	const warmUp = new Tally();
	for (const [index, own] of files.entries()) await warmUp.hover(callers[index]!, own, 1);

	const tally = new Tally();
	const began = performance.now();
	await Promise.all(
		callers.map(async (caller, index) => {
			const own = files[index] as OwnFile;
			// The next question follows the answer, as with agents.
			for (let round = 0; round < requestsOfEach; round++)
				await (round % 10 === 9 ? tally.check(caller, own) : tally.hover(caller, own, round + 1));
		}),
	);
	const wallMs = performance.now() - began;
	for (const caller of callers) caller.close();
	const after = await comesBack(pid, before);
	for (const example of [...warmUp.examples, ...tally.examples, ...world.violations.slice(0, 3)]) log(example);
	return figuresOf(tally, wallMs, before, after, world.violations.length);
}

/** V8 frees memory only after it has been idle for a while. */
async function comesBack(pid: number, before: Holdings): Promise<Holdings> {
	for (let waited = 0; waited < maxMinutes * 4; waited++)
		if (await backTo(pid, before, maxMoreMegabytes).catch(() => undefined)) break;
	return holdingsOf(pid);
}

function figuresOf(tally: Tally, wallMs: number, before: Holdings, after: Holdings, odd: number): Figure[] {
	const { ms, lost, crossed } = tally;
	const n = ms.length + lost;
	return [
		{
			what: "from a request to its answer",
			unit: "ms",
			ours: spreadOf(ms.length > 0 ? ms : [Number.NaN]),
		},
		atMost("99th percentile of it", "ms", quantile(ms, 0.99), 250),
		atMost("all requests", "ms", wallMs, 10_000),
		wrongAnswers("lost", lost, n),
		wrongAnswers("crossed", crossed, n),
		wrongAnswers("answers without a question, or repeated", odd, n),
		atMost("memory of the daemon, more than before", "MB", after.megabytes - before.megabytes, maxMoreMegabytes),
		atMost("descriptors of the daemon, difference", "", Math.abs(after.descriptors - before.descriptors), 2),
	];
}
