import { setTimeout as pause } from "node:timers/promises";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { exactly } from "../statistics.ts";
import { type Change, inverse } from "./project.ts";
import { rest, type Stage } from "./stage.ts";
import { type Known, type Made, makeEdit } from "./trio.ts";

const edits = 30;
/** The least time of a model between two edits, in milliseconds. */
const gapMs = 500;

/** The sum of what is added to thirty edits of all kinds, in quick succession. */
export async function sessionRow(stage: Stage, known: Known): Promise<Figure[]> {
	const { project, plain, equipped, log } = stage;
	const changes = changesOf(stage);
	const made: Made[] = [];
	await rest(stage);
	for (const [round, change] of changes.entries()) {
		made.push(await makeEdit(stage, known, change, round));
		await pause(gapMs);
	}
	const ends = { plain: await plain.endTurn(), equipped: await equipped.endTurn() };
	const sum = (cost: (one: Made) => number) => made.reduce((total, one) => total + cost(one), 0);
	const bareMs = sum((one) => one.bareMs);
	const ours = sum((one) => one.addedMs + one.delayMs) + ends.equipped - ends.plain;
	log(`30 edits: ${Math.round(bareMs)} ms of the bare client, ${Math.round(ours)} ms added`);
	const title = `${project.title}: a session of 30 edits`;
	const wrong = made.filter(({ right }) => !right).length;
	return [
		{
			...atMost(`${title}, sum of what is added`, "ms", ours, bareMs * 1.5 + 3_000),
			bare: exactly(bareMs),
			bar: { text: "1.5 × + 3000", limit: bareMs * 1.5 + 3_000 },
		},
		wrongAnswers(`${title}, edited file reported wrongly`, wrong, made.length),
	];
}

function changesOf({ project }: Stage): Change[] {
	const changes: Change[] = [];
	for (let n = 5_000; changes.length < edits; n++)
		for (const { change } of project.edits) changes.push(change(n), inverse(change(n)));
	return changes.slice(0, edits);
}
