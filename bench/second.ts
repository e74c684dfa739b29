import { runPi } from "../test/faces/pi/run-pi.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import type { Workspace } from "../test/support/workspace.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { type Edit, Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { callOf, isCorrectResult } from "./pi/answers.ts";
import { afterTool, type CallTimes, readTimes, untilDone, wholeCall } from "./pi/call-times.ts";
import { probedArguments, probedEnvironment } from "./pi/paced-pi.ts";
import { withTwoWorkspaces } from "./places.ts";
import { differences, inTurn } from "./statistics.ts";

const rounds = 16;
const pairs = 4;

/** The time that the first edit of a second `pi -p` takes in a warm project, compared with its later ones. */
export const second: Benchmark = {
	name: "second",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${rounds} runs of pi with pi-lsp and ${rounds} without, ${pairs * 2} edits each, after one that warms up`);
		return withTwoWorkspaces(corpus, async (plain, equipped) => {
			const participants = [
				{ ws: plain, extension: undefined, editor: new Editor(corpus), runs: [] as Run[] },
				{ ws: equipped, extension: REPOSITORY, editor: new Editor(corpus), runs: [] as Run[] },
			] as const;
			for (let round = 0; round <= rounds; round++)
				for (const { ws, extension, editor, runs } of inTurn(participants, round)) {
					const run = await onePi(ws, editsOf(editor, corpus, round), extension);
					if (round > 0) runs.push(run);
				}
			return figuresOf(participants[0].runs, participants[1].runs);
		});
	},
};

interface Run {
	readonly times: readonly Required<CallTimes>[];
	/** From the model's last answer to pi's exit. */
	readonly endMs: number;
	readonly wrong: number;
}

function editsOf(editor: Editor, { targets }: Corpus, round: number): Edit[] {
	const target = round % targets.length;
	return Array.from({ length: pairs }, () => [
		editor.next("new error", target),
		editor.next("fixed error", target),
	]).flat();
}

async function onePi(ws: Workspace, edits: readonly Edit[], extension: string | undefined): Promise<Run> {
	const run = await runPi(ws, [...edits.map((each) => ({ calls: [callOf(each)] })), { text: "Done." }], {
		extension: undefined,
		args: probedArguments(extension),
		env: probedEnvironment(ws),
	});
	const ended = performance.now();
	const correct = edits.filter((each, index) => isCorrectResult(run.result(index), each));
	return { times: readTimes(ws), endMs: ended - (run.requests.at(-1)?.at ?? 0), wrong: edits.length - correct.length };
}

function figuresOf(without: readonly Run[], withIt: readonly Run[]): Figure[] {
	const added = (wanted: (place: number) => boolean, cost = wholeCall) =>
		differences(costs(without, wanted, cost), costs(withIt, wanted, cost));
	const isFirst = (place: number) => place === 0;
	// Later edits of the same kind as the first: those that add an error.
	const isLater = (place: number) => place > 1 && place % 2 === 0;
	const wrong = withIt.reduce((sum, run) => sum + run.wrong, 0);
	return [
		compared("added to the first edit, against later ones", added(isLater), added(isFirst), { factor: 1.3, plus: 10 }),
		compared("of it before and during the tool", added(isLater, untilDone), added(isFirst, untilDone)),
		compared("of it after the tool", added(isLater, afterTool), added(isFirst, afterTool)),
		compared(
			"pi's end, after edits",
			without.map(({ endMs }) => endMs),
			withIt.map(({ endMs }) => endMs),
			{ factor: 1, plus: 50 },
		),
		wrongAnswers("tool results with wrong reports", wrong, withIt.length * pairs * 2),
	];
}

type Cost = (times: Required<CallTimes>) => number;

function costs(runs: readonly Run[], wanted: (place: number) => boolean, cost: Cost): number[] {
	return runs.flatMap(({ times }) => times.filter((_, place) => wanted(place)).map(cost));
}
