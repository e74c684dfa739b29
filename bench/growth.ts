import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon, type DaemonClient } from "../src/daemon/connect.ts";
import type { CheckReport } from "../src/findings.ts";
import { type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type BareClient, hasError } from "./bare-client.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { checkFile, provenWrong } from "./daemon.ts";
import { Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";
import { untilQuiet } from "./processor.ts";
import { Session } from "./session.ts";
import { inTurn, timed, warmUp } from "./statistics.ts";

const sizes = [100, 1_000, 10_000];
const rounds = 120;
const affectedRounds = 40;
const affectedWarmUp = 6;

/** What a project's size costs: a check of one file, and one with the three files that an edit breaks. */
export const growth: Benchmark = {
	name: "growth",
	run: async (log) => {
		const figures: Figure[] = [];
		for (const modules of sizes) {
			log(`${modules} modules`);
			figures.push(...(await measure(makeCorpus({ modules }), modules)));
		}
		return figures;
	},
};

function measure(corpus: Corpus, modules: number): Promise<Figure[]> {
	return withWorkspace(corpus.files, (ws) =>
		withWarmBare(ws, corpus, async (bare, bareRoot) => {
			const daemon = await connectDaemon(ws.env);
			try {
				const editor = new Editor(corpus);
				const file = await checksOfOne(editor, { bare, bareRoot, daemon, ws });
				const affected = await editsThatBreak(editor, new Session(daemon, ws.root));
				const name = `${modules.toLocaleString("en")} modules`;
				const wrong = file.wrong + affected.wrong;
				const asked = 2 * (rounds + warmUp) + affectedRounds + affectedWarmUp;
				return [
					compared(`${name}: a check of one file`, file.bare, file.ours, { factor: 1.1, plus: 2 }),
					compared(`${name}: an edit that affects three files, against one`, file.ours, affected.ms),
					wrongAnswers(`${name}: wrong answers`, wrong, asked),
				];
			} finally {
				daemon.close();
			}
		}),
	);
}

interface Both {
	readonly bare: BareClient;
	readonly bareRoot: string;
	readonly daemon: DaemonClient;
	readonly ws: Workspace;
}

/** An error in and an error out of one file, in turn, as `latency` measures them. */
async function checksOfOne(editor: Editor, { bare, bareRoot, daemon, ws }: Both) {
	const taken = { bare: [] as number[], ours: [] as number[] };
	let wrong = 0;
	for (let round = -warmUp; round < rounds; round++) {
		const edit = editor.next(round % 2 === 0 ? "error in" : "error out", Math.floor((round + warmUp) / 2));
		for (const who of inTurn(["bare", "ours"] as const, round + warmUp)) {
			await untilQuiet(ws);
			writeFileSync(join(who === "bare" ? bareRoot : ws.root, edit.file), edit.text);
			const { ms, value } = await timed(async () => {
				if (who === "ours") return provenWrong(await checkFile(daemon, ws.root, edit.file));
				bare.change(edit.file, edit.text);
				return hasError(await bare.pull(edit.file));
			});
			if (value !== edit.wrong) wrong++;
			if (round >= 0) taken[who].push(ms);
		}
	}
	return { ...taken, wrong };
}

/** A type that three files depend on, broken and mended in turn. */
async function editsThatBreak(editor: Editor, session: Session) {
	const taken: number[] = [];
	let wrong = 0;
	for (let round = -affectedWarmUp; round < affectedRounds; round++) {
		const edit = editor.next(round % 2 === 0 ? "breaks importers" : "repairs importers");
		const { ms, value } = await timed(await session.edit(edit));
		if (brokenBy(value) !== edit.broken.length) wrong++;
		if (round >= 0) taken.push(ms);
	}
	await session.rest();
	return { ms: taken, wrong };
}

/** How many other files an edit newly broke. */
function brokenBy({ files }: CheckReport): number {
	return files.filter(({ role, diagnostics }) => role === "affected" && diagnostics.length > 0).length;
}
