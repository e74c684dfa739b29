import type { Location } from "vscode-languageserver-protocol";
import { connectDaemon, type DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import type { BareClient } from "./bare-client.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withBare } from "./places.ts";
import { composites } from "./questions/composites.ts";
import { crowd } from "./questions/crowd.ts";
import { declarationsIn, importsIn, type KnownPlace, positionOf } from "./questions/places.ts";
import { type Bar, earlyFigure, isEarly, manyLines, oneAnswer, warmUp } from "./questions/rounds.ts";
import { inTurn, timed, turnAt } from "./statistics.ts";

const rounds = 300;
const places = 12;

/**
 * Questions by position through a kept connection, against a bare client of the same server; questions that are made of
 * several; and a crowd that asks all kinds of them.
 */
export const questions: Benchmark = {
	name: "questions",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${Object.keys(corpus.files).length} files, ${rounds} questions of each kind at ${places} places`);
		const alone = await withWorkspace(corpus.files, (ws) =>
			withBare(ws, corpus.files, undefined, async (bare) => {
				const daemon = await connectDaemon(ws.env);
				try {
					const pair = { corpus, bare, daemon, root: ws.root };
					return [...(await single(pair)), ...(await composites(pair))];
				} finally {
					daemon.close();
				}
			}),
		);
		return [...alone, ...(await crowd(log))];
	},
};

/** Two clients of two servers that hold the same project. */
export interface Pair {
	readonly corpus: Corpus;
	readonly bare: BareClient;
	readonly daemon: DaemonClient;
	/** Of the project that the daemon is asked about. */
	readonly root: string;
}

interface ShownPlaces {
	readonly places: readonly { readonly path: string; readonly line: number; readonly text?: string }[];
}

/** A question with one request behind it. */
interface Question {
	readonly name: string;
	readonly bar: Bar;
	readonly at: readonly KnownPlace[];
	/** Sends the request; true if the answer is right. */
	bare(bare: BareClient, place: KnownPlace): Promise<boolean>;
	isRight(answer: object, place: KnownPlace): boolean;
}

async function single(pair: Pair): Promise<Figure[]> {
	const declared = declarationsIn(pair.corpus, places);
	const imported = importsIn(pair.corpus, declared);
	// A client opens the files that it asks about.
	for (const file of new Set([...imported, ...declared].map((place) => place.file)))
		pair.bare.open(file, pair.corpus.files[file] ?? "");
	const kinds: Question[] = [
		{
			name: "definition",
			bar: oneAnswer,
			at: imported,
			bare: async (bare, place) =>
				isSame(linesOf(bare, await bare.definition(place.file, positionOf(place))), [place.definition]),
			isRight: (answer, { definition }) => isSame(shownLines(answer), [definition]),
		},
		{
			name: "hover",
			bar: oneAnswer,
			at: imported,
			bare: async (bare, place) =>
				JSON.stringify(await bare.hover(place.file, positionOf(place))).includes(`function ${place.name}(`),
			isRight: (answer, { name }) => (answer as { text: string }).text.includes(`function ${name}(`),
		},
		{
			name: "references",
			bar: manyLines,
			at: declared,
			// With the declarations: without them TypeScript 7 leaves out the imports as well.
			bare: async (bare, place) => {
				const params = { position: positionOf(place), context: { includeDeclaration: true } };
				const found = await bare.ask<Location[]>("textDocument/references", place.file, params);
				return isSame(linesOf(bare, found), [...place.references, place.definition]);
			},
			isRight: (answer, { references }) => isSame(shownLines(answer), references),
		},
	];
	const figures: Figure[] = [];
	for (const kind of kinds) figures.push(...(await measure(pair, kind)));
	return figures;
}

async function measure({ bare, daemon, root }: Pair, question: Question): Promise<Figure[]> {
	const { name, at } = question;
	const taken = { bare: [] as number[], ours: [] as number[] };
	const before = { bare: [] as number[], ours: [] as number[] };
	const wrong = { bare: 0, ours: 0 };
	for (let round = -warmUp; round < rounds; round++) {
		const place = at[(round + warmUp) % at.length] as KnownPlace;
		const { file, line, column } = place;
		for (const who of inTurn(["bare", "ours"] as const, turnAt(round + warmUp, at.length))) {
			if (who === "bare") {
				const { ms, value } = await timed(() => question.bare(bare, place));
				if (!value) wrong.bare++;
				if (round >= 0) taken.bare.push(ms);
				else if (isEarly(round, rounds)) before.bare.push(ms);
				continue;
			}
			const params = { cwd: root, input: { file, line, column } };
			const { ms, value } = await timed(() => daemon.call<object>(name, params));
			if (!question.isRight(value, place)) wrong.ours++;
			if (isEarly(round, rounds)) before.ours.push(ms);
			if (round >= 0) taken.ours.push(ms);
		}
	}
	return [
		compared(name, taken.bare, taken.ours, question.bar),
		earlyFigure(name, before),
		wrongAnswers(`${name}: wrong answers of either`, wrong.bare + wrong.ours, 2 * (rounds + warmUp)),
	];
}

function linesOf(bare: BareClient, found: Location | readonly Location[] | null): string[] {
	const locations = found === null ? [] : "uri" in found ? [found] : found;
	return locations.map(({ uri, range }) => `${bare.fileOf(uri)}:${range.start.line + 1}`);
}

function shownLines(answer: object): string[] {
	return (answer as ShownPlaces).places.map(({ path, line }) => `${path}:${line}`);
}

/** Whether two lists hold the same lines, in whatever order and however often. */
function isSame(found: readonly string[], wanted: readonly string[]): boolean {
	const [one, other] = [new Set(found), new Set(wanted)];
	return one.size === other.size && [...one].every((line) => other.has(line));
}
