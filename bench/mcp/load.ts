import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import type { World } from "../../test/faults/world.ts";
import { ownMegabytes } from "../../test/support/processes.ts";
import { processorMs } from "../../test/support/processor.ts";
import { CLI } from "../../test/support/repository.ts";
import { met, notYet, until } from "../../test/support/until.ts";
import { atMost, type Benchmark, type Figure, wrongAnswers } from "../figures.ts";
import { echoServer, type OwnFile, ownFile } from "../soak/crowd.ts";
import { inWorld } from "../soak/in-world.ts";
import { growthOf } from "../soak/meter.ts";
import { quantile, spreadOf } from "../statistics.ts";
import { type Call, HttpClient } from "./http-client.ts";

const clients = 200;
const workspaces = 50;
const requestsOfEach = 50;
/** Further ones of as many requests, behind the measured one, of which the memory is weighed. */
const laterRounds = 3;
const quietMs = 3000;
const token = "of a bench";

/** 200 clients of `pi-lsp mcp --http` over 50 workspaces, half with sessions and half without, 10,000 requests. */
export const mcpLoad: Benchmark = {
	name: "mcp-load",
	run: async (log) => {
		log(`${clients} clients over HTTP, ${workspaces} workspaces, ${clients * requestsOfEach} requests`);
		return inWorld((world) => withServer(world, (url, pid) => crowdOf(world, url, pid, log)));
	},
};

interface Member {
	readonly client: HttpClient;
	readonly own: OwnFile;
	/** What every answer to `lsp_status` has. */
	readonly status: string;
	readonly path: string;
}

/** What became of the requests. */
class Outcome {
	readonly statusMs: number[] = [];
	readonly hoverMs: number[] = [];
	lost = 0;
	crossed = 0;
	readonly examples: string[] = [];

	async ask({ client, own, status, path }: Member, round: number): Promise<void> {
		const isHover = round % 5 === 4;
		const hover = { name: "lsp_hover", arguments: { file: path, line: 1, column: round + 1 } };
		const call: Call = isHover ? hover : { name: "lsp_status", arguments: {} };
		const wanted = isHover ? `1:${round + 1} ${own.text}`.trim() : status;
		const began = performance.now();
		try {
			const text = await client.call(call);
			(isHover ? this.hoverMs : this.statusMs).push(performance.now() - began);
			if (`${text}\n`.includes(wanted)) return;
			this.crossed++;
			this.#example(`${path}: ${text}`);
		} catch (error) {
			this.lost++;
			this.#example((error as Error).message);
		}
	}

	#example(what: string): void {
		if (this.examples.length < 5) this.examples.push(what.slice(0, 300));
	}
}

async function crowdOf(world: World, url: URL, pid: number, log: (line: string) => void): Promise<Figure[]> {
	const members = membersIn(world, url);
	const first = new Outcome();
	// Starts the servers.
	for (const member of members.slice(-workspaces)) await first.ask(member, 4);
	const daemon = world.daemon();
	const before = [descriptorsOf(pid), descriptorsOf(daemon)] as const;
	// One after another, as agents come: a call waits 5 s for the roots of its client.
	for (const member of members) {
		await member.client.open();
		await first.ask(member, 0);
	}
	const measured = new Outcome();
	const spent = () => [processorMs(pid), processorMs(daemon)] as const;
	const [began, begun] = [performance.now(), spent()];
	await askAll(members, measured);
	const wallMs = performance.now() - began;
	const requests = clients * requestsOfEach;
	const [ours, theirs] = spent().map((ms, index) => (ms - (begun[index] ?? 0)) / requests) as [number, number];
	const later = new Outcome();
	const weighed: readonly [number[], number[]] = [[await weigh(pid)], [await weigh(daemon)]];
	for (let round = 0; round < laterRounds; round++) {
		await askAll(members, later);
		weighed[0].push(await weigh(pid));
		weighed[1].push(await weigh(daemon));
		log(
			`${(round + 2) * clients * requestsOfEach} requests: ${weighed.map((each) => `${each.at(-1)?.toFixed(1)} MB`)}`,
		);
	}
	const left = (await Promise.all(members.map(({ client }) => client.close()))).filter(Boolean).length;
	const after = await comeBack([pid, daemon], before);
	for (const example of [...first.examples, ...measured.examples, ...later.examples]) log(example);
	const all = clients * requestsOfEach * (1 + laterRounds);
	const sum = (field: "lost" | "crossed") => first[field] + measured[field] + later[field];
	return [
		{ what: "a status", unit: "ms", ours: spreadOf(measured.statusMs) },
		atMost("99th percentile of it", "ms", quantile(measured.statusMs, 0.99), 250),
		{ what: "a hover", unit: "ms", ours: spreadOf(measured.hoverMs) },
		{ what: "all requests", unit: "ms", ours: spreadOf([wallMs]) },
		{ what: "processor time of the MCP server for each of them", unit: "ms", ours: spreadOf([ours]) },
		{ what: "processor time of the daemon for each of them", unit: "ms", ours: spreadOf([theirs]) },
		wrongAnswers("lost", sum("lost"), all),
		wrongAnswers("crossed", sum("crossed"), all),
		wrongAnswers("sessions left", left, clients / 2),
		atMost("descriptors of the MCP server, more than before", "", after[0] - before[0], 2),
		atMost("descriptors of the daemon, more than before", "", after[1] - before[1], 2),
		atMost("memory of the MCP server for each 10,000 requests", "MB", growth(weighed[0]), 1),
		atMost("memory of the daemon for each 10,000 requests", "MB", growth(weighed[1]), 1),
	];
}

