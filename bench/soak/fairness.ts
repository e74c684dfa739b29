import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../src/util/abort.ts";
import type { World } from "../../test/faults/world.ts";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { quantile } from "../statistics.ts";
import { echoServer, ownFile, Tally } from "./crowd.ts";

const projects = 20;
const maxServers = 16;

/** L3: 20 projects with two servers each and a client for each server, while at most 16 servers may run. */
export async function fairness(world: World, rounds: number, log: (line: string) => void): Promise<Figure[]> {
	log(`L3: ${projects} projects with two servers each, ${rounds} requests of each client`);
	const servers = echoServer(world, "gopls", "vscode-json-language-server");
	const clients = [];
	for (let index = 0; index < projects; index++) {
		const cwd = join(world.base, "projects", String(index));
		mkdirSync(join(cwd, ".git"), { recursive: true });
		writeFileSync(join(cwd, "go.mod"), "module sample\n");
		for (const kind of ["go", "json"]) {
			const own = ownFile(`own-${index}.${kind}`, index);
			writeFileSync(join(cwd, own.file), own.text);
			clients.push({ caller: await world.connect({ cwd }), own, tally: new Tally() });
		}
	}
	let peak = 0;
	let over = false;
	const watching = (async () => {
		for (; !over; await pause(50)) peak = Math.max(peak, servers.flatMap((server) => server.alive()).length);
	})();
	await Promise.all(
		clients.map(async ({ caller, own, tally }) => {
			for (let round = 0; round < rounds; round++)
				await (round % 4 === 3 ? tally.check(caller, own) : tally.hover(caller, own, round + 1));
		}),
	);
	over = true;
	await watching;
	const tallies = clients.map(({ tally }) => tally);
	for (const example of tallies.flatMap(({ examples }) => examples).slice(0, 5)) log(example);
	const waits = tallies.map(({ ms }) => ms.reduce((sum, each) => sum + each, 0));
	const sum = (of: "lost" | "crossed") => tallies.reduce((total, tally) => total + tally[of], 0);
	const n = clients.length * rounds;
	return [
		wrongAnswers("L3: lost", sum("lost"), n),
		wrongAnswers("L3: crossed", sum("crossed") + world.violations.length, n),
		atMost("L3: servers at once", "", peak, maxServers),
		atMost(
			"L3: the worst client's waiting, as a multiple of the median",
			"",
			quantile(waits, 1) / quantile(waits, 0.5),
			5,
		),
	];
}
