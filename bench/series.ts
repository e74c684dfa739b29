import { readFileSync } from "node:fs";
import { REPOSITORY } from "../test/support/repository.ts";
import { type Files, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { type Edit, type EditKind, Editor } from "./edits.ts";
import { falseClean } from "./false-clean.ts";
import { type Benchmark, type Figure, wrongAnswers } from "./figures.ts";
import { typescript5Files } from "./languages.ts";
import { callOf, isCorrectResult } from "./pi/answers.ts";
import { readTimes, wholeCall } from "./pi/call-times.ts";
import { type PacedPi, startPacedPi } from "./pi/paced-pi.ts";
import { differences, inTurn, spreadOf } from "./statistics.ts";

const alternating = 10;
const runs = 3;

/** The series that other extensions were measured with, in real pis, with TypeScript 7 and 5.9. */
export const series: Benchmark = {
	name: "series",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${Object.keys(corpus.files).length} files; ${runs} pis with pi-lsp and ${runs} without on each compiler`);
		const seven = await seriesOf("TypeScript 7", corpus, corpus.files, 73);
		const five = await seriesOf("TypeScript 5.9", corpus, typescript5Files(corpus.files), 184);
		const { claimed, asked } = await falseClean();
		return [...seven, ...five, wrongAnswers("answers that report clean without proof", claimed, asked)];
	},
};

/** One run of a pi with pi-lsp and of one without. */
interface Run {
	readonly added: readonly number[];
	readonly right: number;
	readonly importersReported: number;
	readonly commandsReported: number;
}

async function seriesOf(compiler: string, corpus: Corpus, files: Files, limit: number): Promise<Figure[]> {
	const all: Run[] = [];
	for (let run = 0; run < runs; run++)
		all.push(
			await withWorkspace(files, (plain) => withWorkspace(files, (equipped) => oneRun(corpus, plain, equipped))),
		);
	const sum = (count: (run: Run) => number) => all.reduce((total, run) => total + count(run), 0);
	return [
		{
			what: `${compiler}: added to an edit`,
			unit: "ms",
			ours: spreadOf(all.flatMap(({ added }) => added)),
			bar: { text: `${limit} ms`, limit },
		},
		wrongAnswers(
			`${compiler}: of 10 alternating edits reported wrongly`,
			runs * alternating - sum(({ right }) => right),
			runs * alternating,
		),
		wrongAnswers(
			`${compiler}: of 3 unopened importers missed`,
			runs * 3 - sum(({ importersReported }) => importersReported),
			runs * 3,
		),
		wrongAnswers(
			`${compiler}: changes by \`sed\` missed`,
			runs - sum(({ commandsReported }) => commandsReported),
			runs,
		),
	];
}

/** A cold edit, then ten measured ones, then one that breaks three importers, then a command that adds an error. */
async function oneRun(corpus: Corpus, plain: Workspace, equipped: Workspace): Promise<Run> {
	const editor = new Editor(corpus);
	const kinds: EditKind[] = Array.from({ length: alternating }, (_, n) => (n % 2 === 0 ? "new error" : "fixed error"));
	const edits = [editor.next("clean stays clean"), ...kinds.map((kind) => editor.next(kind))];
	const breaking = editor.next("breaks importers");
	const [, commanded = ""] = corpus.targets;
	const calls = edits.length + 2;
	const pis = [startPacedPi(plain, calls, undefined), startPacedPi(equipped, calls, REPOSITORY)] as const;
	const right: boolean[] = [];
	for (const [round, edit] of edits.entries()) {
		const text = await inBoth(pis, round, (pi) => pi.call(callOf(edit)));
		if (round > 0) right.push(isCorrectResult(text, edit));
	}
	const broke = await inBoth(pis, 0, (pi) => pi.call(callOf(breaking)));
	const command = { command: `sed -i 's/const ceiling: number = 10;/const ceiling: number = "ten";/' ${commanded}` };
	const text = await inBoth(pis, 1, (pi) => pi.call({ name: "bash", arguments: command }));
	for (const pi of pis) await pi.end();
	if (!readFileSync(equipped.path(commanded), "utf8").includes('"ten"')) throw new Error("sed changed nothing");
	const [without, withIt] = [readTimes(plain).map(wholeCall), readTimes(equipped).map(wholeCall)];
	return {
		added: differences(without, withIt).slice(1, edits.length),
		right: right.filter(Boolean).length,
		importersReported: importersIn(broke, breaking),
		commandsReported: text.includes(`<diagnostics file="${commanded}">`) && text.includes("(ts2322)") ? 1 : 0,
	};
}

/** Lets both pis make their call, one after the other; resolves with the text of the one with pi-lsp. */
async function inBoth(
	[plain, equipped]: readonly [PacedPi, PacedPi],
	round: number,
	ask: (pi: PacedPi) => Promise<string>,
): Promise<string> {
	let text = "";
	for (const pi of inTurn([plain, equipped], round)) {
		const own = await ask(pi);
		if (pi === equipped) text = own;
	}
	return text;
}

/** The number of the broken importers that are named; 0 if another number of files is reported. */
function importersIn(text: string, { broken }: Edit): number {
	if (!text.includes(`newly broke ${broken.length} other files`)) return 0;
	return broken.filter((path) => text.includes(path)).length;
}
