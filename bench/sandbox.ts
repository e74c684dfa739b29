import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { servers } from "../server.ts";
import { ServerProcess } from "../src/process/server-process.ts";
import { Sandbox } from "../src/sandbox/sandbox.ts";
import { withServers } from "../test/live/languages.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../test/support/workspace.ts";
import { atMost, type Benchmark } from "./figures.ts";
import { inTurn, spreadOf } from "./statistics.ts";

const rounds = 100;
const warmUp = 4;
/** A program that starts at once, so that the sandbox's own time is measured. */
const program = { file: "/bin/sh", args: ["-c", "echo begun; cat"] };
const maxMs = 10;

/** What the sandbox adds to the start of a server, from its rules to the end of the program. */
export const sandbox: Benchmark = {
	name: "sandbox",
	program: "bwrap",
	run: () =>
		withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
			const env = withServers(ws.env);
			const config = servers.find(({ id }) => id === "typescript");
			if (!config) throw new Error("there is no server typescript");
			const places = new Sandbox();
			const start = async (mode: "off" | "require"): Promise<{ readonly ms: number; readonly spent: number }> => {
				const [began, before] = [performance.now(), spentMs()];
				const launch = { ...program, cwd: ws.root, env };
				const where = { config, root: ws.root, workspace: ws.root, env, mode };
				const server = await ServerProcess.start(await places.around(launch, where));
				await once(server.stdout, "data");
				const ms = performance.now() - began;
				await server.stop(Promise.resolve());
				return { ms, spent: spentMs() - before };
			};
			const participants = (["off", "require"] as const).map((mode) => ({ mode, took: [] as number[], spent: 0 }));
			for (let round = -warmUp; round < rounds; round++)
				for (const each of inTurn(participants, round + warmUp)) {
					const { ms, spent } = await start(each.mode);
					if (round < 0) continue;
					each.took.push(ms);
					each.spent += spent;
				}
			const [without, within] = participants.map(({ took }) => spreadOf(took));
			const [less = 0, more = 0] = participants.map(({ spent }) => spent / rounds);
			if (!without || !within) throw new Error("nothing was measured");
			return [
				{ what: "start of a program, without and with the sandbox", unit: "ms", bare: without, ours: within },
				{ what: "processor time of a start without it", unit: "ms", ours: spreadOf([less]) },
				atMost("processor time that the sandbox adds", "ms", more - less, maxMs),
			];
		}),
};

/** Milliseconds of processor time of this process and its ended children. */
function spentMs(): number {
	const { user, system } = process.cpuUsage();
	const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
	return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}