function membersIn(world: World, url: URL): Member[] {
	return Array.from({ length: clients }, (_, index) => {
		const folder = `ws-${index % workspaces}`;
		const own = ownFile(`own-${index}.go`, index);
		const path = world.write(`${folder}/${own.file}`, own.text);
		// Half of those of each workspace.
		const hasSession = Math.floor(index / workspaces) % 2 === 0;
		const root = join(world.root, folder);
		const client = new HttpClient(url, token, hasSession ? root : undefined);
		return { client, own, path, status: hasSession ? `clangd: disabled, ${root}\n` : "daemon: pid" };
	});
}

/** The next question of a client follows its answer, as with agents. */
async function askAll(members: readonly Member[], outcome: Outcome): Promise<void> {
	await Promise.all(
		members.map(async (member) => {
			for (let round = 0; round < requestsOfEach; round++) await outcome.ask(member, round);
		}),
	);
}

async function weigh(pid: number): Promise<number> {
	await pause(quietMs);
	return ownMegabytes(pid);
}

function growth(megabytes: readonly number[]): number {
	const each = clients * requestsOfEach;
	const samples = megabytes.map((value, index) => ({
		seconds: 0,
		done: index * each,
		megabytes: value,
		descriptors: 0,
	}));
	return growthOf(samples);
}

function descriptorsOf(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}

/** Sockets are closed in the server's own time. */
async function comeBack(pids: readonly [number, number], before: readonly [number, number]) {
	for (let waited = 0; waited < 20; waited++) {
		if (pids.every((pid, index) => descriptorsOf(pid) <= (before[index] ?? 0))) break;
		await pause(500);
	}
	return pids.map(descriptorsOf) as [number, number];
}

async function withServer<T>(world: World, body: (url: URL, pid: number) => Promise<T>): Promise<T> {
	echoServer(world, "gopls");
	// Its workspaces are the folders below.
	rmSync(join(world.root, "go.mod"));
	mkdirSync(join(world.root, ".git"));
	for (let index = 0; index < workspaces; index++) {
		world.write(`ws-${index}/go.mod`, "module sample\n");
		mkdirSync(join(world.root, `ws-${index}/.git`));
		world.write(`ws-${index}/.pi-lsp.json`, '{ "disable": ["clangd"] }\n');
	}
	const folder = join(world.env.XDG_CONFIG_HOME ?? "", "pi-lsp");
	mkdirSync(folder, { recursive: true });
	// One server for each workspace; without this the daemon keeps 16.
	writeFileSync(join(folder, "config.json"), `{ "maxServers": ${workspaces} }\n`);
	const env = { ...world.env, PI_LSP_TOKEN: token };
	const child = spawn(process.execPath, [CLI, "mcp", "--http", "--port", "0", "--profile", "all"], {
		cwd: world.root,
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	const exit = new Promise((resolve) => child.once("exit", resolve));
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	try {
		const url = await until("it says where it listens", () => {
			const [, found] = /^listening on (\S+)$/m.exec(stderr) ?? [];
			return found === undefined ? notYet(stderr) : met(new URL(found));
		});
		return await body(url, child.pid ?? 0);
	} finally {
		child.kill("SIGTERM");
		await exit;
	}
}
