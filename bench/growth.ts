import type { CheckReport } from "../src/contract/check-report.ts";
import { connectDaemon } from "../src/daemon/lifecycle/connect.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { EditPair, rounds, type Taken } from "./edit-pair.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";
import { timed, warmUp } from "./statistics.ts";

const sizes = [100, 1_000, 10_000];
const affectedRounds = 40;
const affectedWarmUp = 6;

/** How the size of a project changes the time of a check of one file, and of an edit that breaks three files. */
export const growth: Benchmark = {
	name: "growth",
	run: async (log) => {
		const figures: Figure[] = [];
		for (const modules of sizes) {
			log(`${modules} modules`);
			figures.push(...(await measure(makeCorpus(modules), modules)));
		}
		return figures;
	},
};

function measure(corpus: Corpus, modules: number): Promise<Figure[]> {
	return withWorkspace(corpus.files, (ws) =>
		withWarmBare(ws, corpus, async (bare, bareRoot) => {
			const daemon = await connectDaemon(ws.env);
			try {
				const pair = new EditPair(corpus, bare, bareRoot, daemon, ws);
				const [ofBare, ours] = await pair.files((edit) => pair.check([edit]));
				const affected = await editsThatBreak(pair);
				const name = `${modules.toLocaleString("en")} modules`;
				const wrong = ofBare.wrong + ours.wrong + affected.wrong;
				const asked = 2 * (rounds + warmUp) + affectedRounds + affectedWarmUp;
				return [
					compared(`${name}: a check of one file`, ofBare.ms, ours.ms, { factor: 1.1, plus: 2 }),
					compared(`${name}: an edit that affects three files, against one`, ours.ms, affected.ms),
					wrongAnswers(`${name}: wrong answers`, wrong, asked),
				];
			} finally {
				daemon.close();
			}
		}),
	);
}

/** Edits of a type that break three files, or repair them, in turn. */
async function editsThatBreak(pair: EditPair): Promise<Taken> {
	const taken: number[] = [];
	let wrong = 0;
	for (let round = -affectedWarmUp; round < affectedRounds; round++) {
		const edit = pair.nextFar(round);
		const { ms, value } = await timed(await pair.edit(edit));
		if (brokenBy(value) !== edit.broken.length) wrong++;
		if (round >= 0) taken.push(ms);
	}
	return { ms: taken, wrong };
}

function brokenBy({ files }: CheckReport): number {
	return files.filter(({ role, diagnostics }) => role === "affected" && diagnostics.length > 0).length;
}
