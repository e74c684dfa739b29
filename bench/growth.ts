import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon, type DaemonClient } from "../src/daemon/connect.ts";
import type { CheckEditResult } from "../src/daemon/protocol.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { checkFile, provenWrong, restOf } from "./daemon.ts";
import { Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";
import { inTurn, timed } from "./statistics.ts";

const sizes = [100, 1_000, 10_000];
const rounds = 40;
const warmUp = 6;

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
		withWarmBare(ws, corpus, async (bare, root) => {
			const daemon = await connectDaemon(ws.env);
			const session = randomUUID();
			const taken = { bare: [] as number[], file: [] as number[], affected: [] as number[] };
			let wrong = 0;
			let told: string[] = [];
			try {
				const editor = new Editor(corpus);
				let contract = corpus.files[corpus.contract] ?? "";
				for (let round = -warmUp; round < rounds; round++) {
					const isIn = round % 2 === 0;
					const edit = editor.next(isIn ? "error in" : "error out", Math.floor((round + warmUp) / 2));
					for (const who of inTurn(["bare", "file"] as const, round + warmUp)) {
						writeFileSync(join(who === "bare" ? root : ws.root, edit.file), edit.text);
						const { ms, value } = await timed(async () => {
							if (who === "file") return provenWrong(await checkFile(daemon, ws.root, edit.file));
							bare.change(edit.file, edit.text);
							return hasError(await bare.pull(edit.file));
						});
						if (value !== edit.wrong) wrong++;
						if (round >= 0) taken[who].push(ms);
					}
					const far = editor.next(isIn ? "breaks importers" : "repairs importers");
					const about = { cwd: ws.root, session, call: randomUUID(), file: far.file, told };
					daemon.notify("baseline", { ...about, text: contract, next: far.text });
					contract = far.text;
					writeFileSync(join(ws.root, far.file), far.text);
					const { ms, value } = await timed(() => affectedBy(daemon, about));
					told = await restOf(daemon, session);
					if (value !== far.broken.length) wrong++;
					if (round >= 0) taken.affected.push(ms);
				}
			} finally {
				daemon.close();
			}
			const name = `${modules.toLocaleString("en")} modules`;
			return [
				compared(`${name}: a check of one file`, taken.bare, taken.file, { factor: 1.1, plus: 2 }),
				compared(`${name}: an edit that affects three files, against one`, taken.file, taken.affected),
				wrongAnswers(`${name}: wrong answers`, wrong, 3 * (rounds + warmUp)),
			];
		}),
	);
}

/** How many other files an edit newly broke. */
async function affectedBy(daemon: DaemonClient, about: object): Promise<number> {
	const { report } = await daemon.call<CheckEditResult>("check_edit", { ...about, scope: "affected", budget: 60_000 });
	return report.files.filter(({ role, diagnostics }) => role === "affected" && diagnostics.length > 0).length;
}
