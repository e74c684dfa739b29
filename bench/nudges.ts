import type { ScriptedCall } from "../test/faces/pi/scripted-model.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { makeCorpus } from "./corpus.ts";
import { Editor } from "./edits.ts";
import { type Benchmark, compared } from "./figures.ts";
import { callOf } from "./pi/answers.ts";
import { readTimes, wholeCall } from "./pi/call-times.ts";
import { startPacedPi } from "./pi/paced-pi.ts";
import { withTwoWorkspaces } from "./places.ts";
import { inTurn } from "./statistics.ts";

const searches = 60;
const warmUps = 5;
const bar = { factor: 1, plus: 5 };

/**
 * What a nudge adds to a text search of the real pi. Two pis with pi-lsp and a warm server take turns, one without nudges.
 * No symbol has the searched names, so that the server is asked about each: a session shows at most three nudges.
 */
export const nudges: Benchmark = {
	name: "nudges",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${searches} searches for a name`);
		return withTwoWorkspaces(corpus, async (without, nudging) => {
			without.write(".pi-lsp.json", '{ "nudges": false }');
			const pis = [without, nudging].map((ws) => startPacedPi(ws, 1 + warmUps + searches, REPOSITORY));
			const warm = callOf(new Editor(corpus).next("clean stays clean", 2));
			for (const pi of pis) await pi.call(warm);
			for (let round = 0; round < warmUps + searches; round++) {
				const search: ScriptedCall = { name: "bash", arguments: { command: `grep -rn unknownName${round} src` } };
				const asks = pis.map((pi) => async () => void (await pi.call(search)));
				for (const ask of inTurn(asks, round)) await ask();
			}
			for (const pi of pis) await pi.end();
			const [plain = [], asked = []] = [without, nudging].map((ws) =>
				readTimes(ws)
					.slice(1 + warmUps)
					.map(wholeCall),
			);
			return [compared("a text search for a name, the whole call", plain, asked, bar)];
		});
	},
};
