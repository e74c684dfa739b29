import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServers } from "../test/live/languages.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { checkFile, provenWrong, withDaemon } from "./daemon.ts";
import { type Benchmark, compared, wrongAnswers } from "./figures.ts";
import { bareServers, pythonProject } from "./languages.ts";
import { withBare } from "./places.ts";
import { inTurn, timed } from "./statistics.ts";

const rounds = 80;
const warmUp = 8;

/** A check compared with a bare pull, once the server has registered pull diagnostics. */
export const pyright: Benchmark = {
	name: "pyright",
	program: "pyright-langserver",
	run: async (log) => {
		const { files, file, text } = pythonProject;
		log(`${Object.keys(files).length} files, ${rounds} edits, new and fixed errors in turn`);
		return withWorkspace(files, (workspace) => {
			const ws = { ...workspace, env: withServers(workspace.env) };
			return withBare(ws, files, bareServers.pyright(), (bare, root) =>
				withDaemon(ws, async (daemon) => {
					bare.open(file, files[file] ?? "");
					await bare.pullable();
					const bareMs: number[] = [];
					const ourMs: number[] = [];
					const wrong = { bare: 0, ours: 0 };
					for (let round = -warmUp; round < rounds; round++) {
						const isWrong = round % 2 === 0;
						const now = text(round + warmUp, isWrong);
						const askBare = async () => {
							writeFileSync(join(root, file), now);
							const { ms, value } = await timed(() => {
								bare.change(file, now);
								return bare.pull(file);
							});
							if (round >= 0) bareMs.push(ms);
							if (hasError(value) !== isWrong) wrong.bare++;
						};
						const askOurs = async () => {
							writeFileSync(join(ws.root, file), now);
							const { ms, value } = await timed(() => checkFile(daemon, ws.root, file));
							if (round >= 0) ourMs.push(ms);
							if (provenWrong(value) !== isWrong) wrong.ours++;
						};
						for (const ask of inTurn([askBare, askOurs], round + warmUp)) await ask();
					}
					return [
						compared("check of one file after an edit", bareMs, ourMs, { factor: 1.1, plus: 2 }),
						wrongAnswers("wrong answers of the bare client", wrong.bare, rounds + warmUp),
						wrongAnswers("wrong answers of pi-lsp", wrong.ours, rounds + warmUp),
					];
				}),
			);
		});
	},
};
