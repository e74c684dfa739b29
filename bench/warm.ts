import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon } from "../src/daemon/lifecycle/connect.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { makeCorpus } from "./corpus.ts";
import { checkFile, provenWrong } from "./daemon.ts";
import { type Edit, Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";
import { inTurn, timed } from "./statistics.ts";

const rounds = 240;
const warmUp = 20;

/** A check of one file through a kept connection, after an edit on disk, compared with the bare didChange and pull. */
export const warm: Benchmark = {
	name: "warm",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${Object.keys(corpus.files).length} files, ${rounds} edits, new and fixed errors in turn`);
		return withWorkspace(corpus.files, (ws) =>
			withWarmBare(ws, corpus, async (bare, root) => {
				const daemon = await connectDaemon(ws.env);
				try {
					const askBare = async ({ file, text }: Edit) => {
						bare.change(file, text);
						return hasError(await bare.pull(file));
					};
					const askOurs = async ({ file }: Edit) => provenWrong(await checkFile(daemon, ws.root, file));
					const participants = [
						{ root, ask: askBare, ms: [] as number[], wrong: 0 },
						{ root: ws.root, ask: askOurs, ms: [] as number[], wrong: 0 },
					];
					const editor = new Editor(corpus);
					for (let round = -warmUp; round < rounds; round++) {
						const edit = editor.next(round % 2 === 0 ? "new error" : "fixed error", Math.floor((round + warmUp) / 2));
						for (const participant of inTurn(participants, round + warmUp)) {
							// The time of the write is not measured.
							writeFileSync(join(participant.root, edit.file), edit.text);
							const { ms, value } = await timed(() => participant.ask(edit));
							if (value !== edit.wrong) participant.wrong++;
							if (round >= 0) participant.ms.push(ms);
						}
					}
					return figuresOf(participants[0]!, participants[1]!);
				} finally {
					daemon.close();
				}
			}),
		);
	},
};

interface Outcome {
	readonly ms: readonly number[];
	readonly wrong: number;
}

function figuresOf(bare: Outcome, ours: Outcome): Figure[] {
	return [
		compared("check of one file after an edit", bare.ms, ours.ms, { factor: 1.1, plus: 2 }),
		wrongAnswers("wrong answers of the bare client", bare.wrong, rounds + warmUp),
		wrongAnswers("wrong answers of pi-lsp", ours.wrong, rounds + warmUp),
	];
}
