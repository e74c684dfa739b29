import { REPOSITORY } from "../test/support/repository.ts";
import { makeCorpus } from "./corpus.ts";
import { type Edit, type EditKind, Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { callOf, isCorrectResult } from "./pi/answers.ts";
import { readTimes, wholeCall } from "./pi/call-times.ts";
import { startPacedPi } from "./pi/paced-pi.ts";
import { withTwoWorkspaces } from "./places.ts";
import { inTurn } from "./statistics.ts";

const cycles = 40;
const warmUpCycles = 3;
const cycle: readonly EditKind[] = ["clean stays clean", "new error", "fixed error"];
const bar = { factor: 1, plus: 10 };

/**
 * What the check before an edit adds to a tool call of the real pi. Two pis with pi-lsp take turns, one without that check.
 */
export const preflight: Benchmark = {
	name: "preflight",
	run: async (log) => {
		const figures: Figure[] = [];
		for (const mode of ["warn", "block"] as const) {
			log(`${mode}: ${cycles} times ${cycle.join(", ")}`);
			figures.push(...(await measure(mode)));
		}
		return figures;
	},
};

async function measure(mode: "warn" | "block"): Promise<Figure[]> {
	const corpus = makeCorpus();
	return withTwoWorkspaces(corpus, async (without, checking) => {
		const editor = new Editor(corpus);
		const edits: Edit[] = Array.from({ length: cycles + warmUpCycles }, (_, index) =>
			cycle.map((kind) => editor.next(kind, kind === "clean stays clean" ? index + 2 : index)),
		).flat();
		const pis = [
			startPacedPi(without, edits.length, REPOSITORY),
			startPacedPi(checking, edits.length, REPOSITORY, [`--lsp-preflight=${mode}`]),
		] as const;
		let wrong = 0;
		for (const [round, edit] of edits.entries()) {
			const asks = pis.map((pi) => async () => {
				if (!isCorrectResult(await pi.call(callOf(edit)), edit)) wrong++;
			});
			for (const ask of inTurn(asks, round)) await ask();
		}
		for (const pi of pis) await pi.end();
		const [plain, checked] = [readTimes(without), readTimes(checking)].map((times) => times.map(wholeCall));
		const ofKinds = (times: readonly number[] = [], kinds: readonly EditKind[]) =>
			times.filter((_, index) => index >= warmUpCycles * cycle.length && kinds.includes(edits[index]!.kind));
		const against = (label: string, kinds: readonly EditKind[]) =>
			compared(`${mode}: ${label}, the whole call`, ofKinds(plain, kinds), ofKinds(checked, kinds), bar);
		return [
			against("a clean edit", ["clean stays clean"]),
			against("a new or fixed error", ["new error", "fixed error"]),
			wrongAnswers(`${mode}: tool results with wrong reports`, wrong, 2 * edits.length),
		];
	});
}
