import { addressOf } from "../src/daemon/lifecycle/address.ts";
import { connectDaemon, DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { stopDaemon } from "../src/daemon/lifecycle/stop.ts";
import { runPi } from "../test/faces/pi/run-pi.ts";
import { residentMegabytes } from "../test/support/processes.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type Benchmark, compared, type Figure } from "./figures.ts";
import { differences, inTurn, spreadOf } from "./statistics.ts";

const rounds = 24;
const warmUp = 2;

/** The cost of pi-lsp before any edit: pi's start and end with it and without, and the daemon's memory. */
export const start: Benchmark = {
	name: "start",
	run: async (log) => {
		log(`${rounds} starts of pi with pi-lsp and ${rounds} without`);
		return withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
			const [without, withIt] = await startsOf(ws, [undefined, REPOSITORY]);
			return [...figuresOf(without ?? [], withIt ?? []), await daemonMemory(ws)];
		});
	},
};

interface PiStart {
	/** From the start of the process to the first request to the model. */
	readonly startMs: number;
	/** From the model's answer to the end of the process. */
	readonly endMs: number;
}

/** Starts pi with each of some extensions in turn. */
async function startsOf(ws: Workspace, extensions: readonly (string | undefined)[]): Promise<PiStart[][]> {
	const participants = extensions.map((extension) => ({ extension, starts: [] as PiStart[] }));
	for (let round = -warmUp; round < rounds; round++)
		for (const { extension, starts } of inTurn(participants, round + warmUp)) {
			const measured = await onePi(ws, extension);
			if (round >= 0) starts.push(measured);
		}
	return participants.map(({ starts }) => starts);
}

async function onePi(ws: Workspace, extension: string | undefined): Promise<PiStart> {
	const args = extension === undefined ? ["--no-extensions"] : [];
	const began = performance.now();
	const run = await runPi(ws, [{ text: "Done." }], { extension, args });
	const ended = performance.now();
	const asked = run.requests[0]?.at ?? Number.NaN;
	return { startMs: asked - began, endMs: ended - asked };
}

function figuresOf(without: readonly PiStart[], withIt: readonly PiStart[]): Figure[] {
	const starts = [without, withIt].map((all) => all.map(({ startMs }) => startMs)) as [number[], number[]];
	const ends = [without, withIt].map((all) => all.map(({ endMs }) => endMs)) as [number[], number[]];
	return [
		compared("pi -p, from its start to its first request", ...starts),
		{
			what: "of it added by pi-lsp",
			unit: "ms",
			ours: spreadOf(differences(...starts)),
			bar: { text: "80 ms", limit: 80 },
		},
		compared("pi -p, from the model's answer to its end", ...ends, { factor: 1, plus: 20 }),
	];
}

async function daemonMemory(ws: Workspace): Promise<Figure> {
	const megabytes: number[] = [];
	for (let round = 0; round < 5; round++) {
		(await connectDaemon(ws.env)).close();
		const found = await DaemonClient.find(addressOf(ws.env));
		if (!found) throw new Error("the daemon that was just started is gone");
		await found.client.call("status", { cwd: ws.root, input: {} });
		megabytes.push(residentMegabytes(found.hello.pid));
		found.client.close();
		await stopDaemon(ws.env);
	}
	return {
		what: "the daemon's memory without a server",
		unit: "MB",
		ours: spreadOf(megabytes),
		bar: { text: "75 MB", limit: 75 },
	};
}
