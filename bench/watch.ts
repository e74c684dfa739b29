import process from "node:process";
import { REPOSITORY } from "../test/support/repository.ts";
import { runCommand } from "../test/support/run-command.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { type Benchmark, wrongAnswers } from "./figures.ts";
import { spreadOf } from "./statistics.ts";

const directories = 1_800;
const fileCount = 5_000;
const rounds = 9;

/** The time to watch every directory of a repository of 5,000 files, and the memory for it. */
export const watch: Benchmark = {
	name: "watch",
	run: async (log) => {
		log(`${fileCount} files in ${directories} directories, ${rounds} processes`);
		return withWorkspace(files(), async ({ root, env }) => {
			const watched: Watched[] = [];
			for (let round = 0; round < rounds; round++) {
				const command = ["--expose-gc", "scripts/run-ts.mjs", "bench/watch-once.ts", root];
				const { code, stdout, stderr } = await runCommand(process.execPath, command, { cwd: REPOSITORY, env });
				if (code !== 0) throw new Error(`the watch ended with ${code}: ${stderr}`);
				watched.push(JSON.parse(stdout) as Watched);
			}
			const unready = watched.filter(({ state, directories: seen }) => state !== "ready" || seen < directories).length;
			return [
				{
					what: "from the start to ready",
					unit: "ms",
					ours: spreadOf(watched.map(({ ms }) => ms)),
					bar: { text: "300 ms", limit: 300 },
				},
				{
					what: "memory",
					unit: "MB",
					ours: spreadOf(watched.map(({ megabytes }) => megabytes)),
					bar: { text: "25 MB", limit: 25 },
				},
				wrongAnswers("watches that were not complete", unready, rounds),
			];
		});
	},
};

interface Watched {
	readonly ms: number;
	readonly megabytes: number;
	readonly state: string;
	readonly directories: number;
}

function files(): Record<string, string> {
	return Object.fromEntries(
		Array.from({ length: fileCount }, (_, index) => {
			const directory = index % directories;
			return [`a${directory % 12}/b${directory % 144}/c${directory}/f${index}.ts`, `export const x = ${index};\n`];
		}),
	);
}
