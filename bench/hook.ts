import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic, Position } from "vscode-languageserver-protocol";
import { REPOSITORY } from "../test/support/repository.ts";
import { type BareClient, hasError } from "./bare-client.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { type Edit, type EditKind, Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, hookBar, wrongAnswers } from "./figures.ts";
import { callOf, isCorrectResult } from "./pi/answers.ts";
import { afterTool, type CallTimes, readTimes, toolItself, untilDone, wholeCall } from "./pi/call-times.ts";
import { type PacedPi, startPacedPi } from "./pi/paced-pi.ts";
import { withTwoWorkspaces, withWarmBare } from "./places.ts";
import { differences, inTurn, spreadOf, timed } from "./statistics.ts";

const cycles = 40;
const warmUpCycles = 3;
const cycle: readonly EditKind[] = [
	"new error",
	"fixed error",
	"clean stays clean",
	"breaks importers",
	"repairs importers",
];

/** What pi-lsp adds to a tool call of the real pi. A pi with it, a pi without it and a bare client take turns. */
export const hook: Benchmark = {
	name: "hook",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${cycles} times ${cycle.join(", ")}`);
		return withTwoWorkspaces(corpus, (plain, equipped) =>
			withWarmBare(plain, corpus, async (bare, root) => {
				const edits = editsOf(corpus);
				const pis = [
					startPacedPi(plain, edits.length, undefined),
					startPacedPi(equipped, edits.length, REPOSITORY),
				] as const;
				const measured: { edit: Edit; bareMs: number; right: boolean }[] = [];
				for (const [round, edit] of edits.entries()) {
					const turn = { bareMs: 0, right: true };
					const askBare = async () => {
						writeFileSync(join(root, edit.file), edit.text);
						turn.bareMs = (await timed(() => askBareClient(bare, edit))).ms;
					};
					const askPlain = () => pis[0].call(callOf(edit));
					const askEquipped = async () => {
						turn.right = isCorrectResult(await pis[1].call(callOf(edit)), edit);
					};
					for (const ask of inTurn([askBare, askPlain, askEquipped], round)) await ask();
					measured.push({ edit, ...turn });
				}
				await endAll(pis);
				const [without, withIt] = [readTimes(plain), readTimes(equipped)];
				const samples = measured.map((each, index) => ({
					...each,
					without: without[index]!,
					with: withIt[index]!,
				}));
				return figuresOf(samples.slice(warmUpCycles * cycle.length), measured);
			}),
		);
	},
};

async function endAll(pis: readonly PacedPi[]): Promise<void> {
	for (const pi of pis) await pi.end();
}

function editsOf(corpus: Corpus): Edit[] {
	const editor = new Editor(corpus);
	return Array.from({ length: cycles + warmUpCycles }, (_, index) =>
		cycle.map((kind) => editor.next(kind, kind === "clean stays clean" ? index + 2 : index)),
	).flat();
}

/**
 * Requests the same findings: those of the file, and, where a member of an interface changed, those of the files that use
 * it.
 */
async function askBareClient(bare: BareClient, { file, text, newText, kind }: Edit): Promise<void> {
	bare.change(file, text);
	const own = bare.pull(file);
	const reports = kind.endsWith("importers") ? await pullUsers(bare, file, placeOf(text, newText)) : [];
	const wrong = [await own, ...reports].some(hasError);
	if (wrong !== (kind === "new error" || kind === "breaks importers")) throw new Error(`the bare client errs: ${kind}`);
}

async function pullUsers(bare: BareClient, file: string, place: Position): Promise<(readonly Diagnostic[])[]> {
	const found = (await bare.references(file, place)) ?? [];
	const users = new Set(found.map(({ uri }) => bare.fileOf(uri)));
	users.delete(file);
	return Promise.all([...users].map((user) => bare.pull(user)));
}

/** Where the name in `member` is declared. */
function placeOf(text: string, member: string): Position {
	const before = text.slice(0, text.indexOf(member) + "readonly ".length).split("\n");
	return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

interface Sample {
	readonly edit: Edit;
	readonly bareMs: number;
	readonly without: Required<CallTimes>;
	readonly with: Required<CallTimes>;
}

function figuresOf(samples: readonly Sample[], all: readonly { readonly right: boolean }[]): Figure[] {
	const ofKinds = (kinds: readonly EditKind[]) => samples.filter(({ edit }) => kinds.includes(edit.kind));
	const added = (kinds: readonly EditKind[], label: string) => {
		const some = ofKinds(kinds);
		const bare = some.map(({ bareMs }) => bareMs);
		return compared(`added: ${label}`, bare, extra(some, wholeCall), hookBar);
	};
	const part = (what: string, cost: (times: Required<CallTimes>) => number): Figure => ({
		what,
		unit: "ms",
		ours: spreadOf(extra(ofKinds(["new error", "fixed error"]), cost)),
	});
	return [
		added(["new error", "fixed error"], "new or fixed error"),
		...cycle.map((kind) => added([kind], kind)),
		part("new or fixed error, before and during the tool", untilDone),
		part("new or fixed error, after the tool", afterTool),
		{
			what: "the tool itself, in a pi without pi-lsp",
			unit: "ms",
			ours: spreadOf(samples.map(({ without }) => toolItself(without))),
		},
		wrongAnswers("tool results with wrong reports", all.filter(({ right }) => !right).length, all.length),
	];
}

function extra(samples: readonly Sample[], cost: (times: Required<CallTimes>) => number): number[] {
	return differences(
		samples.map((sample) => cost(sample.without)),
		samples.map((sample) => cost(sample.with)),
	);
}
