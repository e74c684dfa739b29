import { connectDaemon } from "../src/daemon/lifecycle/connect.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { makeCorpus } from "./corpus.ts";
import { EditPair, patchFiles, patchRounds, rounds, type Taken } from "./edit-pair.ts";
import { type Benchmark, compared, type Figure, hookBar, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";

const checkBar = { factor: 1.5, plus: 3 };

/**
 * One file, an edit with the files that it breaks, and a patch of twenty files, compared with a bare client that requests
 * the same files from the same server at once, without waiting.
 */
export const latency: Benchmark = {
	name: "latency",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${Object.keys(corpus.files).length} files, ${rounds} edits of each kind, ${patchRounds} patches`);
		return withWorkspace(corpus.files, (ws) =>
			withWarmBare(ws, corpus, async (bare, root) => {
				const daemon = await connectDaemon(ws.env);
				const pair = new EditPair(corpus, bare, root, daemon, ws);
				try {
					const file = await pair.files((edit) => pair.check([edit]));
					const announced = await pair.files((edit) => pair.edit(edit));
					const affected = await pair.affected();
					const patch = await pair.patches();
					return [
						...figuresOf("a check of one file", file, checkBar),
						...figuresOf("an edit of one file, announced as by pi", announced, checkBar),
						...figuresOf("an edit with the files that it affects", affected, hookBar),
						...figuresOf(`a patch of ${patchFiles} files`, patch, checkBar),
					];
				} finally {
					daemon.close();
				}
			}),
		);
	},
};

function figuresOf(
	what: string,
	[bare, ours]: readonly [Taken, Taken],
	bar: { readonly factor: number; readonly plus: number },
): Figure[] {
	return [
		compared(what, bare.ms, ours.ms, bar),
		wrongAnswers(`${what}: wrong answers of the bare client`, bare.wrong, bare.ms.length),
		wrongAnswers(`${what}: wrong answers of pi-lsp`, ours.wrong, ours.ms.length),
	];
}
