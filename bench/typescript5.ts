import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { makeCorpus } from "./corpus.ts";
import { checkFile, provenWrong, withDaemon } from "./daemon.ts";
import { type Edit, Editor } from "./edits.ts";
import { type Benchmark, compared, counted, type Figure, wrongAnswers } from "./figures.ts";
import { bareServers, typescript5Files } from "./languages.ts";
import { withBare } from "./places.ts";
import { inTurn, spreadOf, timed } from "./statistics.ts";

const rounds = 50;
const warmUp = 6;
const longestPushMs = 3_000;

/** TypeScript 5.9: a check compared with tsserver's answer to a request, and with its next push. */
export const typescript5: Benchmark = {
	name: "typescript5",
	run: async (log) => {
		const corpus = makeCorpus();
		const files = typescript5Files(corpus.files);
		log(`${Object.keys(files).length} files, ${rounds} edits, new and fixed errors in turn`);
		const server = bareServers.typescript5();
		return withWorkspace(files, (ws) =>
			withBare(ws, files, server, (asked, askedRoot) =>
				// A server of its own: pushes of one edit would otherwise come during the next one.
				withBare(
					ws,
					files,
					server,
					(pushing, pushingRoot) =>
						withDaemon(ws, async (daemon) => {
							const bare = participant(askedRoot, async ({ file, text }) => {
								asked.change(file, text);
								return (await asked.semantic(file)).length > 0;
							});
							const pushed = participant(pushingRoot, async ({ file, text }) => {
								const push = pushing.pushed(file, longestPushMs);
								pushing.change(file, text);
								const items = await push;
								return items && hasError(items);
							});
							const ours = participant(ws.root, async ({ file }) =>
								provenWrong(await checkFile(daemon, ws.root, file)),
							);
							for (const file of corpus.targets) {
								asked.open(file, files[file] ?? "");
								const first = pushing.pushed(file, longestPushMs);
								pushing.open(file, files[file] ?? "");
								await Promise.all([asked.semantic(file), first]);
							}
							const editor = new Editor(corpus);
							for (let round = -warmUp; round < rounds; round++) {
								const edit = editor.next(
									round % 2 === 0 ? "new error" : "fixed error",
									Math.floor((round + warmUp) / 2),
								);
								for (const { root, ask, ms, wrong } of inTurn([bare, pushed, ours], round + warmUp)) {
									writeFileSync(join(root, edit.file), edit.text);
									const answer = await timed(() => ask(edit));
									if (round >= 0) ms.push(answer.ms);
									if (answer.value !== edit.wrong) wrong.push(round);
								}
							}
							return figuresOf(bare, pushed, ours);
						}),
					"pushing",
				),
			),
		);
	},
};

interface Participant {
	readonly root: string;
	readonly ask: (edit: Edit) => Promise<boolean | undefined>;
	readonly ms: number[];
	/** The rounds with a wrong answer, or none. */
	readonly wrong: number[];
}

function participant(root: string, ask: Participant["ask"]): Participant {
	return { root, ask, ms: [], wrong: [] };
}

function figuresOf(bare: Participant, pushed: Participant, ours: Participant): Figure[] {
	const all = rounds + warmUp;
	const { median } = spreadOf(pushed.ms);
	return [
		compared("check, against `semanticDiagnosticsSync`", bare.ms, ours.ms, { factor: 1.2, plus: 2 }),
		{
			...compared("check, against the server's next push", pushed.ms, ours.ms),
			bar: { text: "0.45 ×", limit: median * 0.45 },
		},
		counted("pushes that were wrong or did not come", pushed.wrong.length, all),
		wrongAnswers("wrong answers of pi-lsp", ours.wrong.length, all),
	];
}
