import { setTimeout as pause } from "node:timers/promises";
import type { Position } from "vscode-languageserver-protocol";
import { type Figure, wrongAnswers } from "../figures.ts";
import { exactly, quantile, spreadOf, timed } from "../statistics.ts";
import { filesNaming } from "./phase-tally.ts";
import { inverse } from "./project.ts";
import { rest, type Stage } from "./stage.ts";
import { editCall, type Known } from "./trio.ts";

const names = ["hover", "definition"] as const;
/** The time between two questions, in milliseconds. */
const gapMs = 50;
/** The bare client pulls this many files to measure one background request. */
const pulledFiles = 20;
/** The time of pi itself to carry out a tool, in milliseconds. */
const toolMs = 5;

/**
 * Hover and definition in a file that is not edited, while the effects of an edit on other files are computed: a question
 * may wait for one request of that work.
 */
export async function questionsRow(stage: Stage, known: Known, rounds: number): Promise<Figure[]> {
	const { project, bare, equipped } = stage;
	const { file, before, symbols } = project.questions;
	const places = symbols.map((symbol) => ({ symbol, position: positionOf(bare.text(file), before, symbol) }));
	const took = {
		bare: { hover: [] as number[], definition: [] as number[] },
		ours: { hover: [] as number[], definition: [] as number[] },
	};
	const pulls: number[] = [];
	const users = filesNaming(bare, project.isSource, project.breakingSymbol).filter((user) => user !== project.hub);
	let wrong = 0;
	await bare.warm(file);
	// The first round warms up both, and is not measured.
	for (let round = 0; round <= rounds; round++) {
		const change = project.breaking.change(4_000 + round);
		await rest(stage);
		known.set(project.hub, (await bare.edit(change)).errors);
		for (const user of users.slice(0, pulledFiles)) pulls.push((await bare.prove(user)).ms);
		for (const { position } of places)
			for (const name of names) {
				const { ms } = await timed<unknown>(() => bare.client[name](file, position));
				if (round > 0) took.bare[name].push(ms);
			}
		await rest(stage);
		await equipped.call(editCall(change));
		for (const { symbol, position } of places)
			for (const name of names) {
				const input = { file, line: position.line + 1, symbol };
				const { toolMs: ms, text } = await equipped.call({ name: `lsp_${name}`, arguments: input });
				const isRight = text.includes(symbol) && !text.startsWith("LSP_");
				if (!isRight) stage.log(`wrong ${name} of ${symbol}: ${text.slice(0, 200)}`);
				if (!isRight) wrong++;
				if (round > 0) took.ours[name].push(ms);
				await pause(gapMs);
			}
		known.set(project.hub, (await bare.edit(inverse(change))).errors);
		await equipped.call(editCall(inverse(change)));
		// An answer is not repeated within a turn.
		await equipped.endTurn();
	}
	const title = `${project.title}: while the effects of an edit are computed`;
	const figures = names.flatMap((name): Figure[] => {
		const bare = spreadOf(took.bare[name]);
		const ours = spreadOf(took.ours[name]);
		const longest = quantile(took.ours[name], 1);
		const bar = (share: number) => ({
			text: `1 × + one pull + ${toolMs}`,
			limit: bare.median + quantile(pulls, share) + toolMs,
		});
		return [
			{ what: `${title}: ${name}`, unit: "ms", bare, ours, bar: bar(0.5) },
			{
				what: `${title}: ${name}, the longest`,
				unit: "ms",
				ours: exactly(longest),
				bar: bar(1),
			},
		];
	});
	const all = (rounds + 1) * places.length * names.length;
	return [...figures, wrongAnswers(`${title}: wrong answers`, wrong, all)];
}

/** The position of a name in the line that declares it. */
function positionOf(text: string, before: string, symbol: string): Position {
	const lines = text.split("\n");
	const line = lines.findIndex((each) => new RegExp(`^${before}${symbol}\\b`).test(each));
	if (line < 0) throw new Error(`no line declares ${symbol}`);
	return { line, character: before.length };
}
