import { readFileSync } from "node:fs";
import { pause } from "../../src/util/abort.ts";
import type { World } from "../../test/faults/world.ts";
import { ownMegabytes } from "../../test/support/processes.ts";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { growthOf, type Sample } from "../soak/meter.ts";
import { askWithoutPause, Outcome } from "./crowd.ts";
import { clients, membersIn, workspaces } from "./members.ts";
import { withServer } from "./programs.ts";

const rounds = 50;
const quietMs = 3000;

/**
 * Runs the clients of mcp-load for this many minutes and measures memory after each 10,000 requests; the first half warms
 * up.
 */
export function mcpSoak(world: World, minutes: number, log: (line: string) => void): Promise<Figure[]> {
	return withServer(world, workspaces, async (url, pid) => {
		const members = membersIn(world, url);
		const outcome = new Outcome();
		for (const member of members.slice(-workspaces)) await outcome.ask(member, 4);
		for (const member of members) {
			await member.client.open();
			await outcome.ask(member, 0);
		}
		const pids = { "the MCP server": pid, "the daemon": world.daemon() };
		const samples: Readonly<Record<keyof typeof pids, Sample[]>> = { "the MCP server": [], "the daemon": [] };
		const began = performance.now();
		let done = 0;
		while (performance.now() - began < minutes * 60_000) {
			await askWithoutPause(members, outcome, rounds);
			done += clients * rounds;
			await pause(quietMs);
			const seconds = (performance.now() - began) / 1000;
			for (const [name, kept] of Object.entries(samples))
				kept.push({ seconds, done, megabytes: ownMegabytes(pids[name as keyof typeof pids]), descriptors: 0 });
			const now = Object.values(samples).map((kept) => `${kept.at(-1)?.megabytes.toFixed(1)} MB`);
			log(
				`${done} requests, ${(seconds / 60).toFixed(1)} min: ${now}; load ${readFileSync("/proc/loadavg", "utf8").slice(0, 4)}`,
			);
		}
		for (const { client } of members) await client.close();
		for (const example of outcome.examples) log(example);
		return [
			...Object.entries(samples).map(([name, kept]) =>
				atMost(`MCP: memory of ${name} for each 10,000 requests`, "MB", growthOf(kept.slice(kept.length / 2)), 1),
			),
			wrongAnswers("MCP: lost", outcome.lost, done),
			wrongAnswers("MCP: crossed", outcome.crossed, done),
		];
	});
}
