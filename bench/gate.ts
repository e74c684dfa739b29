import { join } from "node:path";
import process from "node:process";
import { stopDaemon } from "../src/daemon/lifecycle/stop.ts";
import { CLI, REPOSITORY } from "../test/support/repository.ts";
import { runCommand } from "../test/support/run-command.ts";
import { type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type Benchmark, compared, wrongAnswers } from "./figures.ts";
import { inTurn } from "./statistics.ts";

const rounds = 3;
const compiler = join(REPOSITORY, "node_modules/typescript/lib/tsc.js");

/** `pi-lsp check .` of this repository, without a daemon and with a warm one, compared with `tsc --noEmit`. */
export const gate: Benchmark = {
	name: "gate",
	run: async (log) =>
		withWorkspace({}, async (ws) => {
			log(`${rounds} rounds of each, in ${REPOSITORY}`);
			const ms = { tsc: [], cold: [], warm: [] } as Record<"tsc" | "cold" | "warm", number[]>;
			let wrong = 0;
			const measure = async (name: keyof typeof ms, args: readonly string[]) => {
				const { code, stdout, wallMs } = await run(ws, args);
				ms[name].push(wallMs);
				if (code === 0) return;
				wrong++;
				log(`${name} ended with ${code}: ${stdout.trim().split("\n").at(-1)}`);
			};
			const check = [CLI, "check", ".", "--format", "concise"];
			for (let round = 0; round < rounds; round++)
				for (const which of inTurn(["tsc", "check"], round))
					if (which === "tsc") await measure("tsc", [compiler, "--noEmit", "-p", "."]);
					else {
						await stopDaemon(ws.env);
						await measure("cold", check);
						await measure("warm", check);
					}
			return [
				compared("`check .` cold, against `tsc --noEmit`", ms.tsc, ms.cold, { factor: 0.9, plus: 0 }),
				compared("`check .` warm, against `tsc --noEmit`", ms.tsc, ms.warm, { factor: 0.15, plus: 0 }),
				wrongAnswers("checks that are not clean", wrong, rounds * 3),
			];
		}),
};

function run({ env }: Workspace, args: readonly string[]) {
	return runCommand(process.execPath, args, { cwd: REPOSITORY, env, timeoutMs: 300_000 });
}
