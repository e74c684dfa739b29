import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckReport } from "../src/contract/check-report.ts";
import { withServers } from "../test/live/languages.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { withDaemon } from "./daemon.ts";
import { type Benchmark, compared, wrongAnswers } from "./figures.ts";
import { bareServers, goBroken, goProject, goRate } from "./languages.ts";
import { withBare } from "./places.ts";
import { Session } from "./session.ts";
import { differences, inTurn, spreadOf, timed } from "./statistics.ts";

const rounds = 40;
const warmUp = 4;
const file = "rate.go";

/** How long after the edited file the rest of its package is answered. */
export const gopls: Benchmark = {
	name: "gopls",
	program: "gopls",
	run: async (log) => {
		const { files } = goProject;
		log(`${Object.keys(files).length} files in one package, ${rounds} edits that break two of them, and their repairs`);
		return withWorkspace(files, (workspace) => {
			const ws = { ...workspace, env: withServers(workspace.env) };
			return withBare(ws, files, bareServers.gopls(), (bare, root) =>
				withDaemon(ws, async (daemon) => {
					bare.open(file, files[file] ?? "");
					const ms = { bare: [] as number[], file: [] as number[], affected: [] as number[] };
					let wrong = 0;
					let count = 1;
					const session = new Session(daemon, ws.root);
					const edits = {
						bare: async (text: string) => {
							writeFileSync(join(root, file), text);
							const { ms, value } = await timed(() => {
								bare.change(file, text);
								return bare.pull(file);
							});
							if (hasError(value)) throw new Error("the bare client finds an error in the edited file itself");
							return ms;
						},
						file: async (text: string) => (await timed(await session.edit({ file, text }, "file"))).ms,
						affected: async (text: string, broken: readonly string[]) => {
							const { ms, value } = await timed(await session.edit({ file, text }));
							if (namesOf(value).join() !== broken.join()) wrong++;
							return ms;
						},
					};
					for (let round = -warmUp; round < rounds; round++)
						for (const name of inTurn(["bare", "file", "affected"] as const, round + warmUp)) {
							const took = await edits[name](goRate("string", ++count), goBroken);
							if (round >= 0) ms[name].push(took);
							await edits[name](goRate("int", ++count), []);
						}
					return [
						compared("answer for the edited file", ms.bare, ms.file),
						compared("answer for the rest of its package as well", ms.bare, ms.affected),
						{
							what: "the rest of the package, after the edited file",
							unit: "ms",
							ours: spreadOf(differences(ms.file, ms.affected)),
							bar: { text: "50 ms", limit: 50 },
						},
						wrongAnswers("wrong answers about other files", wrong, (rounds + warmUp) * 2),
					];
				}),
			);
		});
	},
};

/** The other files that an edit newly broke. */
function namesOf({ files }: CheckReport): string[] {
	const broken = files.filter(({ role, diagnostics }) => role === "affected" && diagnostics.some((item) => item.new));
	return broken.map(({ path }) => path).sort();
}
