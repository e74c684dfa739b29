import { readdirSync } from "node:fs";
import { pause } from "../../src/util/abort.ts";
import type { World } from "../../test/faults/world.ts";
import { ownMegabytes } from "../../test/support/processes.ts";
import { processorMs } from "../../test/support/processor.ts";
import { atMost, type Benchmark, type Figure, wrongAnswers } from "../figures.ts";
import { inWorld } from "../soak/in-world.ts";
import { growthOf } from "../soak/meter.ts";
import { exactly, quantile, spreadOf } from "../statistics.ts";
import { askInTurn, askWithoutPause, Outcome } from "./crowd.ts";
import { clients, membersIn, workspaces } from "./members.ts";
import { withBareServer, withServer } from "./programs.ts";

const rounds = 50;
const requests = clients * rounds;
/** An agent that asks without a pause; a model takes longer for each turn. */
const everyMs = 1000;
/** More rounds of as many requests, after which the memory is measured. */
const laterRounds = 3;
const quietMs = 3000;
const maxStatusMs = 250;

/** 200 clients of `pi-lsp mcp --http` in 50 workspaces, half with sessions and half without, send 10,000 requests. */
export const mcpLoad: Benchmark = {
	name: "mcp-load",
	run: async (log) => {
		log(`${clients} clients over HTTP, ${workspaces} workspaces, ${requests} requests`);
		const bare = await inWorld((world) => withBareServer(world, (url, pid) => bareCrowd(world, url, pid)));
		return inWorld((world) => withServer(world, workspaces, (url, pid) => crowdOf({ world, url, pid, bare, log })));
	},
};

interface Bare {
	readonly statusMs: readonly number[];
	readonly perSecond: number;
	/** Of a processor, for each request. */
	readonly ms: number;
}

/** The same clients use the SDK alone. */
async function bareCrowd(world: World, url: URL, pid: number): Promise<Bare> {
	const members = membersIn(world, url).map((member) => ({ ...member, status: "daemon: pid" }));
	for (const { client } of members) await client.open();
	const outcome = new Outcome();
	await askWithoutPause(members, outcome, 5);
	const measured = new Outcome();
	const begun = processorMs(pid);
	const wallMs = await askWithoutPause(members, measured, rounds);
	const ms = (processorMs(pid) - begun) / requests;
	for (const { client } of members) await client.close();
	return { statusMs: measured.statusMs, perSecond: (requests / wallMs) * 1000, ms };
}

interface Crowd {
	readonly world: World;
	readonly url: URL;
	readonly pid: number;
	readonly bare: Bare;
	readonly log: (line: string) => void;
}

async function crowdOf({ world, url, pid, bare, log }: Crowd): Promise<Figure[]> {
	const members = membersIn(world, url);
	const first = new Outcome();
	// Starts the servers.
	for (const member of members.slice(-workspaces)) await first.ask(member, 4);
	const daemon = world.daemon();
	const before = [descriptorsOf(pid), descriptorsOf(daemon)] as const;
	// Agents start one after another; a call waits 5 s for the roots of its client.
	for (const member of members) {
		await member.client.open();
		await first.ask(member, 0);
	}
	const measured = new Outcome();
	const spent = () => [processorMs(pid), processorMs(daemon)] as const;
	const begun = spent();
	const wallMs = await askWithoutPause(members, measured, rounds);
	const [ours, theirs] = spent().map((ms, index) => (ms - (begun[index] ?? 0)) / requests) as [number, number];
	const inTurn = new Outcome();
	await askInTurn(members, inTurn, { rounds, everyMs });
	const later = new Outcome();
	const weighed: readonly [number[], number[]] = [[await weigh(pid)], [await weigh(daemon)]];
	for (let round = 0; round < laterRounds; round++) {
		await askWithoutPause(members, later, rounds);
		weighed[0].push(await weigh(pid));
		weighed[1].push(await weigh(daemon));
		log(`${(round + 3) * requests} requests: ${weighed.map((each) => `${each.at(-1)?.toFixed(1)} MB`)}`);
	}
	const left = (await Promise.all(members.map(({ client }) => client.close()))).filter(Boolean).length;
	const after = await comeBack([pid, daemon], before);
	const outcomes = [first, inTurn, measured, later];
	for (const example of outcomes.flatMap(({ examples }) => examples)) log(example);
	const all = requests * (2 + laterRounds);
	const sum = (field: "lost" | "crossed") => outcomes.reduce((count, outcome) => count + outcome[field], 0);
	return [
		{ what: "a status, each client asks once a second", unit: "ms", ours: spreadOf(inTurn.statusMs) },
		atMost("99th percentile of it", "ms", quantile(inTurn.statusMs, 0.99), maxStatusMs),
		{ what: "a hover, each client asks once a second", unit: "ms", ours: spreadOf(inTurn.hoverMs) },
		{
			what: "a status, each client asks without a pause",
			unit: "ms",
			bare: spreadOf(bare.statusMs),
			ours: spreadOf(measured.statusMs),
		},
		{
			...atMost("99th percentile of that", "ms", quantile(measured.statusMs, 0.99), maxStatusMs),
			bare: exactly(quantile(bare.statusMs, 0.99)),
		},
		{ what: "a hover, each client asks without a pause", unit: "ms", ours: spreadOf(measured.hoverMs) },
		{
			what: "answers in a second",
			unit: "",
			bare: exactly(Math.round(bare.perSecond)),
			ours: exactly(Math.round((requests / wallMs) * 1000)),
		},
		{
			what: "processor time of the MCP server for each of them",
			unit: "ms",
			bare: exactly(bare.ms),
			ours: exactly(ours),
		},
		{ what: "processor time of the daemon for each of them", unit: "ms", ours: exactly(theirs) },
		wrongAnswers("lost", sum("lost"), all),
		wrongAnswers("crossed", sum("crossed"), all),
		wrongAnswers("sessions left", left, clients / 2),
		atMost("descriptors of the MCP server, more than before", "", after[0] - before[0], 2),
		atMost("descriptors of the daemon, more than before", "", after[1] - before[1], 2),
		atMost("memory of the MCP server for each 10,000 requests", "MB", growth(weighed[0]), 1),
		atMost("memory of the daemon for each 10,000 requests", "MB", growth(weighed[1]), 1),
	];
}

async function weigh(pid: number): Promise<number> {
	await pause(quietMs);
	return ownMegabytes(pid);
}

function growth(megabytes: readonly number[]): number {
	const samples = megabytes.map((value, index) => ({
		seconds: 0,
		done: index * requests,
		megabytes: value,
		descriptors: 0,
	}));
	return growthOf(samples);
}

function descriptorsOf(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}

/** The server closes sockets later. */
async function comeBack(pids: readonly [number, number], before: readonly [number, number]) {
	for (let waited = 0; waited < 20; waited++) {
		if (pids.every((pid, index) => descriptorsOf(pid) <= (before[index] ?? 0))) break;
		await pause(500);
	}
	return pids.map(descriptorsOf) as [number, number];
}
